import type { Overview, WorkflowStatus } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { wholeCounts } from "./batches.ts";
import { countDropped } from "./dropped.ts";

interface OverviewRow {
  currency: string;
  needs_review: number;
  open_batches: number;
}

/** How an account's cards stand by workflow status, from the counts that the database keeps. */
export async function countCards(
  db: Queryable,
  accountId: string,
): Promise<Record<WorkflowStatus, number>> {
  const rows = await db.query<{ workflow_status: WorkflowStatus; cards: number }>(
    `select workflow_status, sum(cards) as cards from card_count where account_id = $1 group by 1`,
    [toUuid(accountId)],
    "count_cards",
  );
  return wholeCounts(Object.fromEntries(rows.map((row) => [row.workflow_status, row.cards])));
}

/**
 * The dashboard's counters. Values are those of cards that are neither sold nor archived.
 * @throws VaultError `not_found`
 */
export async function readOverview(db: Queryable, accountId: string): Promise<Overview> {
  const values = [toUuid(accountId)];
  const [counts, [row], [sums], dropped] = await Promise.all([
    countCards(db, accountId),
    db.query<OverviewRow>(
      `select a.currency,
         (select count(*) from card c where c.account_id = $1 and c.needs_review) as needs_review,
         (select count(*) from batch b where b.account_id = $1 and b.status <> 'complete') as open_batches
       from account a where a.id = $1`,
      values,
      "overview",
    ),
    db.query<{ asking: number; cost: number }>(
      `select coalesce(sum(asking_price * quantity), 0) as asking,
         coalesce(sum(purchase_price * quantity), 0) as cost
       from card where account_id = $1 and workflow_status not in ('sold', 'archived')`,
      values,
      "overview_values",
    ),
    countDropped(db, accountId),
  ]);
  if (row === undefined) throw new VaultError("not_found");
  return {
    counts,
    needs_review: row.needs_review,
    open_batches: row.open_batches,
    dropped_events: dropped,
    asking_value: { amount: sums?.asking ?? 0, currency: row.currency },
    cost: { amount: sums?.cost ?? 0, currency: row.currency },
  };
}
