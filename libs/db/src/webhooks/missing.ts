import type { DeliveryStatus, DropReason, EventType, MissingEvent } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "../read/cursor.ts";

/** A place in the order in which an account's events were made. */
export interface EventPosition {
  at: Date;
  /** Null: before all that were made at that moment. */
  eventId: string | null;
}

export interface MissingQuery {
  accountId: string;
  endpointId: string;
  /** What the endpoint is subscribed to. */
  events: readonly EventType[];
  after: EventPosition;
  /** Events from then on are not looked at. */
  until: Date;
  /** How many events are looked at, of whatever type. */
  lookAt: number;
  /** How many are answered at most. */
  limit: number;
}

/** An event that the endpoint has not been sent with success; the latest generation where there is one. */
export interface MissingRow {
  eventId: string;
  type: EventType;
  createdAt: Date;
  delivery: {
    id: string;
    status: Exclude<DeliveryStatus, "delivered">;
    generation: number;
    attempts: number;
    dropReason: DropReason | null;
    nextAttemptAt: Date | null;
    isDismissed: boolean;
  } | null;
}

interface Found {
  looked: number;
  edge: { id: string; at: string } | null;
  id: string | null;
  type: EventType;
  created_at: Date;
  /** How many events had been looked at with it. */
  place: number;
  delivery_id: string | null;
  status: Exclude<DeliveryStatus, "delivered">;
  generation: number;
  attempts: number;
  drop_reason: DropReason | null;
  next_attempt_at: Date | null;
  is_dismissed: boolean;
}

// The events are bounded first, so that a year in which all was delivered costs no more than a page. Of
// each it is asked whether it arrived, until there are enough that did not: a subquery with a limit is
// never made a join, which would read all that the endpoint was ever sent. Only of those the delivery is read.
const statement = `
with looked as materialized (
  select id, type, created_at, row_number() over (order by created_at, id) as place from webhook_event
  where account_id = $1 and (created_at, id) > ($3, $4) and created_at < $5
  order by created_at, id limit $7
), missing as materialized (
  select l.id, l.type, l.created_at, l.place from looked l
  where l.type = any ($6) and (select true from webhook_delivery x
    where x.event_id = l.id and x.endpoint_id = $2 and x.status = 'delivered' limit 1) is null
  order by l.created_at, l.id limit $8
)
select e.looked, e.edge, m.*, d.*
from (select count(*) as looked,
  (select json_build_object('id', id, 'at', created_at) from looked order by created_at desc, id desc limit 1) as edge
  from looked) e
left join missing m on true
left join lateral (
  select d.id as delivery_id, d.status, d.generation, d.attempts, d.drop_reason, d.next_attempt_at,
    d.dismissed_at is not null as is_dismissed
  from webhook_delivery d where d.event_id = m.id and d.endpoint_id = $2 order by d.generation desc limit 1
) d on true
order by m.created_at, m.id`;

const lowestId = "00000000-0000-0000-0000-000000000000";

/** Looks at the next events. `next` is null once all before `until` have been looked at. */
export async function findMissing(
  db: Queryable,
  query: MissingQuery,
): Promise<{ rows: MissingRow[]; looked: number; next: EventPosition | null }> {
  const { after, limit } = query;
  const found = await db.query<Found>(
    statement,
    [
      toUuid(query.accountId),
      toUuid(query.endpointId),
      after.at,
      after.eventId === null ? lowestId : toUuid(after.eventId),
      query.until,
      query.events,
      query.lookAt,
      limit + 1,
    ],
    "missing_events",
  );
  const [first] = found;
  const rows = found.flatMap((row) => missingFrom(row)).slice(0, limit);
  const last = rows.at(-1);
  const looked = first?.looked ?? 0;
  if (last !== undefined && found.length > limit) {
    return {
      rows,
      looked: found[limit - 1]?.place ?? 0,
      next: { at: last.createdAt, eventId: last.eventId },
    };
  }
  const edge = first?.edge ?? null;
  const isEnd = edge === null || looked < query.lookAt;
  return {
    rows,
    looked,
    next: isEnd ? null : { at: new Date(edge.at), eventId: toId("evt", edge.id) },
  };
}

function missingFrom(row: Found): MissingRow[] {
  if (row.id === null) return [];
  return [
    {
      eventId: toId("evt", row.id),
      type: row.type,
      createdAt: row.created_at,
      delivery:
        row.delivery_id === null
          ? null
          : {
              id: toId("dlv", row.delivery_id),
              status: row.status,
              generation: row.generation,
              attempts: row.attempts,
              dropReason: row.drop_reason,
              nextAttemptAt: row.next_attempt_at,
              isDismissed: row.is_dismissed,
            },
    },
  ];
}

/** The database's own time: it is what stamps an account's changes and events. */
export async function readStampTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(
    "select clock_timestamp()::timestamptz(3) as now",
    [],
    "stamp_time",
  );
  return row?.now ?? new Date();
}

/** How many events an account has between two moments, counted up to `most`. */
export async function countEvents(
  db: Queryable,
  accountId: string,
  since: Date,
  until: Date,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    `select count(*) as events from (select 1 from webhook_event
       where account_id = $1 and created_at >= $2 and created_at < $3 limit $4) e`,
    [toUuid(accountId), since, until, most],
    "count_events",
  );
  return row?.events ?? 0;
}

const eventsAPage = 2_000;

/**
 * One page of what an endpoint was not sent with success since a moment, the oldest first.
 * @throws VaultError `invalid_cursor`
 */
export async function listMissing(
  db: Queryable,
  query: {
    accountId: string;
    endpointId: string;
    events: readonly EventType[];
    since: Date;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{
  data: MissingEvent[];
  next_cursor: string | null;
  has_more: boolean;
  looked_until: string;
}> {
  const { accountId, endpointId, events, since, limit, cursor } = query;
  const scope = ["missing", accountId, endpointId, since.toISOString(), [...events].toSorted()];
  const after =
    cursor === undefined ? undefined : decodeCursor(scope, cursor, (value) => isTime(value));
  const now = await readStampTime(db);
  const { rows, next } = await findMissing(db, {
    accountId,
    endpointId,
    events,
    after:
      after === undefined
        ? { at: since, eventId: null }
        : { at: new Date(String(after.value)), eventId: toId("evt", after.id) },
    until: now,
    lookAt: eventsAPage,
    limit,
  });
  return {
    data: rows.map(missingAnswer),
    next_cursor:
      next === null || next.eventId === null
        ? null
        : encodeCursor(scope, { id: toUuid(next.eventId), value: next.at.toISOString() }),
    has_more: next !== null,
    looked_until: (next?.at ?? now).toISOString(),
  };
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function missingAnswer({ eventId, type, createdAt, delivery }: MissingRow): MissingEvent {
  return {
    event_id: eventId,
    event: type,
    created_at: createdAt.toISOString(),
    status: delivery?.status ?? "never_sent",
    drop_reason: delivery?.dropReason ?? null,
    delivery_id: delivery?.id ?? null,
    generation: delivery?.generation ?? null,
    next_attempt_at: delivery?.nextAttemptAt?.toISOString() ?? null,
  };
}
