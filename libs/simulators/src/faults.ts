import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { SimulatorStore } from "./store.ts";

/** What a simulated third party can be told to do wrong. */
export const faultKinds = [
  /** Answers as usual, after `delay_ms`. */
  "slow",
  /** 500 in the protocol's own form. */
  "error",
  /** 503, with Retry-After where `retry_after_seconds` is given. */
  "unavailable",
  /** 429, with Retry-After. */
  "rate_limited",
  /** 401 in the protocol's own form. */
  "unauthorized",
  /** 402: nothing left on the key. */
  "quota",
  /** `status` (400 unless told) in the protocol's own form, with `error_id` where it has such. */
  "refused",
  /** 200 with a page of HTML. */
  "html",
  /** 200 with JSON that is cut off. */
  "malformed",
  /** 200 with JSON of another shape. */
  "wrong_shape",
  /** The answer for another card. */
  "wrong_card",
  /** A slab's grade is one lower than it is. */
  "wrong_grade",
  /** The connection is closed before an answer. */
  "dropped",
  /** 200, and then a byte now and then, without end. */
  "drip",
  /** 200 with 50 MB. */
  "huge",
  /** The usual answer with scripts in names, absurd numbers and members called `__proto__`. */
  "hostile",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const fault = z.strictObject({
  fault: z.enum(faultKinds),
  /** How many requests have it. */
  remaining: z.int().min(1).max(1_000_000).default(1_000_000),
  delay_ms: z.int().min(0).max(600_000).default(5_000),
  retry_after_seconds: z.int().min(0).max(86_400).optional(),
  status: z.int().min(400).max(599).optional(),
  error_id: z.int().min(1).max(999_999).optional(),
  // Only requests of this kind, with a star for one part of the path: "POST /sell/inventory/v1/offer/*/publish".
  on: z
    .string()
    .regex(/^[A-Z]+ \/\S*$/)
    .max(200)
    .optional(),
  /** `after`: what the request asks for is done, and only its answer is spoilt. */
  when: z.enum(["before", "after"]).default("before"),
});
export type Fault = z.output<typeof fault>;

const faultRecords = "faults";
export const anyKey = "*";
const placeOf = (protocol: string, key: string): string => `${protocol}/${key}`;

export function setFault(
  store: SimulatorStore,
  protocol: string,
  key: string,
  wanted: Fault,
): Promise<void> {
  return store.write(faultRecords, placeOf(protocol, key), wanted);
}

export function clearFaults(store: SimulatorStore, protocol: string, key: string): Promise<void> {
  return store.forget(faultRecords, protocol === "" ? "" : placeOf(protocol, key));
}

/** The fault of this request, if it has one: its key's own, else the protocol's. */
export async function takeFault(
  store: SimulatorStore,
  protocol: string,
  key: string,
  request: { readonly method: string; readonly path: string },
): Promise<Fault | null> {
  for (const place of [placeOf(protocol, key), placeOf(protocol, anyKey)]) {
    // The last one that is left has been counted off.
    const counted = fault.extend({ remaining: z.int().min(0) });
    const present = counted.safeParse(await store.read(faultRecords, place));
    if (!present.success || !isMeant(present.data.on, request)) continue;
    const taken = counted.safeParse(await store.take(faultRecords, place));
    if (taken.success) return taken.data;
  }
  return null;
}

function isMeant(
  on: string | undefined,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  if (on === undefined) return true;
  const wanted = on.split("/");
  const given = `${method} ${path}`.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part === "*" || part === given[index])
  );
}

const dripEveryMs = 50;
const hugeBytes = 50 * 1_024 * 1_024;

/** Sends what is no answer at all. False where the protocol itself has to answer. */
export function sendBroken(kind: FaultKind, res: ServerResponse): boolean {
  switch (kind) {
    case "html":
      res
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Down</title><h1>We'll be back</h1><script>alert(1)</script>");
      return true;
    case "malformed":
      res
        .writeHead(200, { "content-type": "application/json" })
        .end('{"success": true, "detections": [{');
      return true;
    case "wrong_shape":
      res.writeHead(200, { "content-type": "application/json" }).end('{"answer": 42}');
      return true;
    case "dropped":
      res.socket?.destroy();
      return true;
    case "drip":
      drip(res);
      return true;
    case "huge":
      void sendHuge(res);
      return true;
    default:
      return false;
  }
}

function drip(res: ServerResponse): void {
  res.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => res.write(" "), dripEveryMs);
  res.once("close", () => clearInterval(timer));
}

async function sendHuge(res: ServerResponse): Promise<void> {
  res.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(1_024 * 1_024, " ");
  for (let sent = 0; sent < hugeBytes && !res.destroyed; sent += chunk.length) {
    if (!res.write(chunk)) {
      await new Promise<void>((resolve) => {
        res.once("drain", resolve).once("close", resolve);
      });
    }
  }
  res.end("{}");
}
