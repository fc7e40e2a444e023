import { VaultError } from "@cardvault/contract";
import type { Resend } from "@cardvault/db";
import { redeliver } from "@cardvault/domain";
import type { DeliveryState, EndpointState } from "@cardvault/domain";

/** What can go out again, and what cannot, with the reason. */
export interface ResendPlan {
  resends: Resend[];
  refused: { eventId: string; message: string }[];
}

/**
 * The rule of a redelivery for many events of one endpoint. One that is refused does not stop the
 * others.
 * @param latest each event's latest generation; an event without one begins at the first
 */
export function planResends(
  endpoint: EndpointState | null,
  eventIds: readonly string[],
  latest: ReadonlyMap<string, DeliveryState & { id: string }>,
  now: Date,
): ResendPlan {
  const plan: ResendPlan = { resends: [], refused: [] };
  const state = endpoint ?? { isEnabled: false, isRemoved: true };
  for (const eventId of eventIds) {
    const before = latest.get(eventId) ?? null;
    try {
      const { previous, next } = redeliver(before, state, now);
      const ended = previous === null || before === null ? null : { ...previous, id: before.id };
      plan.resends.push({ eventId, previous: ended, next });
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== "conflict") throw error;
      plan.refused.push({ eventId, message: error.message });
    }
  }
  return plan;
}
