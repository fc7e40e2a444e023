import type { LimitClass } from "./states.ts";

/** Requests per token and class within {@link requestWindowSeconds} (spec, section 8). */
export const requestLimits: Record<LimitClass, number> = { read: 60, write: 20, ai: 5 };
export const requestWindowSeconds = 60;
/** Requests without a valid token, per client address and window. */
export const addressRequestLimit = 60;

export const maxBodyBytes = 256 * 1024;
export const maxEventBodyBytes = 64 * 1024;
export const maxEndpointsPerAccount = 20;

export const defaultPageSize = 50;
export const maxPageSize = 200;

/** The most ids that `cards.ids` answers at once. */
export const maxListedIds = 100_000;
/** The most cards that a selection names one by one, so that its request stays below {@link maxBodyBytes}. */
export const maxSelectedIds = 5_000;
/** The most anchors that `cards.anchors` answers. */
export const maxAnchors = 2_000;
/** Up to here a list is counted exactly; beyond it is "10,000+", but for what the database keeps count of. */
export const maxExactCount = 10_000;

/** Values of one repeated filter. */
export const maxFilterValues = 50;

export const idempotencyKeyMaxLength = 255;
export const idempotencyKeepSeconds = 24 * 60 * 60;

/** The waits before the six retries (spec, section 6). Each counts from the end of the attempt before. */
export const waitsSeconds = [30, 120, 600, 3_600, 21_600, 86_400] as const;
export const attemptTimeoutSeconds = 10;
/** An undelivered delivery is dropped this long after its generation was made, whatever is left. */
export const deliveryDeadlineSeconds = 48 * 60 * 60;
/** The most by which a receiver's `Retry-After` lengthens a wait. */
export const retryAfterCapSeconds = 10 * 60;
/** How old a signature's time may be at the receiver (spec, section 5). */
export const replayToleranceSeconds = 300;

/** When an old key or signing secret ends after a rotation, and in how many seconds that is. */
export const rotationSeconds = { now: 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;
export type RotationChoice = keyof typeof rotationSeconds;
export const rotationChoices = Object.keys(rotationSeconds) as RotationChoice[];
export const defaultRotation: RotationChoice = "24h";

/** The most dropped deliveries that one call names, to dismiss them or to send them again by a job. */
export const maxDroppedNamed = 5_000;
/** The most deliveries that one call sends again by itself. More is a job. */
export const maxRedelivered = 200;
/** Test events that an account may send within {@link requestWindowSeconds}. */
export const testEventLimit = 10;
/** An endpoint to which every attempt has failed for so long is disabled. */
export const endpointFailureSeconds = 5 * 24 * 60 * 60;

/** Counts of open background work stop there: an operator's page must not read a whole backlog. */
export const workDepthLimit = 10_000;

/** The header by which a session's request names its account. */
export const accountHeader = "X-Vault-Account";
export const signatureHeader = "X-Vault-Signature";
/** On test events only. */
export const testMarkHeader = "X-Vault-Test";
export const standardWebhookHeaders = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;
