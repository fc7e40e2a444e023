import {
  deliveryDeadlineSeconds,
  retryAfterCapSeconds,
  VaultError,
  waitsSeconds,
} from "@cardvault/contract";
import type { DeliveryStatus } from "@cardvault/contract";
import { outcomeOf } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { requireRow } from "../table.ts";
import { deliveryMoves, isUndelivered, maxClaimsWithoutAttempt } from "./state.ts";
import type { DeliveryMove, DeliveryState, DeliveryTrigger } from "./state.ts";

/** The first attempt and a retry after each wait. */
export const maxAttempts = waitsSeconds.length + 1;

/** How an attempt ended. Only a 2xx status is a success; a redirect or a timeout is a failure. */
export type AttemptOutcome = {
  /** Null where no status line came within the time. */
  statusCode: number | null;
  /** What the answer's `Retry-After` asks for. */
  retryAfterSeconds?: number | null | undefined;
};

/** `disablesEndpoint`: the event was dropped and its last answer was 410 Gone. */
export type DeliveryOutcome = Outcome<DeliveryState> & { disablesEndpoint: boolean };

/** A new generation, due at once. */
export function newDelivery(generation: number, now: Date): DeliveryState {
  return {
    status: "pending",
    generation,
    createdAt: now,
    attempts: 0,
    nextAttemptAt: now,
    leaseUntil: null,
    claims: 0,
    lastStatusCode: null,
    dropReason: null,
    endedAt: null,
    dismissedAt: null,
  };
}

/** From when on an undelivered delivery is dropped, whatever is left. */
export function deadlineOf(delivery: Pick<DeliveryState, "createdAt">): Date {
  return after(delivery.createdAt, deliveryDeadlineSeconds);
}

/**
 * The wait after a failed attempt, in seconds: that of the spec (section 6), never shorter, which
 * `Retry-After` lengthens by at most ten minutes.
 * @param attempts how many were made, 1..6
 */
export function waitAfter(attempts: number, retryAfterSeconds?: number | null): number {
  const wait = waitsSeconds[attempts - 1];
  if (wait === undefined) {
    throw new VaultError("invalid_transition", {
      message: "There is no retry after this attempt.",
    });
  }
  const asked = Number.isFinite(retryAfterSeconds) ? (retryAfterSeconds ?? 0) : 0;
  return Math.max(wait, Math.min(asked, wait + retryAfterCapSeconds));
}

/**
 * What becomes of a delivery by an attempt.
 * @param now the END of the attempt, from which the next wait counts
 * @throws VaultError `invalid_transition` for a delivery that has ended meanwhile
 */
export function recordAttempt(
  delivery: DeliveryState,
  outcome: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  const { statusCode } = outcome;
  const attempted: DeliveryState = {
    ...delivery,
    attempts: delivery.attempts + 1,
    lastStatusCode: statusCode,
    leaseUntil: null,
    claims: 0,
  };
  if (statusCode !== null && statusCode >= 200 && statusCode <= 299) {
    return finish(delivery, end(attempted, "delivered", "answered_2xx", now));
  }
  if (attempted.attempts >= maxAttempts) {
    return finish(delivery, end(attempted, "dropped", "last_attempt_failed", now));
  }
  if (now >= deadlineOf(delivery)) {
    return finish(delivery, end(attempted, "dropped", "deadline_passed", now));
  }
  requireMove(delivery, "retrying", "failed");
  const next = after(now, waitAfter(attempted.attempts, outcome.retryAfterSeconds));
  return finish(delivery, {
    ...attempted,
    status: "retrying",
    nextAttemptAt: earlier(next, deadlineOf(delivery)),
  });
}

/**
 * When a delivery is dropped if every attempt still to come fails at once: the next attempt and the
 * waits after it, or its deadline where that comes before.
 */
export function expectedDrop(attempts: number, nextAttemptAt: Date, deadlineAt: Date): Date {
  const waits = waitsSeconds.slice(attempts).reduce((sum, wait) => sum + wait, 0);
  return earlier(after(nextAttemptAt, waits), deadlineAt);
}

/** Whether the claimer may send now, or when to look again; `dropped` and `ended` need no more. */
export type Claim =
  | { type: "send"; leaseUntil: Date }
  | { type: "look_again"; at: Date }
  | { type: "dropped" }
  | { type: "ended" };

/**
 * Takes a delivery for one attempt, for as long as the lease. At the deadline, and after too many
 * claims without a recorded attempt, it is dropped instead.
 */
export function claimDelivery(
  delivery: DeliveryState,
  leaseMs: number,
  now: Date,
): DeliveryOutcome & { claim: Claim } {
  if (!isUndelivered(delivery) || delivery.nextAttemptAt === null) {
    return { ...finish(delivery, delivery), claim: { type: "ended" } };
  }
  if (delivery.leaseUntil !== null && delivery.leaseUntil > now) {
    return {
      ...finish(delivery, delivery),
      claim: { type: "look_again", at: delivery.leaseUntil },
    };
  }
  if (now >= deadlineOf(delivery)) {
    const dropped = end(delivery, "dropped", "deadline_passed", now);
    return { ...finish(delivery, dropped), claim: { type: "dropped" } };
  }
  if (delivery.nextAttemptAt > now) {
    return {
      ...finish(delivery, delivery),
      claim: { type: "look_again", at: delivery.nextAttemptAt },
    };
  }
  if (delivery.claims >= maxClaimsWithoutAttempt) {
    const dropped = end(delivery, "dropped", "claimed_too_often", now);
    return { ...finish(delivery, dropped), claim: { type: "dropped" } };
  }
  const leaseUntil = new Date(now.getTime() + leaseMs);
  return {
    ...finish(delivery, { ...delivery, leaseUntil, claims: delivery.claims + 1 }),
    claim: { type: "send", leaseUntil },
  };
}

/**
 * The endpoint's cap or breaker puts an attempt off: that spends neither an attempt nor a claim,
 * and does not move the deadline.
 */
export function deferDelivery(delivery: DeliveryState, until: Date): DeliveryOutcome {
  requireUndelivered(delivery);
  const wanted = delivery.nextAttemptAt === null ? until : later(until, delivery.nextAttemptAt);
  return finish(delivery, {
    ...delivery,
    nextAttemptAt: earlier(wanted, deadlineOf(delivery)),
    leaseUntil: null,
    claims: Math.max(0, delivery.claims - (delivery.leaseUntil === null ? 0 : 1)),
  });
}

/** Drops what is undelivered, because its endpoint was disabled or removed; others stay as they are. */
export function dropForEndpoint(
  delivery: DeliveryState,
  by: "endpoint_disabled" | "endpoint_removed",
  now: Date,
): DeliveryOutcome {
  const state = isUndelivered(delivery) ? end(delivery, "dropped", by, now) : delivery;
  return { ...finish(delivery, state), disablesEndpoint: false };
}

/** Puts a dropped delivery aside; doing so again changes nothing. */
export function dismissDelivery(delivery: DeliveryState, now: Date): DeliveryOutcome {
  if (delivery.status !== "dropped") {
    throw new VaultError("invalid_transition", {
      message: `Only a dropped delivery can be dismissed; this one is ${delivery.status}.`,
    });
  }
  return {
    ...finish(delivery, { ...delivery, dismissedAt: delivery.dismissedAt ?? now }),
    disablesEndpoint: false,
  };
}

/** Ends a delivery: every end has its row, and every drop its reason. */
export function end(
  delivery: DeliveryState,
  status: DeliveryStatus,
  by: DeliveryTrigger,
  now: Date,
): DeliveryState {
  const { reason } = requireMove(delivery, status, by);
  return {
    ...delivery,
    status,
    dropReason: reason,
    endedAt: now,
    nextAttemptAt: null,
    leaseUntil: null,
  };
}

function requireMove(
  delivery: DeliveryState,
  to: DeliveryStatus,
  by: DeliveryTrigger,
): DeliveryMove {
  return requireRow<DeliveryStatus, DeliveryTrigger, DeliveryMove>(
    "delivery",
    deliveryMoves,
    delivery.status,
    to,
    by,
  );
}

function requireUndelivered(delivery: DeliveryState): void {
  if (isUndelivered(delivery)) return;
  throw new VaultError("invalid_transition", { message: `The delivery is ${delivery.status}.` });
}

function finish(before: DeliveryState, state: DeliveryState): DeliveryOutcome {
  const isDropped = before.status !== "dropped" && state.status === "dropped";
  return {
    ...outcomeOf(before, state),
    disablesEndpoint: isDropped && state.lastStatusCode === 410,
  };
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
