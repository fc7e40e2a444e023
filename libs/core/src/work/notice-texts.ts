import type { CheckedEndpoint, NewNotice } from "@cardvault/db";
import type { EndpointRecord, HealthStep } from "@cardvault/domain";

type Warning = Extract<HealthStep, { type: "warn" }>;

/** Every attempt has failed for some days. Told once for each of the days, and each run of failures. */
export function failingNotice(
  { id, accountId, url }: CheckedEndpoint,
  { failingSince }: EndpointRecord,
  { day, disablesAt }: Warning,
): NewNotice {
  const since = failingSince?.toISOString() ?? "";
  const span = day === 1 ? "a day" : `${day} days`;
  return {
    accountId,
    kind: "endpoint_failing",
    endpointId: id,
    message:
      `Every attempt to deliver to ${url} has failed for ${span}. After five days of failures the ` +
      "endpoint is disabled, and what is still to be delivered to it is dropped.",
    details: { day, failing_since: since, disables_at: disablesAt.toISOString() },
    onceKey: `endpoint_failing:${id}:${since}:${day}`,
  };
}

/** It was disabled without anybody's doing. */
export function disabledNotice(endpoint: {
  id: string;
  accountId: string;
  url: string;
  reason: "failing" | "gone";
  disabledAt: Date;
  dropped: number;
}): NewNotice {
  const { id, accountId, url, reason, disabledAt, dropped } = endpoint;
  const why =
    reason === "gone"
      ? "answered 410 Gone until an event was dropped"
      : "has failed every attempt for five days";
  return {
    accountId,
    kind: "endpoint_disabled",
    endpointId: id,
    message:
      `The endpoint ${url} ${why}, and has been disabled. ` +
      (dropped === 1
        ? "1 event that was still to be delivered to it was dropped. "
        : `${dropped} events that were still to be delivered to it were dropped. `) +
      "Enable it again to redeliver.",
    details: { reason, dropped, disabled_at: disabledAt.toISOString() },
    onceKey: `endpoint_disabled:${id}:${disabledAt.toISOString()}`,
  };
}

/** Events were given up since the account was told last. */
export function droppedNotice(endpoint: CheckedEndpoint, now: Date): NewNotice {
  const { id, accountId, url, untoldDrops: count, firstUntoldDropAt } = endpoint;
  const events = count === 1 ? "1 event" : `${count} events`;
  return {
    accountId,
    kind: "events_dropped",
    endpointId: id,
    message: `${events} could not be delivered to ${url} and ${count === 1 ? "was" : "were"} dropped.`,
    details: {
      count,
      since: firstUntoldDropAt?.toISOString() ?? null,
      until: now.toISOString(),
    },
    onceKey: `events_dropped:${id}:${now.toISOString()}`,
  };
}
