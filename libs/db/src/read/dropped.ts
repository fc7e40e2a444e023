import type { DroppedDelivery, DropReason, EventType } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { Page, PageQuery } from "./events.ts";
import { readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { scopeOf } from "./list-answer.ts";
import { StatementParts } from "./statement.ts";

interface DroppedRow {
  event_id: string;
  endpoint_id: string;
  drop_reason: DropReason;
  finished_at: Date;
  attempts: number;
  last_status_code: number | null;
  last_error_code: string | null;
  event: { type: EventType; created_at: string };
  endpoint: { url: string; can_receive: boolean };
}

const droppedList: KeysetList = {
  name: "dropped",
  table: "webhook_delivery",
  projection: `c.event_id, c.endpoint_id, c.drop_reason, c.finished_at, c.attempts,
    c.last_status_code, c.last_error_code,
    (select json_build_object('type', e.type, 'created_at', e.created_at)
      from webhook_event e where e.id = c.event_id) as event,
    (select json_build_object('url', w.url, 'can_receive', w.enabled and w.deleted_at is null)
      from webhook_endpoint w where w.id = c.endpoint_id) as endpoint`,
  sorts: { finished_at: { column: "finished_at", type: "timestamptz" } },
};

// Word for word the condition of the partial index.
const notDismissed = "status = 'dropped' and dismissed_at is null";

/**
 * One page of what was dropped and not dismissed, the latest first.
 * @throws VaultError `invalid_cursor`
 */
export async function listDropped(
  db: Queryable,
  accountId: string,
  query: PageQuery & { endpoint_id?: string | undefined },
): Promise<Page<DroppedDelivery>> {
  const { limit, cursor, ...filters } = query;
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.where(notDismissed);
  if (filters.endpoint_id !== undefined) {
    const ids = [filters.endpoint_id].filter((id) => isId("whe", id)).map((id) => toUuid(id));
    parts.whereOneOf("c.endpoint_id", ids, "uuid");
  }
  const page = await readPage<DroppedRow>(
    db,
    droppedList,
    { accountId, sort: "-finished_at", limit, cursor, scope: scopeOf(filters) },
    parts,
  );
  return {
    data: page.rows.map((row) => ({
      delivery_id: toId("dlv", row.id),
      event_id: toId("evt", row.event_id),
      event: row.event.type,
      event_created_at: new Date(row.event.created_at).toISOString(),
      endpoint_id: toId("whe", row.endpoint_id),
      endpoint_url: row.endpoint.url,
      reason: row.drop_reason,
      dropped_at: row.finished_at.toISOString(),
      attempt_count: row.attempts,
      last_status_code: row.last_status_code,
      last_error: row.last_error_code,
      can_redeliver: row.endpoint.can_receive,
    })),
    next_cursor: page.next_cursor,
    has_more: page.has_more,
  };
}

/** A delivery that was dropped and not dismissed: which event, and who never got it. */
export interface DroppedPlace {
  id: string;
  eventId: string;
  endpointId: string;
  droppedAt: Date;
}

interface StoredPlace {
  id: string;
  event_id: string;
  endpoint_id: string;
  finished_at: Date;
}

function placeOf(row: StoredPlace): DroppedPlace {
  return {
    id: toId("dlv", row.id),
    eventId: toId("evt", row.event_id),
    endpointId: toId("whe", row.endpoint_id),
    droppedAt: row.finished_at,
  };
}

/** Of the named deliveries those that are the account's, dropped, and not dismissed. */
export async function findDroppedPlaces(
  db: Queryable,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<DroppedPlace[]> {
  const rows = await db.query<StoredPlace>(
    `select id, event_id, endpoint_id, finished_at from webhook_delivery
     where account_id = $1 and id = any ($2::uuid[]) and ${notDismissed} order by id`,
    [toUuid(accountId), deliveryIds.map((id) => toUuid(id, "dlv"))],
    "dropped_places",
  );
  return rows.map(placeOf);
}

/** The next of an endpoint's that were dropped before a moment and not dismissed, the first dropped first. */
export async function readNextDropped(
  db: Queryable,
  accountId: string,
  query: {
    endpointId: string;
    until: Date;
    after: { at: Date; id: string } | null;
    limit: number;
  },
): Promise<DroppedPlace[]> {
  const { endpointId, until, after, limit } = query;
  const rows = await db.query<StoredPlace>(
    `select id, event_id, endpoint_id, finished_at from webhook_delivery
     where account_id = $1 and endpoint_id = $2 and ${notDismissed} and finished_at <= $3
       and ($4::timestamptz is null or (finished_at, id) > ($4, $5::uuid))
     order by finished_at, id limit $6`,
    [
      toUuid(accountId),
      toUuid(endpointId),
      until,
      after?.at ?? null,
      after === null ? null : toUuid(after.id, "dlv"),
      limit,
    ],
    "next_dropped",
  );
  return rows.map(placeOf);
}

/** How many the dashboard counts: those of removed endpoints are listed only. */
export async function countDropped(
  db: Queryable,
  accountId: string,
  endpointId?: string,
): Promise<number> {
  const [row] = await db.query<{ dropped: number }>(
    `select count(*) as dropped from webhook_delivery
     where account_id = $1 and ${notDismissed} and drop_reason <> 'endpoint_removed'
       and ($2::uuid is null or endpoint_id = $2)`,
    [toUuid(accountId), endpointId === undefined ? null : toUuid(endpointId)],
    "count_dropped",
  );
  return row?.dropped ?? 0;
}
