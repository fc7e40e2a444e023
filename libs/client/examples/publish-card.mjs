// Publishes a card once every rule is met, and says which are not.
import { createVaultClient } from "@cardvault/client";

const [cardId] = process.argv.slice(2);
const vault = createVaultClient({
  baseUrl: process.env.VAULT_URL,
  apiKey: process.env.VAULT_API_KEY,
});

const check = await vault.listings.checkPublish(cardId);
if (check.publishable) {
  const listing = await vault.listings.publish(cardId);
  console.log(`${listing.id} is ${listing.status}`);
} else {
  for (const { path, message } of check.problems) console.log(`${path}: ${message}`);
  process.exitCode = 1;
}
