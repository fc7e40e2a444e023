// Receives webhooks and verifies each. Answers first and works afterwards.
import { createServer } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@cardvault/client";

const seen = new Set(); // a table with a unique key, in earnest

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The bytes as they arrived: a body that was parsed and printed again has other bytes.
    const event = verifyWebhook(
      Buffer.concat(chunks),
      request.headers["x-vault-signature"],
      process.env.VAULT_SECRET,
    );
    response.writeHead(204).end();
    if (seen.has(event.id)) return;
    seen.add(event.id);
    console.log(`${event.event} ${JSON.stringify(event.data)}`);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(400).end(error.reason);
  }
}).listen(Number(process.env.PORT ?? 8080), () => console.log("listening"));
