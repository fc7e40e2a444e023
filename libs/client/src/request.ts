import { setTimeout as pause } from "node:timers/promises";
import { VaultApiError, VaultConnectionError } from "./errors.ts";
import type { ErrorDetail } from "./errors.ts";

/** How a client reaches the service. */
export interface ClientOptions {
  /** The service's origin, as `https://vault.example`. */
  readonly baseUrl: string;
  /** An API key: `cv_live_…` or `cv_test_…`. */
  readonly apiKey: string;
  /** Further tries after a passing failure: no answer, 429, 502, 503, 504. Default: 4. */
  readonly maxRetries?: number | undefined;
  /** How long one call may wait in all before its further tries, in milliseconds. Default: 90,000. */
  readonly maxWaitMs?: number | undefined;
  /** How long one try may take, in milliseconds. Default: 60,000, since an identification takes its time. */
  readonly timeoutMs?: number | undefined;
  /** In the place of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /** Gives the call up. What was sent may have been done. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a call that changes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * Lets the same change be asked for again without it being made twice, for 24 hours. Made for each
   * call unless given: give your own to be able to repeat a call after your process has died.
   */
  readonly idempotencyKey?: string | undefined;
}

type QueryValue = string | number | boolean;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

interface Request {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options: ChangeOptions | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Send = (request: Request) => Promise<Answer>;

const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstPauseMs = 500;

/**
 * Sends requests of one client. What fails in passing is tried again: after `Retry-After` where the
 * service says it, else after a growing pause of random length. A change always has an
 * `Idempotency-Key`, so that trying again never makes it twice.
 */
export function createSend(client: ClientOptions): Send {
  const { maxRetries = 4, maxWaitMs = 90_000 } = client;
  return async (request) => {
    const { method, options } = request;
    const key =
      method === "GET" ? undefined : (options?.idempotencyKey ?? globalThis.crypto.randomUUID());
    let waitedMs = 0;
    for (let tries = 0; ; tries += 1) {
      const failure = await tryOnce(client, request, key);
      if ("body" in failure) return failure;
      const pauseMs = failure.retryAfterMs ?? firstPauseMs * 2 ** tries * (0.5 + Math.random() / 2);
      if (!failure.isPassing || tries >= maxRetries || waitedMs + pauseMs > maxWaitMs) {
        throw failure.error;
      }
      waitedMs += pauseMs;
      await pause(pauseMs, undefined, { signal: options?.signal });
    }
  };
}

interface Failure {
  readonly error: Error;
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;
}

async function tryOnce(
  client: ClientOptions,
  { method, path, query, body, headers, options }: Request,
  key: string | undefined,
): Promise<Answer | Failure> {
  const { baseUrl, apiKey, timeoutMs = 60_000, fetch = globalThis.fetch } = client;
  const deadline = AbortSignal.timeout(timeoutMs);
  const given = options?.signal;
  given?.throwIfAborted();
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}${path}${textOf(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: given === undefined ? deadline : AbortSignal.any([given, deadline]),
      redirect: "error",
    });
    const text = await response.text();
    const told = parse(text);
    if (response.ok || response.status === 304) {
      return { status: response.status, headers: response.headers, body: told };
    }
    const error = errorOf(response, told);
    const isPassing = passingStatuses.has(error.status) || error.code === "idempotency_in_progress";
    return { error, isPassing, retryAfterMs: error.retryAfterMs };
  } catch (cause) {
    given?.throwIfAborted();
    const error = new VaultConnectionError(cause, key);
    return { error, isPassing: true, retryAfterMs: undefined };
  }
}

function textOf(query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of value === undefined ? [] : [value].flat()) {
      parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Undefined for what is not JSON: a proxy before the service answers in words of its own. */
function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf({ status, headers }: Response, body: unknown): VaultApiError {
  const told = (body as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const { code, message, request_id: requestId, details } = told;
  return new VaultApiError(
    typeof message === "string" ? message : `The answer was ${status} and had no error of the API.`,
    {
      code: typeof code === "string" ? code : "unknown",
      status,
      requestId: typeof requestId === "string" ? requestId : undefined,
      details: Array.isArray(details) ? (details as ErrorDetail[]) : [],
      retryAfterMs: retryAfterMs(headers),
    },
  );
}

/** The service says seconds; a proxy may say a date (RFC 9110, section 10.2.3). */
function retryAfterMs(headers: Headers): number | undefined {
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  if (/^\d{1,6}$/.test(given)) return Number(given) * 1_000;
  const at = Date.parse(given);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
