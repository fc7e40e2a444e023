import type { Delivery, DeliveryStatus, DropReason } from "@cardvault/contract";
import { deadlineOf, expectedDrop } from "@cardvault/domain";
import type { DeliveryState, EndpointState } from "@cardvault/domain";
import { newId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** One event and one endpoint of an account, as a redelivery finds them. */
export interface DeliveryPlace {
  endpoint: EndpointState & { url: string };
  /** The latest generation; null where the event never went to this endpoint. */
  latest: (DeliveryState & { id: string }) | null;
}

export interface DeliveryStateRow {
  id: string;
  status: DeliveryStatus;
  generation: number;
  created_at: Date;
  attempts: number;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  claims: number;
  last_status_code: number | null;
  drop_reason: DropReason | null;
  finished_at: Date | null;
  dismissed_at: Date | null;
}

/** Of `webhook_delivery d`. */
export const deliveryStateColumns = `d.id, d.status, d.generation, d.created_at, d.attempts, d.next_attempt_at,
  d.lease_until, d.claims, d.last_status_code, d.drop_reason, d.finished_at, d.dismissed_at`;

export function deliveryStateFrom(row: DeliveryStateRow): DeliveryState & { id: string } {
  return {
    id: toId("dlv", row.id),
    status: row.status,
    generation: row.generation,
    createdAt: row.created_at,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    leaseUntil: row.lease_until,
    claims: row.claims,
    lastStatusCode: row.last_status_code,
    dropReason: row.drop_reason,
    endedAt: row.finished_at,
    dismissedAt: row.dismissed_at,
  };
}

/**
 * The place of a redelivery, locked until the transaction ends; removed endpoints are found too.
 * Null where the account has no such event or endpoint.
 */
export async function lockDeliveryPlace(
  tx: Queryable,
  accountId: string,
  eventId: string,
  endpointId: string,
): Promise<DeliveryPlace | null> {
  const account = toUuid(accountId);
  const [endpoint] = await tx.query<{ url: string; enabled: boolean; deleted_at: Date | null }>(
    `select url, enabled, deleted_at from webhook_endpoint
     where account_id = $1 and id = $2
       and exists (select 1 from webhook_event where account_id = $1 and id = $3)
     for no key update`,
    [account, toUuid(endpointId), toUuid(eventId)],
  );
  if (endpoint === undefined) return null;
  const [latest] = await tx.query<DeliveryStateRow>(
    `select ${deliveryStateColumns} from webhook_delivery d where account_id = $1 and event_id = $2 and endpoint_id = $3
     order by generation desc limit 1 for update`,
    [account, toUuid(eventId), toUuid(endpointId)],
  );
  const { url, enabled, deleted_at } = endpoint;
  return {
    endpoint: { url, isEnabled: enabled, isRemoved: deleted_at !== null },
    latest: latest === undefined ? null : deliveryStateFrom(latest),
  };
}

/**
 * Ends the generation before (cancelled where it was still to be delivered; a dropped one is put
 * aside, because its successor stands for it) and adds the new one, which the relay takes up.
 * @returns the new delivery's id
 */
export async function writeRedelivery(
  tx: Queryable,
  place: { accountId: string; eventId: string; endpointId: string },
  previous: (DeliveryState & { id: string }) | null,
  next: DeliveryState,
): Promise<string> {
  if (previous !== null) {
    await tx.query(
      `update webhook_delivery set status = $2, next_attempt_at = $3, finished_at = $4,
         lease_token = null, lease_until = null,
         dismissed_at = case when status = 'dropped' then coalesce(dismissed_at, $5) end
       where id = $1`,
      [
        toUuid(previous.id),
        previous.status,
        previous.nextAttemptAt,
        previous.endedAt,
        next.createdAt,
      ],
    );
  }
  const id = newId("dlv");
  await tx.query(
    `insert into webhook_delivery (id, account_id, event_id, endpoint_id, generation, status,
       next_attempt_at, deadline_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      toUuid(id),
      toUuid(place.accountId),
      toUuid(place.eventId),
      toUuid(place.endpointId),
      next.generation,
      next.status,
      next.nextAttemptAt,
      deadlineOf(next),
      next.createdAt,
    ],
  );
  return id;
}

/** What an account sees of a delivery that has just been made. */
export function newDeliveryAnswer(
  id: string,
  place: { eventId: string; endpointId: string; url: string },
  state: DeliveryState,
): Delivery {
  return {
    id,
    event_id: place.eventId,
    endpoint_id: place.endpointId,
    endpoint_url: place.url,
    generation: state.generation,
    status: state.status,
    drop_reason: state.dropReason,
    attempt_count: state.attempts,
    next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
    drops_at:
      state.nextAttemptAt === null
        ? null
        : expectedDrop(state.attempts, state.nextAttemptAt, deadlineOf(state)).toISOString(),
    ended_at: null,
    dismissed_at: null,
    created_at: state.createdAt.toISOString(),
  };
}

/** Puts dropped deliveries aside: the named ones, or all of an endpoint. Others are not touched. */
export async function dismissDropped(
  db: Queryable,
  accountId: string,
  which: { deliveryIds: readonly string[] } | { endpointId: string },
  dismissal: { at: Date; note: string | null },
): Promise<number> {
  const isNamed = "deliveryIds" in which;
  const [row] = await db.query<{ dismissed: number }>(
    `with dismissed as (
       update webhook_delivery set dismissed_at = $3, dismissed_note = $4
       where account_id = $1 and status = 'dropped' and dismissed_at is null
         and ${isNamed ? "id = any($2::uuid[])" : "endpoint_id = $2"}
       returning 1
     ) select count(*)::int as dismissed from dismissed`,
    [
      toUuid(accountId),
      isNamed ? which.deliveryIds.map((id) => toUuid(id)) : toUuid(which.endpointId),
      dismissal.at,
      dismissal.note,
    ],
  );
  return row?.dismissed ?? 0;
}
