import type {
  AttemptListInput,
  AttemptOutcomeClass,
  AttemptSummary,
  EventType,
} from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { Page } from "../read/events.ts";
import { countRows, readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";
import { toAttemptResult } from "./delivery-answer.ts";
import type { AttemptResultRow } from "./delivery-answer.ts";
import { whereBetween, whereEndpoint } from "./delivery-log.ts";

interface SummaryRow extends AttemptResultRow {
  delivery_id: string;
  endpoint_id: string;
  event_type: EventType;
  number: number;
  event_id: string;
  url: string;
}

const attemptList: KeysetList = {
  name: "attempts",
  table: "webhook_attempt",
  projection: `c.delivery_id, c.endpoint_id, c.event_type, c.number, c.started_at, c.status_code,
    c.error_code, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms, c.total_ms,
    (select d.event_id from webhook_delivery d where d.id = c.delivery_id) as event_id,
    (select w.url from webhook_endpoint w where w.id = c.endpoint_id) as url`,
  sorts: { started_at: { column: "started_at", type: "timestamptz" } },
  isPlannedEachTime: true,
};

// Word for word the conditions of the partial indexes, so that the planner need not prove them.
const failed = "(c.status_code is null or c.status_code < 200 or c.status_code > 299)";
const answeredAmiss = "(c.status_code < 200 or c.status_code > 299)";
const unanswered = "c.status_code is null";

const conditionOf: Record<AttemptOutcomeClass, string> = {
  "2xx": "c.status_code between 200 and 299",
  "3xx": "c.status_code between 300 and 399",
  "4xx": "c.status_code between 400 and 499",
  "5xx": "c.status_code between 500 and 599",
  no_answer: unanswered,
};

type AttemptFilters = Omit<AttemptListInput, "limit" | "cursor">;

function attemptParts(accountId: string, filters: AttemptFilters): StatementParts {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  whereEndpoint(parts, filters.endpoint_id);
  parts.whereOneOf("c.event_type", filters.event, "text");
  whereBetween(parts, "c.started_at", filters);
  whereResult(parts, filters);
  return parts;
}

/**
 * How many there are with these filters, counted up to one more than `maxExactCount`; null with types of events, which
 * no index has together with the others.
 */
export async function countAttempts(
  db: Queryable,
  accountId: string,
  filters: AttemptFilters,
): Promise<number | null> {
  if (filters.event !== undefined) return null;
  return countRows(db, attemptList, attemptParts(accountId, filters));
}

/**
 * One page of an account's attempts, the latest first; without the answers' headers and bodies.
 * @throws VaultError `invalid_cursor`
 */
export async function listAttempts(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: AttemptListInput,
): Promise<Page<AttemptSummary>> {
  const page = await readPage<SummaryRow>(
    db,
    attemptList,
    { accountId, sort: "-started_at", limit, cursor, scope: scopeOf(filters) },
    attemptParts(accountId, filters),
  );
  return {
    data: page.rows.map((row) => ({
      id: row.id,
      delivery_id: toId("dlv", row.delivery_id),
      event_id: toId("evt", row.event_id),
      event: row.event_type,
      endpoint_id: toId("whe", row.endpoint_id),
      endpoint_url: row.url,
      number: row.number,
      ...toAttemptResult(row),
    })),
    next_cursor: page.next_cursor,
    has_more: page.has_more,
  };
}

function whereResult(
  parts: StatementParts,
  { delivered, outcome, status_code: codes, error }: AttemptFilters,
): void {
  if (delivered !== undefined) parts.where(delivered ? conditionOf["2xx"] : failed);
  if (outcome !== undefined) {
    parts.where(`(${outcome.map((one) => conditionOf[one]).join(" or ")})`);
    if (!outcome.includes("2xx")) parts.where(failed);
    if (outcome.length === 1 && !["2xx", "no_answer"].includes(outcome[0] ?? "")) {
      parts.where(answeredAmiss);
    }
  }
  if (codes !== undefined) {
    parts.whereOneOf("c.status_code", codes, "int");
    if (codes.every((code) => code < 200 || code > 299)) parts.where(answeredAmiss);
  }
  if (error !== undefined) {
    parts.whereOneOf("c.error_code", error, "text");
    parts.where(unanswered);
  }
}
