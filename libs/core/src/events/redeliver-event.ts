import { delivery, redeliverInput, VaultError } from "@cardvault/contract";
import type { Delivery } from "@cardvault/contract";
import { lockDeliveryPlace, newDeliveryAnswer, workChannel, writeRedelivery } from "@cardvault/db";
import { redeliver } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Sends an event to an endpoint once more: the same id and bytes, in a new generation.
 * @throws VaultError `not_found` for an event or endpoint that the account does not have; `conflict`
 * where the endpoint is removed or disabled, or an attempt is in flight.
 */
export async function redeliverEvent(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Access,
  input: { event_id: string; endpoint_id: string },
): Promise<Delivery> {
  const { event_id: eventId, endpoint_id: endpointId } = input;
  if (!isId("evt", eventId) || !isId("whe", endpointId)) throw new VaultError("not_found");
  return db.transaction(async (tx) => {
    const place = await lockDeliveryPlace(tx, accountId, eventId, endpointId);
    if (place === null) throw new VaultError("not_found");
    const { previous, next } = redeliver(place.latest, place.endpoint, clock.now());
    const ended =
      previous === null || place.latest === null ? null : { ...previous, id: place.latest.id };
    const id = await writeRedelivery(tx, { accountId, eventId, endpointId }, ended, next);
    tx.afterCommit(() => db.notify(workChannel));
    return newDeliveryAnswer(id, { eventId, endpointId, url: place.endpoint.url }, next);
  });
}

export const redeliverEventProcedure = session()
  .input(redeliverInput)
  .output(delivery)
  .mutation(({ ctx, input }) => redeliverEvent(ctx.services, ctx.access, input));
