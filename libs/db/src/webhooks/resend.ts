import { deadlineOf } from "@cardvault/domain";
import type { DeliveryState, EndpointState } from "@cardvault/domain";
import { newId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { deliveryStateColumns, deliveryStateFrom } from "./deliveries.ts";
import type { DeliveryStateRow } from "./deliveries.ts";

/**
 * The endpoint of a resend, locked until the transaction ends: whoever makes a generation holds it.
 * Removed endpoints are found too; null where the account has no such endpoint.
 */
export async function lockReceiver(
  tx: Queryable,
  accountId: string,
  endpointId: string,
): Promise<(EndpointState & { url: string }) | null> {
  const [row] = await tx.query<{ url: string; enabled: boolean; deleted_at: Date | null }>(
    `select url, enabled, deleted_at from webhook_endpoint
     where account_id = $1 and id = $2 for no key update`,
    [toUuid(accountId), toUuid(endpointId)],
    "lock_receiver",
  );
  if (row === undefined) return null;
  return { url: row.url, isEnabled: row.enabled, isRemoved: row.deleted_at !== null };
}

/** The events and endpoints of the named deliveries that the account has. */
export async function findDeliveryPlaces(
  db: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<{ id: string; eventId: string; endpointId: string }[]> {
  const rows = await db.query<{ id: string; event_id: string; endpoint_id: string }>(
    `select id, event_id, endpoint_id from webhook_delivery
     where account_id = $1 and id = any ($2::uuid[])`,
    [toUuid(accountId), deliveryIds.map((id) => toUuid(id))],
    "delivery_places",
  );
  return rows.map((row) => ({
    id: toId("dlv", row.id),
    eventId: toId("evt", row.event_id),
    endpointId: toId("whe", row.endpoint_id),
  }));
}

/** The latest generations of events at an endpoint, locked until the transaction ends. */
export async function lockLatestGenerations(
  tx: Queryable,
  place: { accountId: string; endpointId: string },
  eventIds: readonly string[],
): Promise<Map<string, DeliveryState & { id: string }>> {
  const rows = await tx.query<DeliveryStateRow & { event_id: string }>(
    `select ${deliveryStateColumns}, event_id from webhook_delivery d
     where account_id = $1 and endpoint_id = $2 and event_id = any ($3::uuid[])
       and generation = (select max(g.generation) from webhook_delivery g
         where g.event_id = d.event_id and g.endpoint_id = d.endpoint_id)
     order by id for update`,
    [toUuid(place.accountId), toUuid(place.endpointId), eventIds.map((id) => toUuid(id))],
    "lock_latest_generations",
  );
  return new Map(rows.map((row) => [toId("evt", row.event_id), deliveryStateFrom(row)]));
}

/** One event that goes out again. */
export interface Resend {
  eventId: string;
  /** As it stands after the resend; null where the event never went to this endpoint. */
  previous: (DeliveryState & { id: string }) | null;
  next: DeliveryState;
}

/**
 * As `writeRedelivery`, for many events of one endpoint in two statements.
 * @returns the new deliveries' ids, in the order of the given
 */
export async function writeResends(
  tx: Queryable,
  place: { accountId: string; endpointId: string },
  resends: readonly Resend[],
): Promise<string[]> {
  const ended = resends.flatMap(({ previous, next }) =>
    previous === null ? [] : [{ previous, at: next.createdAt }],
  );
  await tx.query(
    `update webhook_delivery d set status = p.status, next_attempt_at = p.next_attempt_at,
       finished_at = p.finished_at, lease_token = null, lease_until = null,
       dismissed_at = case when d.status = 'dropped' then coalesce(d.dismissed_at, p.at) end
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
       as p (id, status, next_attempt_at, finished_at, at)
     where d.id = p.id`,
    [
      ended.map(({ previous }) => toUuid(previous.id)),
      ended.map(({ previous }) => previous.status),
      ended.map(({ previous }) => previous.nextAttemptAt),
      ended.map(({ previous }) => previous.endedAt),
      ended.map(({ at }) => at),
    ],
    "end_generations",
  );
  const ids = resends.map(() => newId("dlv"));
  await tx.query(
    `insert into webhook_delivery (id, account_id, event_id, endpoint_id, generation, status,
       next_attempt_at, deadline_at, created_at)
     select n.id, $1, n.event_id, $2, n.generation, n.status, n.next_attempt_at, n.deadline_at, n.created_at
     from unnest($3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
       as n (id, event_id, generation, status, next_attempt_at, deadline_at, created_at)`,
    [
      toUuid(place.accountId),
      toUuid(place.endpointId),
      ids.map((id) => toUuid(id)),
      resends.map(({ eventId }) => toUuid(eventId)),
      resends.map(({ next }) => next.generation),
      resends.map(({ next }) => next.status),
      resends.map(({ next }) => next.nextAttemptAt),
      resends.map(({ next }) => deadlineOf(next)),
      resends.map(({ next }) => next.createdAt),
    ],
    "insert_generations",
  );
  return ids;
}
