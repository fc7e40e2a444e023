// A new asking price for one card, unless somebody else has changed the card meanwhile.
import { createVaultClient, VaultApiError } from "@cardvault/client";

const [id, amount] = process.argv.slice(2);
const vault = createVaultClient({
  baseUrl: process.env.VAULT_URL,
  apiKey: process.env.VAULT_API_KEY,
});

try {
  const before = await vault.cards.get(id);
  const asking_price = { amount: Number(amount), currency: "USD" };
  const after = await vault.cards.update(id, { asking_price }, { ifVersion: before.version });
  console.log(`${after.title} is ${after.workflow_status}, version ${after.version}`);
} catch (error) {
  if (!(error instanceof VaultApiError)) throw error;
  console.log(`Refused: ${error.code}. ${error.message}`);
  for (const { path, message } of error.details) console.log(`  ${path}: ${message}`);
  process.exitCode = 1;
}
