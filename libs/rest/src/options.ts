import type { Limiter, TokenPrincipal } from "@cardvault/core";
import type { Clock } from "@cardvault/kit";
import type { AnyRouter } from "@trpc/server";

/** What a repeat of a request is answered with: the first one's answer, byte for byte. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One request with an `Idempotency-Key`; the key counts within account, method and path. */
export interface IdempotentRequest {
  accountId: string;
  method: string;
  path: string;
  key: string;
  /** SHA-256 of the body, by which another body under the same key is told. */
  requestHash: Buffer;
}

/** A key that this request holds until the deadline. After it another request may take it over. */
export interface Reservation {
  /** Which attempt holds the key; an answer is written only for the one that still does. */
  owner: string;
}

export type ReserveOutcome<R extends Reservation> =
  | { kind: "reserved"; reservation: R }
  | { kind: "stored"; answer: StoredAnswer }
  | { kind: "reused" }
  | { kind: "running"; retryAfterSeconds: number };

/**
 * Where reservations and answers are kept. `Tx` is the open transaction of the change, in which the
 * answer is written, so that a crash leaves either both or neither.
 */
export interface IdempotencyStore<Tx, R extends Reservation = Reservation> {
  /** Committed before the change begins. */
  reserve(request: IdempotentRequest, now: Date): Promise<ReserveOutcome<R>>;
  /** @throws VaultError `idempotency_in_progress` where another request has taken the key over. */
  recordIn(tx: Tx, reservation: R, answer: StoredAnswer): Promise<void>;
  /** Stores the answer of a request that changed nothing. */
  complete(reservation: R, answer: StoredAnswer): Promise<void>;
  /** Forgets the reservation: what happened depends on the moment, and a repeat may fare better. */
  release(reservation: R): Promise<void>;
}

/** When version 1 ends. Nothing is said about it unless it is configured. */
export interface VersionOneEnd {
  /** Since when it is deprecated (RFC 9745). */
  deprecatedAt: Date;
  /** From when it may be gone (RFC 8594): at least 12 months after (spec, section 9). */
  sunsetAt: Date;
  /** Address of version 2. */
  successorUrl: string;
}

/** What a procedure's context is made of. */
export interface RestCall<Tx> {
  principal: TokenPrincipal;
  requestId: string;
  ifMatch: string | undefined;
  recordAnswer: ((tx: Tx, result: unknown) => Promise<void>) | undefined;
}

export interface RestOptions<Tx, R extends Reservation> {
  router: AnyRouter;
  /** @throws VaultError 401 where the header holds no valid token, 403 for a suspended account. */
  authenticate: (authorization: string | undefined) => Promise<TokenPrincipal>;
  createContext: (call: RestCall<Tx>) => unknown;
  clock: Clock;
  /** Windows of tokens. */
  limiter: Limiter;
  /** Windows of client addresses, for requests without a valid token. */
  addressLimiter: Limiter;
  idempotency: IdempotencyStore<Tx, R>;
  /** Origin of the links to further pages, without a slash at the end. */
  publicUrl: string;
  /** Whether the process is overloaded or closing. */
  isUnavailable?: (() => boolean) | undefined;
  versionOneEnd?: VersionOneEnd | undefined;
}
