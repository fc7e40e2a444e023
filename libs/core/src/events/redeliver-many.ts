import { redeliverManyAnswer, redeliverManyInput } from "@cardvault/contract";
import type { Delivery, RedeliverMany } from "@cardvault/contract";
import {
  findDeliveryPlaces,
  lockLatestGenerations,
  lockReceiver,
  newDeliveryAnswer,
  workChannel,
  writeResends,
} from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { planResends } from "./plan-resends.ts";

type Refused = RedeliverMany["refused"];
type Place = { id: string; eventId: string; endpointId: string };

/** Sends the events of the named deliveries again, each endpoint's in one transaction. */
async function redeliverMany(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Access,
  deliveryIds: readonly string[],
): Promise<RedeliverMany> {
  const asked = [...new Set(deliveryIds)];
  const places = await findDeliveryPlaces(
    db,
    accountId,
    asked.filter((id) => isId("dlv", id)),
  );
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const refused: Refused = asked
    .filter((id) => !placeOf.has(id))
    .map((id) => ({
      delivery_id: id,
      code: "not_found",
      message: "There is no such delivery in this account.",
    }));
  const redelivered: Delivery[] = [];
  const byEndpoint = Map.groupBy(
    asked.flatMap((id) => placeOf.get(id) ?? []),
    ({ endpointId }) => endpointId,
  );
  for (const [endpointId, wanted] of byEndpoint) {
    const part = await redeliverAt({ db, clock }, { accountId, endpointId }, wanted);
    redelivered.push(...part.redelivered);
    refused.push(...part.refused);
  }
  return { redelivered, refused };
}

async function redeliverAt(
  { db, clock }: Pick<Services, "db" | "clock">,
  place: { accountId: string; endpointId: string },
  wanted: readonly Place[],
): Promise<RedeliverMany> {
  return db.transaction(async (tx) => {
    const { accountId, endpointId } = place;
    const receiver = await lockReceiver(tx, accountId, endpointId);
    // Two generations of one event are sent once.
    const idOf = new Map(wanted.map(({ eventId, id }) => [eventId, id]));
    const eventIds = [...idOf.keys()];
    const latest = await lockLatestGenerations(tx, place, eventIds);
    const plan = planResends(receiver, eventIds, latest, clock.now());
    const ids = await writeResends(tx, place, plan.resends);
    tx.afterCommit(() => db.notify(workChannel));
    return {
      redelivered: plan.resends.flatMap(({ eventId, next }, index) => {
        const id = ids[index];
        if (id === undefined || receiver === null) return [];
        return [newDeliveryAnswer(id, { eventId, endpointId, url: receiver.url }, next)];
      }),
      refused: plan.refused.map(({ eventId, message }) => ({
        delivery_id: idOf.get(eventId) ?? "",
        code: "conflict" as const,
        message,
      })),
    };
  });
}

export const redeliverManyProcedure = session()
  .input(redeliverManyInput)
  .output(redeliverManyAnswer)
  .mutation(({ ctx, input }) => redeliverMany(ctx.services, ctx.access, input.delivery_ids));
