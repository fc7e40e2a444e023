import type { DeliveryStatus, DropReason } from "@cardvault/contract";
import type { TransitionRow } from "../table.ts";

/** One event to one endpoint, in one generation. */
export type DeliveryState = {
  status: DeliveryStatus;
  /** 1, and one more for each redelivery. */
  generation: number;
  /** When this generation was made: the deadline counts from here. */
  createdAt: Date;
  /** Attempts made and recorded, 0..7. */
  attempts: number;
  /** Null once it has ended. */
  nextAttemptAt: Date | null;
  /** An attempt is in flight until then, unless it is recorded before. */
  leaseUntil: Date | null;
  /** Claims since an attempt was last recorded. */
  claims: number;
  /** Of the last attempt; null where the endpoint did not answer. */
  lastStatusCode: number | null;
  dropReason: DropReason | null;
  /** When it was delivered, dropped or cancelled. */
  endedAt: Date | null;
  /** A dropped delivery that somebody has seen and put aside. */
  dismissedAt: Date | null;
};

export type DeliveryTrigger =
  | "answered_2xx"
  | "failed"
  | "last_attempt_failed"
  | "deadline_passed"
  | "endpoint_disabled"
  | "endpoint_removed"
  | "claimed_too_often"
  | "newer_generation";

/** `reason`: with which a delivery is dropped. What no row names is `invalid_transition`. */
export type DeliveryMove = TransitionRow<DeliveryStatus, DeliveryTrigger> & {
  reason: DropReason | null;
};

const undelivered = ["pending", "retrying"] as const;

// oxfmt-ignore
export const deliveryMoves: readonly DeliveryMove[] = [
  { from: undelivered, to: ["delivered"], by: "answered_2xx", reason: null },
  { from: undelivered, to: ["retrying"], by: "failed", reason: null },
  { from: undelivered, to: ["dropped"], by: "last_attempt_failed", reason: "attempts_exhausted" },
  { from: undelivered, to: ["dropped"], by: "deadline_passed", reason: "deadline" },
  { from: undelivered, to: ["dropped"], by: "endpoint_disabled", reason: "endpoint_disabled" },
  { from: undelivered, to: ["dropped"], by: "endpoint_removed", reason: "endpoint_removed" },
  { from: undelivered, to: ["dropped"], by: "claimed_too_often", reason: "internal" },
  { from: undelivered, to: ["cancelled"], by: "newer_generation", reason: null },
];

/**
 * Claims that end in no recorded attempt are crashes. After this many in a row the delivery
 * itself is what kills the worker, so it is dropped where everybody sees it.
 */
export const maxClaimsWithoutAttempt = 10;

/** Whether it is still to be delivered. */
export function isUndelivered({ status }: Pick<DeliveryState, "status">): boolean {
  return status === "pending" || status === "retrying";
}

/** Whether the dashboard counts it among the dropped: those of removed endpoints are only listed. */
export function isCountedAsDropped(
  delivery: Pick<DeliveryState, "status" | "dropReason" | "dismissedAt">,
): boolean {
  return (
    delivery.status === "dropped" &&
    delivery.dropReason !== "endpoint_removed" &&
    delivery.dismissedAt === null
  );
}
