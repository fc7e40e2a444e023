import { VaultError } from "@cardvault/contract";
import type {
  DeliveryDetail,
  DeliveryListInput,
  DeliverySummary,
  EventType,
} from "@cardvault/contract";
import { isId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { Page } from "../read/events.ts";
import { countRows, readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";
import { deliveryColumns, toAttempt, toDelivery } from "./delivery-answer.ts";
import type { AttemptRow, DeliveryRow } from "./delivery-answer.ts";

interface SummaryRow extends Omit<DeliveryRow, "url"> {
  last_status_code: number | null;
  last_error_code: string | null;
  event: { type: EventType; created_at: string };
  endpoint: { url: string; can_receive: boolean };
}

const summaryColumns = `c.event_id, c.endpoint_id, c.generation, c.status, c.drop_reason, c.attempts,
  c.next_attempt_at, c.deadline_at, c.created_at, c.finished_at, c.dismissed_at,
  c.last_status_code, c.last_error_code,
  (select json_build_object('type', e.type, 'created_at', e.created_at)
    from webhook_event e where e.id = c.event_id) as event,
  (select json_build_object('url', w.url, 'can_receive', w.enabled and w.deleted_at is null)
    from webhook_endpoint w where w.id = c.endpoint_id) as endpoint`;

const deliveryList: KeysetList = {
  name: "deliveries",
  table: "webhook_delivery",
  projection: summaryColumns,
  sorts: { created_at: { column: "created_at", type: "timestamptz" } },
  isPlannedEachTime: true,
};

function toSummary(row: SummaryRow): DeliverySummary {
  return {
    ...toDelivery({ ...row, url: row.endpoint.url }),
    event: row.event.type,
    event_created_at: new Date(row.event.created_at).toISOString(),
    last_status_code: row.last_status_code,
    last_error: row.last_error_code,
    can_redeliver: row.endpoint.can_receive,
  };
}

/** The condition that rows are of one endpoint. A malformed id is of none. */
export function whereEndpoint(parts: StatementParts, endpointId: string | undefined): void {
  if (endpointId === undefined) return;
  const ids = [endpointId].filter((id) => isId("whe", id)).map((id) => toUuid(id));
  parts.whereOneOf("c.endpoint_id", ids, "uuid");
}

/** The condition that a time lies at or after `since`, and before `until`. */
export function whereBetween(
  parts: StatementParts,
  column: string,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): void {
  if (since !== undefined) parts.where(`${column} >= ${parts.bind(since, "timestamptz")}`);
  if (until !== undefined) parts.where(`${column} < ${parts.bind(until, "timestamptz")}`);
}

type DeliveryFilters = Omit<DeliveryListInput, "limit" | "cursor">;

function deliveryParts(accountId: string, filters: DeliveryFilters): StatementParts {
  const parts = new StatementParts();
  const account = parts.bind(toUuid(accountId), "uuid");
  parts.where(`c.account_id = ${account}`);
  whereEndpoint(parts, filters.endpoint_id);
  parts.whereOneOf("c.status", filters.status, "text");
  whereBetween(parts, "c.created_at", filters);
  if (filters.event !== undefined) {
    // The account's own index of types serves where one of them is rare.
    const types = parts.bind(filters.event, "text[]");
    parts.where(
      `exists (select 1 from webhook_event e where e.id = c.event_id and e.account_id = ${account} and e.type = any (${types}))`,
    );
  }
  return parts;
}

/**
 * How many there are with these filters, counted up to one more than `maxExactCount`; null with types of events,
 * which stand beside the deliveries and would be looked up one by one.
 */
export async function countDeliveries(
  db: Queryable,
  accountId: string,
  filters: DeliveryFilters,
): Promise<number | null> {
  if (filters.event !== undefined) return null;
  return countRows(db, deliveryList, deliveryParts(accountId, filters));
}

/**
 * One page of an account's deliveries, the latest made first.
 * @throws VaultError `invalid_cursor`
 */
export async function listDeliveries(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: DeliveryListInput,
): Promise<Page<DeliverySummary>> {
  const page = await readPage<SummaryRow>(
    db,
    deliveryList,
    { accountId, sort: "-created_at", limit, cursor, scope: scopeOf(filters) },
    deliveryParts(accountId, filters),
  );
  const { next_cursor, has_more } = page;
  return { data: page.rows.map(toSummary), next_cursor, has_more };
}

/**
 * A delivery with what is sent and every attempt.
 * @throws VaultError `not_found`, for a malformed id too
 */
export async function getDelivery(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<DeliveryDetail> {
  if (!isId("dlv", id)) throw new VaultError("not_found");
  const values = [toUuid(accountId), toUuid(id)];
  const [[row], attempts] = await Promise.all([
    db.query<
      DeliveryRow & {
        last_status_code: number | null;
        last_error_code: string | null;
        dismissed_note: string | null;
        type: EventType;
        event_created_at: Date;
        body: string;
        can_receive: boolean;
      }
    >(
      `select ${deliveryColumns}, d.last_status_code, d.last_error_code, d.dismissed_note, e.type,
         e.created_at as event_created_at, e.body, w.enabled and w.deleted_at is null as can_receive
       from webhook_delivery d join webhook_event e on e.id = d.event_id
         join webhook_endpoint w on w.id = d.endpoint_id
       where d.account_id = $1 and d.id = $2`,
      values,
      "delivery",
    ),
    db.query<AttemptRow>(
      `select t.* from webhook_attempt t where t.account_id = $1 and t.delivery_id = $2 order by t.number`,
      values,
    ),
  ]);
  if (row === undefined) throw new VaultError("not_found");
  return {
    ...toDelivery(row),
    event: row.type,
    event_created_at: row.event_created_at.toISOString(),
    last_status_code: row.last_status_code,
    last_error: row.last_error_code,
    can_redeliver: row.can_receive,
    dismissed_note: row.dismissed_note,
    request_body: row.body,
    attempts: attempts.map(toAttempt),
  };
}
