// Follows every change of every card, and goes on where it stopped. Ends with Ctrl-C.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createVaultClient } from "@cardvault/client";

const vault = createVaultClient({
  baseUrl: process.env.VAULT_URL,
  apiKey: process.env.VAULT_API_KEY,
});
const file = process.env.CHECKPOINT_FILE ?? "checkpoint.txt";
const since = existsSync(file) ? readFileSync(file, "utf8") : "2020-01-01T00:00:00Z";

for await (const { data, checkpoint } of vault.cards.changes({ since, intervalMs: 5_000 })) {
  for (const card of data) console.log(`${card.id} version ${card.version}: ${card.title ?? "?"}`);
  // After the work, never before it: what is not yet done comes again after a crash.
  writeFileSync(file, checkpoint);
}
