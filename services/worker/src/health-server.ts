import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { within } from "@cardvault/kit";
import type { Logger } from "@cardvault/kit";
import type { Registry } from "prom-client";

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  /** Throws where the worker cannot work now. */
  readonly checkReady: () => Promise<void>;
  /** Whether only a new process would help. */
  readonly isStalled: () => boolean;
  readonly logger: Logger;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const readyTimeoutMs = 4_000;

/** `/livez`, `/readyz` and `/metrics`, on a port of their own that is not open to the world. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { registry, checkReady, isStalled, logger } = options;
  const answer = async (path: string, res: ServerResponse): Promise<void> => {
    if (path === "/livez") {
      if (isStalled()) sendText(res, 503, "stalled\n");
      else sendText(res, 200, "alive\n");
    } else if (path === "/readyz") {
      try {
        await within(readyTimeoutMs, checkReady());
      } catch (error) {
        logger.debug({ err: error }, "not ready");
        sendText(res, 503, "not ready\n");
        return;
      }
      sendText(res, 200, "ready\n");
    } else if (path === "/metrics") {
      const text = await registry.metrics();
      res.writeHead(200, { "content-type": registry.contentType }).end(text);
    } else {
      sendText(res, 404, "not found\n");
    }
  };
  const server = createServer((req, res) => {
    answer(new URL(req.url ?? "/", "http://localhost").pathname, res).catch((error: unknown) => {
      logger.warn({ err: error }, "metrics could not be read");
      if (!res.headersSent) sendText(res, 503, "unavailable\n");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { "content-type": "text/plain" }).end(text);
}
