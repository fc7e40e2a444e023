import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import { cardsight } from "./cardsight/cardsight.ts";
import { control } from "./control.ts";
import { ebay } from "./ebay/ebay.ts";
import { sendBroken, takeFault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { anthropic } from "./models/anthropic.ts";
import { google } from "./models/google.ts";
import { openAiCompatible } from "./models/openai-compatible.ts";
import { pricecharting } from "./prices/pricecharting.ts";
import { scryfall } from "./prices/scryfall.ts";
import { tcgdex } from "./prices/tcgdex.ts";
import type { Protocol, SimulatedAnswer, SimulatedRequest } from "./protocol.ts";
import type { SimulatorStore } from "./store.ts";
import { ximilar } from "./ximilar/ximilar.ts";

/** Every third party that is simulated; each has the path of its name. */
const protocols: readonly Protocol[] = [
  cardsight,
  ximilar,
  google,
  openAiCompatible,
  anthropic,
  pricecharting,
  tcgdex,
  scryfall,
  ebay,
];
const protocolNames = protocols.map(({ name }) => name);
/** A picture of 20 MB in base 64, and what stands around it. */
const maxBodyBytes = 32 * 1_024 * 1_024;

export interface SimulatorOptions {
  readonly store: SimulatorStore;
  /** Loopback unless told: nothing here knows who asks. */
  readonly host?: string | undefined;
  /** A free one unless told. */
  readonly port?: number | undefined;
  readonly logger?: Logger | undefined;
  /** Dates of sales and prices are before its time; the machine's unless told. */
  readonly clock?: Clock | undefined;
  /** Whether the sandbox can work now; it can unless told. */
  readonly checkReady?: (() => Promise<void>) | undefined;
  /** Told of every request that a protocol gets. For tests that look at bytes. */
  readonly onRequest?: ((protocol: string, request: SimulatedRequest) => void) | undefined;
  /** Told of every answer that a protocol has given, whatever a fault then made of it. */
  readonly onAnswer?:
    | ((protocol: string, request: SimulatedRequest, answer: SimulatedAnswer) => void)
    | undefined;
}

export interface Simulators {
  readonly url: string;
  readonly port: number;
  /** Closes the port and every connection. */
  stop(): Promise<void>;
}

/** The third parties as one HTTP server, a folder each. Reach it from inside only. */
export async function startSimulators(options: SimulatorOptions): Promise<Simulators> {
  const { host = "127.0.0.1", port = 0, logger } = options;
  const stopping = new AbortController();
  const server = createServer((req, res) => {
    handle(req, res, options, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) logger?.error({ err: error }, "a simulator failed");
      if (res.headersSent) res.destroy();
      else send(res, { status: 500, json: { error: "The simulator failed." } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    stop: () =>
      new Promise((resolve) => {
        stopping.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  req: IncomingMessage,
  res: ServerResponse,
  { store, clock = systemClock, checkReady, onRequest, onAnswer }: SimulatorOptions,
  stopping: AbortSignal,
): Promise<void> {
  const url = new URL(req.url ?? "/", "http://sandbox");
  const [, folder = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(url.pathname) ?? [];
  if (rest === "" && (folder === "livez" || folder === "readyz")) {
    if (folder === "readyz") await checkReady?.();
    res.writeHead(200, { "content-type": "text/plain" }).end("ready\n");
    return;
  }
  const body = await readBody(req);
  if (body === null) {
    send(res, { status: 413, json: { error: "The body is too large." } });
    return;
  }
  const request: SimulatedRequest = {
    method: req.method ?? "GET",
    path: rest,
    query: url.searchParams,
    headers: req.headers,
    body,
  };
  if (folder === "control") {
    const [, name = ""] = /^\/([^/]+)\//.exec(rest) ?? [];
    const controlled = protocols.find((one) => one.name === name);
    if (controlled?.control !== undefined) {
      const inside = { ...request, path: rest.slice(name.length + 1) };
      const done = await controlled.control(inside, { store, fault: null, now: clock.now() });
      send(res, done ?? { status: 404, json: { error: "Nothing is here." } });
      return;
    }
    const answer = await control(store, request, protocolNames);
    res.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
    return;
  }
  const protocol = protocols.find(({ name }) => name === folder);
  if (protocol === undefined) {
    send(res, { status: 404, json: { error: "No third party has this path.", protocolNames } });
    return;
  }
  onRequest?.(protocol.name, request);
  const fault = await takeFault(store, protocol.name, protocol.keyOf(request), request);
  const ctx = { store, fault: fault?.fault ?? null, now: clock.now() };
  const answer = async (): Promise<SimulatedAnswer | null> => {
    const given = await protocol.answer(request, ctx);
    if (given !== null) onAnswer?.(protocol.name, request, given);
    return given;
  };
  const done = fault?.when === "after" ? { answer: await answer() } : null;
  if (fault?.fault === "slow") await pause(fault.delay_ms, undefined, { signal: stopping });
  if (fault !== null && sendBroken(fault.fault, res)) return;
  const refused = fault === null ? null : refusalOf(protocol, fault);
  send(
    res,
    refused ?? (done ?? { answer: await answer() }).answer ?? protocol.error(404, "Not found"),
  );
}

/** The errors that every protocol has, in its own form. */
function refusalOf(protocol: Protocol, fault: Fault): SimulatedAnswer | null {
  const seconds = fault.retry_after_seconds;
  const later = seconds === undefined ? {} : { headers: { "retry-after": String(seconds) } };
  switch (fault.fault) {
    case "error":
      return protocol.error(500, "Simulated: internal detail that nobody should see");
    case "unavailable":
      return { ...protocol.error(503, "Simulated: unavailable"), ...later };
    case "rate_limited":
      return { ...protocol.error(429, "Simulated: too many requests"), ...later };
    case "unauthorized":
      return protocol.error(401, "Simulated: the key is not accepted");
    case "quota":
      return protocol.error(402, "Simulated: nothing left on this key");
    case "refused":
      return protocol.error(
        fault.status ?? 400,
        "Simulated: refused, with <b>internal detail</b>",
        fault.error_id,
      );
    default:
      return null;
  }
}

function send(res: ServerResponse, { status, headers, json }: SimulatedAnswer): void {
  if (json === undefined) res.writeHead(status, headers).end();
  else {
    res
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(json));
  }
}

/** Null where it is longer than a simulator reads. */
async function readBody(req: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += (chunk as Buffer).length;
    if (length <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return length > maxBodyBytes ? null : Buffer.concat(chunks);
}
