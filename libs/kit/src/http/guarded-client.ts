import type { Socket } from "node:net";
import { Pool } from "undici";
import type { buildConnector } from "undici";
import { ConnectAttempt, connectGuarded, GuardedError } from "./connector.ts";
import type { AllowAddress } from "./connector.ts";
import { Exchange } from "./exchange.ts";
import type { GuardedResult } from "./exchange.ts";
import { createDnsResolver } from "./resolver.ts";
import type { AddressResolver } from "./resolver.ts";
import { traced } from "../tracing/trace.ts";
import type { Span } from "../tracing/trace.ts";

export interface GuardedClientOptions {
  /** Which addresses that are not public may be reached; none unless told. Never read from the environment. */
  allowAddress?: AllowAddress | undefined;
  /** Asks the machine's name servers unless told. */
  resolver?: AddressResolver | undefined;
  /** All allowed ports; 443 alone unless told. */
  allowedPorts?: readonly number[] | undefined;
  tls?: { ca?: string | readonly string[] | undefined } | undefined;
  /** How long a connection is kept without a request; 4 s unless told: most servers close after 5. Where a receiver says `Keep-Alive: timeout`, that counts, up to 30 s. */
  keepAliveMs?: number | undefined;
  /** How many connections to one origin at most; 64 unless told. More requests wait, under their deadline. */
  maxSocketsPerOrigin?: number | undefined;
  /** Above so many open connections the longest unused idle ones are closed; 512 unless told. */
  maxSockets?: number | undefined;
}

export interface GuardedRequest {
  method: "GET" | "POST";
  url: string;
  /** `host`, `connection`, `content-length` and `accept-encoding` are set here and nowhere else. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | Uint8Array | undefined;
  /** Over name resolution, connecting, TLS, headers and body together. */
  timeoutMs: number;
  /** Of the body; what comes beyond is cut off. */
  maxResponseBytes: number;
  signal?: AbortSignal | undefined;
}

export interface GuardedClient {
  /**
   * Sends one request and follows no redirect. What the other side does wrong is a result; only a
   * mistake of the caller (a header that cannot be written) is thrown.
   */
  send(request: GuardedRequest): Promise<GuardedResult>;
  /** How many connections are open now. */
  openSockets(): number;
  /** Waits for the requests under way, then closes every connection. */
  close(): Promise<void>;
}

const maxConnectMs = 30_000;
const maxKeepAliveMs = 30_000;
const ownHeaders = new Set(["host", "connection", "content-length", "accept-encoding"]);

/**
 * A client for addresses that strangers choose: it reaches the public internet only, by TLS that is
 * always verified, and neither a proxy nor the process's global dispatcher is ever asked.
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const connectorOptions = {
    resolver: options.resolver ?? createDnsResolver(),
    allowedPorts: options.allowedPorts ?? [443],
    allowAddress: options.allowAddress ?? (() => false),
    ca: options.tls?.ca,
    connectTimeoutMs: maxConnectMs,
  };
  const maxSockets = options.maxSockets ?? 512;
  /** One pool an origin, the longest unused first. */
  const pools = new Map<string, Pool>();
  const running = new Set<Exchange>();
  let openSockets = 0;
  let isClosed = false;
  // undici gives a connector no request, and a request no connection. Both calls are synchronous,
  // though: a pool that needs a connection asks for it within dispatch, and a new connection's first
  // request starts within the connector's callback.
  let dispatching: Exchange | undefined;
  let handedOver: ConnectAttempt | undefined;

  const open = async (
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): Promise<void> => {
    const attempt = new ConnectAttempt(connectorOptions.connectTimeoutMs);
    if (dispatching !== undefined) dispatching.attempt ??= attempt;
    let socket: Socket;
    try {
      socket = await connectGuarded(target, attempt, connectorOptions);
    } catch (error) {
      callback(error as Error, null);
      return;
    } finally {
      attempt.end();
    }
    openSockets += 1;
    socket.once("close", () => (openSockets -= 1));
    handedOver = attempt;
    callback(null, socket);
    handedOver = undefined;
    closeIdlePools(pools, () => openSockets > maxSockets);
  };
  const connect: buildConnector.connector = (target, callback) => void open(target, callback);

  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin);
    const pool = known ?? openPool(origin, options, connect, pools);
    if (known !== undefined) pools.delete(origin);
    pools.set(origin, pool);
    return pool;
  };

  const send = (request: GuardedRequest): Promise<GuardedResult> => {
    if (isClosed) return Promise.reject(new Error("The guarded client is closed."));
    const exchange = new Exchange({
      ...request,
      takeFreshAttempt: () => {
        const attempt = handedOver;
        handedOver = undefined;
        return attempt;
      },
      onEnd: (ended) => void running.delete(ended),
    });
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    if (url === undefined || !isPlain(url)) {
      exchange.fail(new GuardedError("url_refused", "The URL is not allowed."));
    }
    if (url === undefined || exchange.ended) return exchange.result;
    running.add(exchange);
    dispatching = exchange;
    poolOf(url.origin).dispatch(
      {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: headersOf(request),
        body: request.body ?? null,
      },
      exchange,
    );
    dispatching = undefined;
    return exchange.result;
  };

  return {
    send: (request) =>
      traced(request.method, { kind: "client" }, (span) =>
        span === null ? send(request) : tellResult(span, request, send(request)),
      ),
    openSockets: () => openSockets,
    close: async () => {
      isClosed = true;
      await Promise.allSettled([...running].map((exchange) => exchange.result));
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** Of the address the host alone: what follows it is the receiver's business, and may be a secret. */
async function tellResult(
  span: Span,
  { method, url }: GuardedRequest,
  sent: Promise<GuardedResult>,
): Promise<GuardedResult> {
  const host = URL.canParse(url) ? new URL(url).hostname : undefined;
  span.add({ "http.request.method": method, "server.address": host });
  const result = await sent;
  const { dnsMs, connectMs, tlsMs, firstByteMs, reusedConnection } = result.timings;
  span.add({
    "vault.dns_ms": dnsMs,
    "vault.connect_ms": connectMs,
    "vault.tls_ms": tlsMs,
    "vault.first_byte_ms": firstByteMs,
    "vault.connection_reused": reusedConnection,
  });
  if (!result.ok) span.fail(result.errorCode);
  else {
    span.add({ "http.response.status_code": result.status });
    if (result.status >= 400) span.fail(String(result.status));
  }
  return result;
}

/** Lets the local start and tests reach `http://127.0.0.1:<port>`, written so, and nothing else. */
export const allowLoopback: AllowAddress = (address, _port, origin) =>
  address === "127.0.0.1" && origin.startsWith("http://127.0.0.1:");

function openPool(
  origin: string,
  options: GuardedClientOptions,
  connect: buildConnector.connector,
  pools: Map<string, Pool>,
): Pool {
  const pool = new Pool(origin, {
    connect,
    connections: options.maxSocketsPerOrigin ?? 64,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: options.keepAliveMs ?? 4_000,
    keepAliveMaxTimeout: Math.max(options.keepAliveMs ?? 0, maxKeepAliveMs),
    // The one deadline of an exchange is over all of it; these would be idle timers.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const forgetIfUnused = (): void => {
    queueMicrotask(() => {
      const { connected, size } = pool.stats;
      if (pools.get(origin) !== pool || connected > 0 || size > 0) return;
      pools.delete(origin);
      void pool.destroy();
    });
  };
  pool.on("disconnect", forgetIfUnused).on("connectionError", forgetIfUnused);
  return pool;
}

function closeIdlePools(pools: Map<string, Pool>, isTooMany: () => boolean): void {
  if (!isTooMany()) return;
  for (const [origin, pool] of pools) {
    if (pool.stats.size > 0) continue;
    pools.delete(origin);
    void pool.destroy();
    // Its sockets close in a moment, and are then counted off: one pool a new connection is enough.
    return;
  }
}

function isPlain(url: URL): boolean {
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  return isHttp && url.username === "" && url.password === "";
}

function headersOf({ headers = {} }: GuardedRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  // A compressed answer could be small on the wire and huge in memory.
  return { ...Object.fromEntries(own), "accept-encoding": "identity" };
}
