import { VaultError } from "@cardvault/contract";
import { end, newDelivery } from "./attempts.ts";
import { isUndelivered } from "./state.ts";
import type { DeliveryState } from "./state.ts";

export type EndpointState = { isEnabled: boolean; isRemoved: boolean };

/** The old generation as it is now (null: there was none), and the new one, due at once. */
export type Redelivery = { previous: DeliveryState | null; next: DeliveryState };

/**
 * Sends an event to an endpoint once more: the same event in a new generation. One that is still
 * to be delivered is cancelled; an event that never had one for the endpoint starts at 1.
 * @param latest the endpoint's latest generation of the event
 * @throws VaultError `conflict` where the endpoint is removed or disabled, or an attempt of the
 * latest generation is in flight.
 */
export function redeliver(
  latest: DeliveryState | null,
  endpoint: EndpointState,
  now: Date,
): Redelivery {
  if (endpoint.isRemoved) throw conflict("The endpoint has been removed.");
  if (!endpoint.isEnabled) throw conflict("The endpoint is disabled.");
  if (latest === null) return { previous: null, next: newDelivery(1, now) };
  if (isUndelivered(latest)) {
    if (latest.leaseUntil !== null && latest.leaseUntil > now) {
      throw conflict("An attempt is being made at this moment.");
    }
    return {
      previous: end(latest, "cancelled", "newer_generation", now),
      next: newDelivery(latest.generation + 1, now),
    };
  }
  return { previous: latest, next: newDelivery(latest.generation + 1, now) };
}

function conflict(message: string): VaultError {
  return new VaultError("conflict", { message });
}
