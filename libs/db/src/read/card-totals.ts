import { maxExactCount, workflowStatuses } from "@cardvault/contract";
import type { CardFilter, CardTotals, WorkflowStatus } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { addSessionFilters } from "./card-filters.ts";
import { addFilter } from "./selection.ts";
import { StatementParts } from "./statement.ts";

/** What cards add up to, by workflow status. */
export interface StatusSums {
  workflow_status: WorkflowStatus;
  cards: number;
  in_review: number;
  copies: number;
  asking: number;
  cost: number;
  market: number;
}

const sumsOfCounts = `k.workflow_status, sum(k.cards) as cards, sum(k.in_review) as in_review,
  sum(k.copies) as copies, sum(k.asking) as asking, sum(k.cost) as cost, sum(k.market) as market`;

const kept: readonly string[] = [
  "workflow_status",
  "batch",
  "has_batch",
] satisfies (keyof CardFilter)[];

/** Whether the database keeps count of what a filter lets through. */
export function isKept(filter: CardFilter): boolean {
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || kept.includes(name),
  );
}

/** The sums that the database keeps, for a filter of which it {@link isKept}. */
export function readKeptSums(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
): Promise<StatusSums[]> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  addSessionFilters(parts, filter);
  return db.query<StatusSums>(
    `select ${sumsOfCounts} from (select * from card_count c where ${parts.conditions.join(" and ")}) k group by 1`,
    parts.values,
  );
}

/** The same of any filter, counted card by card and no further than one beyond what is exact. */
async function readCountedSums(
  db: Queryable,
  accountId: string,
  filter: CardFilter,
): Promise<StatusSums[]> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  await addFilter(db, accountId, parts, filter);
  return db.query<StatusSums>(
    `select c.workflow_status, count(*) as cards, count(*) filter (where c.needs_review) as in_review,
       sum(c.quantity) as copies,
       coalesce(sum(c.asking_price::numeric * c.quantity), 0) as asking,
       coalesce(sum(c.purchase_price::numeric * c.quantity), 0) as cost,
       coalesce(sum(c.market_price::numeric * c.quantity) filter (where c.market_price_currency is null
         or c.market_price_currency = (select a.currency from account a where a.id = $1)), 0) as market
     from (select * from card c where ${parts.conditions.join(" and ")} limit ${maxExactCount + 1}) c group by 1`,
    parts.values,
  );
}

/** How many cards a filter lets through and what they are worth: exact where it is kept or few enough. */
export async function readTotals(
  db: Queryable,
  accountId: string,
  currency: string,
  filter: CardFilter,
): Promise<CardTotals> {
  const hasKept = isKept(filter);
  const sums = await (hasKept ? readKeptSums : readCountedSums)(db, accountId, filter);
  const total = (of: keyof Omit<StatusSums, "workflow_status">): number => sumOf(sums, of);
  const count = total("cards");
  if (!hasKept && count > maxExactCount) {
    return {
      count: maxExactCount,
      has_more: true,
      counts: null,
      quantity: null,
      asking_value: null,
      cost: null,
      market_value: null,
    };
  }
  return {
    count,
    has_more: false,
    counts: countsOf(sums),
    quantity: total("copies"),
    asking_value: { amount: total("asking"), currency },
    cost: { amount: total("cost"), currency },
    market_value: { amount: total("market"), currency },
  };
}

/** A total, no larger than what can be written as a number without loss. */
export function sumOf(
  sums: readonly StatusSums[],
  of: keyof Omit<StatusSums, "workflow_status">,
): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    sums.reduce((sum, row) => sum + row[of], 0),
  );
}

export function countsOf(sums: readonly StatusSums[]): Record<WorkflowStatus, number> {
  return Object.fromEntries(
    workflowStatuses.map((status) => [
      status,
      sums.find((row) => row.workflow_status === status)?.cards ?? 0,
    ]),
  ) as Record<WorkflowStatus, number>;
}
