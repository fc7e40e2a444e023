import { VaultError } from "@cardvault/contract";
import type { DeliveryStatus, EventDetail, EventSummary, EventType } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { deliveryColumns, toAttempt, toDelivery } from "../webhooks/delivery-answer.ts";
import type { AttemptRow, DeliveryRow } from "../webhooks/delivery-answer.ts";
import { countRows, readPage } from "./keyset.ts";
import type { KeysetList } from "./keyset.ts";
import { scopeOf } from "./list-answer.ts";
import { StatementParts } from "./statement.ts";

interface EventRow {
  type: EventType;
  created_at: Date;
  deliveries: [id: string, endpointId: string, status: DeliveryStatus][];
}

const eventList: KeysetList = {
  name: "events",
  table: "webhook_event",
  projection: `c.type, c.created_at,
    coalesce((select json_agg(json_build_array(d.id, d.endpoint_id, d.status) order by d.id)
      from webhook_delivery d where d.event_id = c.id), '[]') as deliveries`,
  sorts: { created_at: { column: "created_at", type: "timestamptz" } },
};

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
  has_more: boolean;
}

interface EventFilters {
  event?: readonly EventType[] | undefined;
}

function eventParts(accountId: string, { event }: EventFilters): StatementParts {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.whereOneOf("c.type", event, "text");
  return parts;
}

/** How many there are with these filters, counted up to one more than `maxExactCount`. */
export function countListedEvents(
  db: Queryable,
  accountId: string,
  filters: EventFilters,
): Promise<number> {
  return countRows(db, eventList, eventParts(accountId, filters));
}

/**
 * One page of an account's events, the newest first, with how their deliveries stand.
 * @throws VaultError `invalid_cursor`
 */
export async function listEvents(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: PageQuery & EventFilters,
): Promise<Page<EventSummary>> {
  const page = await readPage<EventRow>(
    db,
    eventList,
    { accountId, sort: "-created_at", limit, cursor, scope: scopeOf(filters) },
    eventParts(accountId, filters),
  );
  return {
    data: page.rows.map((row) => ({
      id: toId("evt", row.id),
      event: row.type,
      created_at: row.created_at.toISOString(),
      deliveries: row.deliveries.map(([id, endpointId, status]) => ({
        id: toId("dlv", id),
        endpoint_id: toId("whe", endpointId),
        status,
      })),
    })),
    next_cursor: page.next_cursor,
    has_more: page.has_more,
  };
}

/**
 * One event as it is sent, with every generation of its deliveries and every attempt.
 * @throws VaultError `not_found`, for a malformed id too
 */
export async function getEvent(db: Queryable, accountId: string, id: string): Promise<EventDetail> {
  if (!isId("evt", id)) throw new VaultError("not_found");
  const values = [toUuid(accountId), toUuid(id)];
  const [[event], deliveries, attempts] = await Promise.all([
    db.query<{ body: string }>(
      `select body from webhook_event where account_id = $1 and id = $2`,
      values,
      "event",
    ),
    db.query<DeliveryRow & { can_receive: boolean }>(
      `select ${deliveryColumns}, w.enabled and w.deleted_at is null as can_receive from webhook_delivery d join webhook_endpoint w on w.id = d.endpoint_id
       where d.account_id = $1 and d.event_id = $2 order by d.id`,
      values,
      "event_deliveries",
    ),
    db.query<AttemptRow>(
      `select t.* from webhook_attempt t join webhook_delivery d on d.id = t.delivery_id
       where d.account_id = $1 and d.event_id = $2 order by t.number`,
      values,
    ),
  ]);
  if (event === undefined) throw new VaultError("not_found");
  return {
    envelope: JSON.parse(event.body) as EventDetail["envelope"],
    deliveries: deliveries.map((row) => ({
      ...toDelivery(row),
      can_redeliver: row.can_receive,
      attempts: attempts.filter((one) => one.delivery_id === row.id).map(toAttempt),
    })),
  };
}
