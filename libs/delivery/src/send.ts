import { attemptTimeoutSeconds } from "@cardvault/contract";
import { standardSignatureSecrets, vaultSignatureSecret } from "@cardvault/domain";
import { checkReceiverUrl } from "@cardvault/kit";
import type { Clock, GuardedClient, GuardedResult, GuardedTimings } from "@cardvault/kit";
import type { ClaimedDelivery } from "./claim.ts";
import { deliveryHeaders } from "./request.ts";
import { retryAfterSeconds, shownHeaders } from "./response.ts";
import type { SecretCache } from "./secret-cache.ts";

/** One attempt, as the log keeps it. */
export interface AttemptRecord {
  readonly startedAt: Date;
  /** Null where no status line came. */
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly timings: Omit<GuardedTimings, "reusedConnection">;
  readonly responseHeaders: Record<string, string> | null;
  readonly responseBody: Buffer | null;
  readonly responseTruncated: boolean;
  readonly retryAfterSeconds: number | null;
  /** For the log of the service only. */
  readonly cause: Error | null;
}

export interface SenderOptions {
  readonly clock: Clock;
  readonly secrets: SecretCache;
  readonly client: GuardedClient;
  /**
   * Reaches `http://127.0.0.1:<port>`, for test accounts. Only the local start has one: where it is
   * missing such an address is refused, whatever the account.
   */
  readonly loopbackClient?: GuardedClient | undefined;
  readonly allowedPorts?: readonly number[] | undefined;
  readonly timeoutMs?: number | undefined;
}

const maxResponseBytes = 16 * 1024;
const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };

/** What sending needs to know; a test event is as good as a delivery. */
export type Sendable = Pick<
  ClaimedDelivery,
  "eventId" | "endpointId" | "environment" | "url" | "body" | "secrets"
>;

/** Signs and posts a claimed delivery. What the receiver does wrong is a record, never a throw. */
export async function send(delivery: Sendable, options: SenderOptions): Promise<AttemptRecord> {
  const startedAt = options.clock.now();
  return post(delivery, signedHeaders(delivery, options.secrets, startedAt), startedAt, options);
}

/** All headers of ours, signed for this moment. */
export function signedHeaders(
  delivery: Sendable,
  secrets: SecretCache,
  at: Date,
): Record<string, string> {
  const open = (sealed: string): string => secrets.open(sealed, delivery.endpointId);
  return deliveryHeaders({
    eventId: delivery.eventId,
    body: delivery.body,
    secret: open(vaultSignatureSecret(delivery.secrets, at)),
    standardSecrets: standardSignatureSecrets(delivery.secrets, at).map(open),
    at,
  });
}

/** Posts what is signed. */
export async function post(
  delivery: Sendable,
  headers: Record<string, string>,
  startedAt: Date,
  options: SenderOptions,
): Promise<AttemptRecord> {
  const client = clientFor(delivery, options);
  if (client === undefined) return refused(startedAt);
  const result = await client.send({
    method: "POST",
    url: delivery.url,
    headers,
    body: delivery.body,
    timeoutMs: options.timeoutMs ?? attemptTimeoutSeconds * 1_000,
    maxResponseBytes,
  });
  return recordOf(result, startedAt, options.clock.now());
}

/** The URL is judged again at every send: rules may have become stricter since it was registered. */
function clientFor(
  { url, environment }: Sendable,
  { client, loopbackClient, allowedPorts }: SenderOptions,
): GuardedClient | undefined {
  if (checkReceiverUrl(url, { allowedPorts }).ok) return client;
  const mayLoop = environment === "test" && loopbackClient !== undefined;
  return mayLoop && checkReceiverUrl(url, { allowLoopback: true, allowedPorts }).ok
    ? loopbackClient
    : undefined;
}

function refused(startedAt: Date): AttemptRecord {
  return {
    startedAt,
    statusCode: null,
    errorCode: "url_refused",
    timings: noTimings,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    retryAfterSeconds: null,
    cause: null,
  };
}

function recordOf(result: GuardedResult, startedAt: Date, endedAt: Date): AttemptRecord {
  const { timings } = result;
  if (!result.ok) {
    return { ...refused(startedAt), errorCode: result.errorCode, timings, cause: result.cause };
  }
  return {
    startedAt,
    statusCode: result.status,
    errorCode: null,
    timings,
    responseHeaders: shownHeaders(result.headers),
    responseBody: result.body,
    responseTruncated: result.truncated,
    retryAfterSeconds: retryAfterSeconds(result.headers, endedAt),
    cause: null,
  };
}
