import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { verifyWebhook, WebhookVerificationError } from "@cardvault/client";
import { serve } from "../stack/serve.ts";
import { percentile, round } from "../statistics.ts";

/** How the receiver at a path behaves: answers after so long, or never. */
export type Behaviour =
  | {
      readonly afterMs: number;
      /** Of so many events one is answered 500 when it comes for the first time. */
      readonly refusesOneOf?: number | undefined;
    }
  | "hang";

export interface ReceiverReport {
  /** Deliveries, different and verified, since the last mark. */
  readonly arrived: number;
  /** From the event's `created_at` to its arrival here, milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Since the receiver's start. */
export interface ReceiverTotals {
  readonly requests: number;
  /** Different events at different paths. */
  readonly deliveries: number;
  readonly unverified: number;
  /** Requests that came, and got no answer. */
  readonly hung: number;
  /** Requests that were answered 500. */
  readonly refused: number;
}

// Customers' endpoints in a process of its own, a path each: verifies every signature over the raw
// bytes, keeps the ids, and answers.
const secrets = new Map<string, string>();
const behaviours = new Map<string, Behaviour>();
const received = new Map<string, Map<string, number>>();
const firstRefused = new Map<string, { count: number; ids: Set<string> }>();
let latenciesMs = new Map<string, number[]>();
let firstAtMs: number | null = null;
const totals = { requests: 0, deliveries: 0, unverified: 0, hung: 0, refused: 0 };

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  const arrivedAtMs = Date.now();
  const path = req.url ?? "";
  firstAtMs ??= arrivedAtMs;
  totals.requests += 1;
  const behaviour = behaviours.get(path);
  if (behaviour === "hang") {
    totals.hung += 1;
    return;
  }
  try {
    const secret = secrets.get(path) ?? [];
    const event = verifyWebhook(Buffer.concat(chunks), req.headers["x-vault-signature"], secret);
    if (behaviour !== undefined && isRefused(path, event.id, behaviour.refusesOneOf)) {
      totals.refused += 1;
      res.writeHead(500).end();
      return;
    }
    keep(path, event.id, arrivedAtMs - Date.parse(event.created_at));
    if (behaviour !== undefined) await wait(behaviour.afterMs);
    res.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    totals.unverified += 1;
    res.writeHead(400).end();
  }
}

function isRefused(path: string, eventId: string, oneOf: number | undefined): boolean {
  if (oneOf === undefined) return false;
  const refused = firstRefused.get(path) ?? { count: 0, ids: new Set<string>() };
  firstRefused.set(path, refused);
  if (refused.ids.delete(eventId)) return false;
  refused.count += 1;
  if (refused.count % oneOf !== 0) return false;
  refused.ids.add(eventId);
  return true;
}

function keep(path: string, eventId: string, latencyMs: number): void {
  const events = received.get(path) ?? new Map<string, number>();
  received.set(path, events);
  const times = events.get(eventId) ?? 0;
  events.set(eventId, times + 1);
  if (times > 0) return;
  totals.deliveries += 1;
  const latencies = latenciesMs.get(path) ?? [];
  latenciesMs.set(path, latencies);
  latencies.push(latencyMs);
}

const server = createServer((req, res) => {
  receive(req, res).catch(() => res.destroy());
});
// The sender keeps its connections; one that is closed under it would be an attempt that fails.
server.keepAliveTimeout = 120_000;
await new Promise<void>((resolve) => {
  server.listen(0, "127.0.0.1", resolve);
});

serve({
  port: () => (server.address() as AddressInfo).port,
  secrets(given: Record<string, string>) {
    for (const [path, secret] of Object.entries(given)) secrets.set(path, secret);
  },
  /** From now on; a request that hangs goes on hanging. */
  behave(given: Record<string, Behaviour>) {
    for (const [path, behaviour] of Object.entries(given)) behaviours.set(path, behaviour);
  },
  /** Latencies, arrivals and the first request count from now on. */
  mark() {
    latenciesMs = new Map();
    firstAtMs = null;
  },
  /** When the first request since the mark came, in milliseconds since 1970, or null. */
  firstAtMs: () => firstAtMs,
  totals: (): ReceiverTotals => totals,
  /** How often each event came to a path. */
  received: (path: string): [eventId: string, times: number][] => [...(received.get(path) ?? [])],
  /** Since the mark, of these paths or of all. */
  report(paths: readonly string[] | null): ReceiverReport {
    const chosen = paths ?? [...latenciesMs.keys()];
    const latencies = chosen.flatMap((path) => latenciesMs.get(path) ?? []);
    const part = (of: number): number => round(percentile(latencies, of));
    return {
      arrived: latencies.length,
      p50Ms: part(0.5),
      p95Ms: part(0.95),
      p99Ms: part(0.99),
      maxMs: part(1),
    };
  },
});
