import { deliveryDeadlineSeconds, endpointFailureSeconds } from "@cardvault/contract";

/** What is known of an endpoint's attempts. */
export type EndpointRecord = {
  /** The first attempt of the present run of failures; null while the last attempt succeeded. */
  failingSince: Date | null;
  lastFailedAt: Date | null;
  lastDeliveredAt: Date | null;
};

/** What attempts brought since the last look, and maybe some that were looked at before. */
export type NewAttempts = {
  lastDeliveredAt: Date | null;
  /** Of those after `lastDeliveredAt`, or of all where nothing was delivered. */
  firstFailedAt: Date | null;
  lastFailedAt: Date | null;
};

/** What the account is told, or what is done, while an endpoint fails. */
export type HealthStep =
  | { type: "none" }
  /** `day`: how many days of failures are behind it. */
  | { type: "warn"; day: number; disablesAt: Date }
  | { type: "disable" };

export const noAttempts: EndpointRecord = {
  failingSince: null,
  lastFailedAt: null,
  lastDeliveredAt: null,
};

/** The days of failures after which the account is told; at the fifth the endpoint is disabled. */
export const warningDays = [1, 3, 4] as const;

const dayMs = 24 * 60 * 60 * 1_000;
/** The longest that a single delivery is tried: failures further apart say nothing of the time between. */
const longestSilenceMs = deliveryDeadlineSeconds * 1_000;

/** When an endpoint that goes on failing is disabled. */
export function disablesAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + endpointFailureSeconds * 1_000);
}

/**
 * The record with further attempts. One success ends a run of failures; so does a silence longer than
 * any delivery is tried, because an endpoint to which nothing was sent did not fail. Looking at the same
 * attempts again changes nothing.
 */
export function observeAttempts(record: EndpointRecord, found: NewAttempts): EndpointRecord {
  const lastDeliveredAt = latest(record.lastDeliveredAt, found.lastDeliveredAt);
  const lastFailedAt = latest(record.lastFailedAt, found.lastFailedAt);
  return { lastDeliveredAt, lastFailedAt, failingSince: failingSince(record, found) };
}

function failingSince(record: EndpointRecord, found: NewAttempts): Date | null {
  const before = record.failingSince;
  const isEnded =
    before === null || (found.lastDeliveredAt !== null && found.lastDeliveredAt >= before);
  if (isEnded) {
    const first = found.firstFailedAt;
    const isKnown =
      first === null || (record.lastDeliveredAt !== null && first <= record.lastDeliveredAt);
    return isKnown ? null : first;
  }
  const { firstFailedAt } = found;
  if (firstFailedAt === null || record.lastFailedAt === null) return before;
  const silenceMs = firstFailedAt.getTime() - record.lastFailedAt.getTime();
  return silenceMs > longestSilenceMs ? firstFailedAt : before;
}

/**
 * What a run of failures calls for. The run has to span the time: its last failure counts and not the
 * present moment, so that one event that failed is not taken for days of failures.
 */
export function healthStep(record: EndpointRecord): HealthStep {
  const { failingSince: since, lastFailedAt } = record;
  if (since === null || lastFailedAt === null) return { type: "none" };
  const spanMs = lastFailedAt.getTime() - since.getTime();
  if (spanMs >= endpointFailureSeconds * 1_000) return { type: "disable" };
  const day = warningDays.findLast((days) => spanMs >= days * dayMs);
  return day === undefined
    ? { type: "none" }
    : { type: "warn", day, disablesAt: disablesAt(since) };
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
