import type { LimitClass } from "@cardvault/contract";

/** The window of every limit (spec, section 8: requests per minute). */
export const windowMs = 60_000;

export interface TakeInput {
  /** Whose window: a token and class, a client's address, a user. */
  key: string;
  /** The most that the window lets through, at least 1. */
  limit: number;
  now: Date;
}

/** What one request is told about its window. */
export interface Taken {
  allowed: boolean;
  limit: number;
  /** What the window still lets through after this request. */
  remaining: number;
  /** Unix second at which the oldest counted request leaves the window. */
  resetAt: number;
  /** Seconds until a request would be let through, at least 1. Only of use where it is refused. */
  retryAfterSeconds: number;
}

/**
 * An exact sliding window: in no span of 60 s does it let more than `limit` requests of a key
 * through. A refused request is not counted. Both stores pass the same tests.
 */
export interface Limiter {
  take(input: TakeInput): Taken | Promise<Taken>;
  /** How many requests of each key stand in its window now, in the keys' order. Counts none itself. */
  counted(keys: readonly string[], now: Date): number[] | Promise<number[]>;
  /** Waits for what is under way in the background. */
  close(): Promise<void>;
}

/** Whose window a token's requests of a class stand in. */
export function tokenWindow(keyId: string, limitClass: LimitClass): string {
  return `token:${keyId}:${limitClass}`;
}

/** Where keys beyond a store's bound go: they share these windows, and no other is forgotten for them. */
const sharedWindows = 64;

/** The shared window of a key for which a full table has no row left. */
export function sharedKey(key: string): string {
  let sum = 0;
  for (let i = 0; i < key.length; i += 1) sum = (Math.imul(sum, 31) + key.charCodeAt(i)) >>> 0;
  return `shared:${sum % sharedWindows}`;
}

/**
 * @param oldest when the oldest counted request came, in milliseconds
 * @param decisive when the request came whose leaving makes room: the oldest one too, but where the
 *   limit was lowered below what has been counted
 */
export function takenOf(
  allowed: boolean,
  limit: number,
  counted: number,
  oldest: number,
  decisive: number,
  now: number,
): Taken {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - counted),
    resetAt: Math.ceil((oldest + windowMs) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((decisive + windowMs - now) / 1000)),
  };
}
