import { createServer as createHttpServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "./certificate.ts";
import { waitFor } from "./wait-for.ts";
import type { WaitForOptions } from "./wait-for.ts";

/** What the receiver does with a request once it has read it. */
export type Answer =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly body?: string | Buffer | undefined;
    }
  /** Says nothing and keeps the connection open. */
  | { readonly kind: "hang" }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: number | undefined }
  /** 200, as soon as this has settled. */
  | { readonly kind: "held"; readonly until: Promise<unknown> }
  /** Closes the connection without an answer. */
  | { readonly kind: "close" }
  /** 200, then one byte every `everyMs`, without end. */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** 200 with a body of this many bytes and no content-length. */
  | { readonly kind: "big"; readonly bytes: number };

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came over the wire, in turn. */
  readonly rawHeaders: readonly string[];
  /** The body's bytes, as they came. */
  readonly body: Buffer;
  readonly receivedAt: Date;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** PEM; only with HTTPS. */
  readonly certificate: string | undefined;
  /** Every request, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** The next requests are answered so, one each. */
  readonly script: (...answers: readonly Answer[]) => void;
  /** Every request that has no script is answered so; 200 at first. */
  readonly always: (answer: Answer) => void;
  /** Waits for so many requests, or for the condition, and answers all requests so far. */
  readonly waitFor: (
    condition: number | ((requests: readonly ReceivedRequest[]) => boolean),
    options?: WaitForOptions,
  ) => Promise<readonly ReceivedRequest[]>;
  /** Forgets the requests and the script. */
  readonly reset: () => void;
  /** Closes the port and every connection. */
  readonly stop: () => Promise<void>;
}

export interface ReceiverOptions {
  /** Serves HTTPS with a certificate signed by itself. */
  readonly https?: boolean | undefined;
  /** A free one unless told. */
  readonly port?: number | undefined;
  /** The certificate's names; localhost and 127.0.0.1 unless told. */
  readonly hosts?: readonly string[] | undefined;
}

const chunkBytes = 65_536;

function drip(res: ServerResponse, everyMs: number): void {
  res.writeHead(200);
  const timer = setInterval(() => res.write("."), everyMs);
  res.once("close", () => clearInterval(timer));
}

function sendBig(res: ServerResponse, bytes: number): void {
  res.writeHead(200);
  let left = bytes;
  const push = (): void => {
    while (left > 0 && !res.destroyed) {
      const size = Math.min(chunkBytes, left);
      left -= size;
      if (!res.write(Buffer.alloc(size, "x"))) {
        res.once("drain", push);
        return;
      }
    }
    res.end();
  };
  push();
}

function give(answer: Answer, res: ServerResponse): void {
  switch (answer.kind) {
    case "status":
      res.writeHead(answer.status, answer.headers).end(answer.body);
      break;
    case "redirect":
      res.writeHead(answer.status ?? 302, { location: answer.to }).end();
      break;
    case "close":
      res.socket?.destroy();
      break;
    case "held":
      void answer.until.finally(() => res.writeHead(200).end());
      break;
    case "drip":
      drip(res, answer.everyMs);
      break;
    case "big":
      sendBig(res, answer.bytes);
      break;
    case "hang":
      break;
  }
}

async function record(req: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return {
    method: req.method ?? "",
    path: req.url ?? "",
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    body: Buffer.concat(chunks),
    receivedAt: new Date(),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * A webhook receiver on 127.0.0.1: a real HTTP server that keeps the raw bytes and headers of every
 * request and answers as it is told.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const scripted: Answer[] = [];
  let usual: Answer = { kind: "status", status: 200 };

  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    record(req).then(
      (request) => {
        requests.push(request);
        give(scripted.shift() ?? usual, res);
      },
      // The sender went away in the middle of its request: that is no request.
      () => res.destroy(),
    );
  };
  const identity =
    options.https === true ? selfSigned(options.hosts ?? ["localhost", "127.0.0.1"]) : undefined;
  const server: Server =
    identity === undefined
      ? createHttpServer(handle)
      : createHttpsServer({ cert: identity.certificate, key: identity.key }, handle);
  const port = await listen(server, options.port ?? 0);

  return {
    url: `${identity === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    certificate: identity?.certificate,
    requests,
    script: (...answers) => void scripted.push(...answers),
    always: (answer) => {
      usual = answer;
    },
    waitFor: async (condition, waitOptions) => {
      const what =
        typeof condition === "number" ? `${condition} requests at the receiver` : "a request";
      await waitFor(
        () => (typeof condition === "number" ? requests.length >= condition : condition(requests)),
        { what, ...waitOptions },
      );
      return requests;
    },
    reset: () => {
      requests.length = 0;
      scripted.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
