import { connect as connectTcp, isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { isPublicAddress } from "./addresses.ts";
import type { AddressResolver } from "./resolver.ts";

/** Why no answer came. */
export const guardedErrorCodes = [
  /** The URL has a scheme, a port or user information that is not allowed. */
  "url_refused",
  /** The host is, or resolves to, an address that is not on the public internet. */
  "address_refused",
  "dns_failed",
  "connect_failed",
  "tls_failed",
  /** The deadline over all of it passed. */
  "timeout",
  /** The connection ended before the answer's headers had come. */
  "connection_closed",
  /** What came is not HTTP, or its headers are too large. */
  "invalid_response",
  /** The caller gave up. */
  "aborted",
] as const;
export type GuardedErrorCode = (typeof guardedErrorCodes)[number];

export class GuardedError extends Error {
  override readonly name = "GuardedError";
  readonly errorCode: GuardedErrorCode;

  constructor(errorCode: GuardedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.errorCode = errorCode;
  }
}

/**
 * Whether an address that is not public may be reached nevertheless, at this port, for this origin
 * (`http://127.0.0.1:4000`). It also lifts the rules for scheme and port there.
 */
export type AllowAddress = (address: string, port: number, origin: string) => boolean;

export interface ConnectorOptions {
  resolver: AddressResolver;
  allowedPorts: readonly number[];
  allowAddress: AllowAddress;
  /** Certificate authorities to trust instead of the usual ones, in PEM. */
  ca?: string | readonly string[] | undefined;
  connectTimeoutMs: number;
}

/** One way from a name to a usable connection: how long each part took, and a means to give it up. */
export class ConnectAttempt {
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(() => {
      this.giveUp(new GuardedError("timeout", "Connecting took too long."));
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends it with that error, unless it has ended. */
  giveUp(error: GuardedError): void {
    this.#controller.abort(error);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Connects to what the attempt's origin resolves to, if all of that is allowed. undici's own
 * connector cannot be used: its `lookup` is never called for a literal address.
 */
export async function connectGuarded(
  target: buildConnector.Options,
  attempt: ConnectAttempt,
  options: ConnectorOptions,
): Promise<Socket> {
  const isTls = target.protocol === "https:";
  // undici has taken the brackets off an IPv6 literal.
  const { hostname } = target;
  const port = target.port === "" ? (isTls ? 443 : 80) : Number(target.port);
  const origin = `${target.protocol}//${target.host ?? hostname}`;
  const isAllowed = (address: string): boolean => {
    if (options.allowAddress(address, port, origin)) return true;
    if (!isPublicAddress(address)) return false;
    if (isTls && options.allowedPorts.includes(port)) return true;
    throw new GuardedError(
      "url_refused",
      `Only https at the ports ${options.allowedPorts.join(", ")}.`,
    );
  };

  const dnsStarted = performance.now();
  const addresses = isIP(hostname) === 0 ? await resolve(hostname, attempt, options) : [hostname];
  attempt.dnsMs = performance.now() - dnsStarted;
  if (addresses.length === 0) throw new GuardedError("dns_failed", "The name has no address.");
  // One forbidden address among good ones is no mistake of a well-meaning receiver.
  if (!addresses.every(isAllowed)) throw addressRefused();

  const connectStarted = performance.now();
  const socket = await openTcp(hostname, port, addresses, attempt);
  attempt.connectMs = performance.now() - connectStarted;
  // The check that counts: whatever happened to names before, this is where the bytes would go.
  // Closed again already, it has no address any more.
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !isAllowed(remoteAddress)) {
    socket.destroy();
    throw remoteAddress === undefined
      ? new GuardedError("connect_failed", "The connection was closed.")
      : addressRefused();
  }
  if (!isTls) return socket;

  const tlsStarted = performance.now();
  const secure = await openTls(socket, hostname, attempt, options.ca);
  attempt.tlsMs = performance.now() - tlsStarted;
  return secure;
}

function addressRefused(): GuardedError {
  return new GuardedError("address_refused", "The address is not on the public internet.");
}

function resolve(
  hostname: string,
  attempt: ConnectAttempt,
  { resolver }: ConnectorOptions,
): Promise<readonly string[]> {
  // The resolver may have nothing to cancel with; its late answer is then dropped.
  return untilGivenUp(attempt, async () => {
    try {
      return await resolver.resolve(hostname);
    } catch (error) {
      throw new GuardedError("dns_failed", "The name does not resolve.", { cause: error });
    }
  });
}

function untilGivenUp<T>(attempt: ConnectAttempt, work: () => Promise<T>): Promise<T> {
  const { signal } = attempt;
  return new Promise((succeed, fail) => {
    const onAbort = (): void => fail(signal.reason as GuardedError);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .then(succeed, fail)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function openTcp(
  hostname: string,
  port: number,
  addresses: readonly string[],
  attempt: ConnectAttempt,
): Promise<Socket> {
  // The name is not resolved again: the connection is made to the very addresses that were checked,
  // one after the other until one answers (RFC 8305).
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = found;
    if (all === true || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };
  const socket = connectTcp({
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    noDelay: true,
  });
  return untilEvent(socket, "connect", "connect_failed", attempt);
}

function openTls(
  socket: Socket,
  hostname: string,
  attempt: ConnectAttempt,
  ca: string | readonly string[] | undefined,
): Promise<Socket> {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const secure = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    // Said, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
  return untilEvent(secure, "secureConnect", "tls_failed", attempt);
}

function untilEvent(
  socket: Socket,
  event: "connect" | "secureConnect",
  errorCode: GuardedErrorCode,
  { signal }: ConnectAttempt,
): Promise<Socket> {
  return new Promise((succeed, fail) => {
    const stop = (): void => {
      socket.off(event, onReady).off("error", onError).off("close", onClose);
      signal.removeEventListener("abort", onAbort);
    };
    const giveUp = (error: GuardedError): void => {
      stop();
      // A late error of a socket that nobody waits for must not end the process.
      socket.on("error", () => undefined).destroy();
      fail(error);
    };
    const onReady = (): void => {
      stop();
      succeed(socket);
    };
    const onError = (error: Error): void => {
      giveUp(new GuardedError(errorCode, error.message, { cause: error }));
    };
    const onClose = (): void => giveUp(new GuardedError(errorCode, "The connection was closed."));
    const onAbort = (): void => giveUp(signal.reason as GuardedError);
    socket.once(event, onReady).once("error", onError).once("close", onClose);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
