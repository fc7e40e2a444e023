// Every card that has a price, page after page.
import { createVaultClient } from "@cardvault/client";

const vault = createVaultClient({
  baseUrl: process.env.VAULT_URL,
  apiKey: process.env.VAULT_API_KEY,
});

for await (const card of vault.cards.each({ workflow_status: "priced", sort: "title" })) {
  const { amount, currency } = card.asking_price;
  console.log(`${card.title} ${card.number ?? ""}: ${(amount / 100).toFixed(2)} ${currency}`);
}
