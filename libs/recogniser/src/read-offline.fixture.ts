// Reads one drawn card and prints its number: run with the network refused.
import { createRecogniser } from "./recogniser.ts";
import { drawTestCard } from "./test-cards.ts";

const recogniser = createRecogniser({ threads: 1 });
const card = await drawTestCard({ name: "Charged Serpent", number: "012/142", seed: 7 });
const { numbers } = await recogniser.read(card);
process.stdout.write(numbers[0]?.printed ?? "nothing");
await recogniser.close();
