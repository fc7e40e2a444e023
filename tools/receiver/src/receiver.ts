import { createServer, type IncomingMessage, type Server } from "node:http";
import { verifyWebhook, WebhookVerificationError, type VaultEvent } from "@cardvault/client";

export interface ReceiverOptions {
  /** The endpoint's whole secret; two while a rotation is open. */
  readonly secrets: readonly string[];
  /** Called once for each event id, however often it is delivered. */
  readonly onEvent: (event: VaultEvent) => void;
  readonly onRefused: (reason: string) => void;
}

/** Larger than any event: the service sends at most 64 KiB. */
const maxBodyBytes = 256 * 1024;

/** How many ids are remembered. A real receiver keeps them in its database. */
const maxRememberedIds = 10_000;

/**
 * An example of a webhook receiver: it verifies the signature over the raw bytes, skips what it has
 * seen already (the same event can arrive more than once), and answers before it does any work.
 */
export function createReceiver(options: ReceiverOptions): Server {
  const seen = new Set<string>();

  return createServer((req, res) => {
    void (async () => {
      if (req.method !== "POST") return void res.writeHead(405, { allow: "POST" }).end();
      try {
        const rawBody = await readBody(req);
        const event = verifyWebhook(rawBody, req.headers["x-vault-signature"], options.secrets);
        res.writeHead(204).end();
        if (seen.has(event.id)) return;
        seen.add(event.id);
        const [oldest] = seen;
        if (seen.size > maxRememberedIds && oldest !== undefined) seen.delete(oldest);
        options.onEvent(event);
      } catch (error) {
        const reason = error instanceof WebhookVerificationError ? error.reason : "unreadable";
        res.writeHead(400, { "content-type": "text/plain" }).end(`${reason}\n`);
        options.onRefused(reason);
      }
    })();
  });
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new RangeError("The body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
