import { parseArgs } from "node:util";
import type { ScenarioOptions } from "./scenario.ts";

/** What `--NAME N` takes, and where a scenario does not say otherwise what it means. */
const counts = {
  seconds: { most: 600, sentence: "how long the load lasts" },
  minutes: { most: 1_440, sentence: "soak: the same in minutes" },
  events: { most: 100_000, sentence: "ledger: changes that are committed" },
  endpoints: { most: 200, sentence: "ledger: receivers, five an account" },
  kills: { most: 200, sentence: "ledger: processes killed with kill -9" },
  due: { most: 200_000, sentence: "backlog, fairness: deliveries that wait" },
  attempts: { most: 5_000_000, sentence: "log: attempts that are seeded" },
  cards: {
    most: 5_000_000,
    sentence:
      "inventory: cards that are seeded; import: rows of the list; recogniser, photo-batch: photos",
  },
} as const;
type CountName = keyof typeof counts;
const countNames = Object.keys(counts) as CountName[];

export const optionsUsage = [
  "  --store      where jobs are kept, postgres or mongodb; mongodb needs MONGOD_PATH, or mongod on the PATH",
  ...countNames.map((name) => `  --${name.padEnd(9)}  ${counts[name].sentence}`),
  "  --keep       inventory: a folder whose data stay, so that the next run need not seed again",
  "  --only       page-work: one of its parts, open, review, sheet or photos",
  "  --profile    webhooks, throughput: also where the worker's time goes, which slows it down",
  "               soak: also the heap of each service after a quarter and at the end, as files that stay",
].join("\n");

/** @throws TypeError with a sentence for the user */
export function readOptions(args: readonly string[]): {
  name: string | undefined;
  options: ScenarioOptions;
} {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      store: { type: "string", default: "postgres" },
      profile: { type: "boolean", default: false },
      seconds: { type: "string" },
      minutes: { type: "string" },
      events: { type: "string" },
      endpoints: { type: "string" },
      kills: { type: "string" },
      due: { type: "string" },
      attempts: { type: "string" },
      cards: { type: "string" },
      keep: { type: "string" },
      only: { type: "string" },
    },
  });
  const { store, profile } = values;
  if (store !== "postgres" && store !== "mongodb") {
    throw new TypeError("--store is postgres or mongodb");
  }
  if (positionals.length > 1) throw new TypeError("One scenario at a time");
  const numbers: { [Name in CountName]?: number } = {};
  for (const name of countNames) {
    const given = values[name];
    if (given !== undefined) numbers[name] = readCount(name, given);
  }
  const kept = {
    ...(values.keep === undefined ? {} : { keep: values.keep }),
    ...(values.only === undefined ? {} : { only: values.only }),
  };
  return { name: positionals[0], options: { store, profile, ...kept, ...numbers } };
}

function readCount(name: CountName, given: string): number {
  const { most } = counts[name];
  const value = Number(given);
  if (!(Number.isInteger(value) && value >= 1 && value <= most)) {
    throw new TypeError(`--${name} is a whole number from 1 to ${most}`);
  }
  return value;
}
