import type { Overview, WorkflowStatus } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { countsOf, readKeptSums, sumOf } from "./card-totals.ts";
import { countDropped } from "./dropped.ts";
import { countWaitingReviews } from "./waiting-reviews.ts";

/** How an account's cards stand by workflow status, from the counts that the database keeps. */
export async function countCards(
  db: Queryable,
  accountId: string,
): Promise<Record<WorkflowStatus, number>> {
  return countsOf(await readKeptSums(db, accountId, {}));
}

/**
 * The dashboard's counters. Values are those of cards that are neither sold nor archived.
 * @throws VaultError `not_found`
 */
export async function readOverview(db: Queryable, accountId: string): Promise<Overview> {
  const [sums, [row], dropped] = await Promise.all([
    readKeptSums(db, accountId, {}),
    db.query<{ currency: string; open_batches: number }>(
      `select a.currency, (select count(*) from batch b where b.account_id = $1 and b.status <> 'complete')
         as open_batches from account a where a.id = $1`,
      [toUuid(accountId)],
      "overview",
    ),
    countDropped(db, accountId),
  ]);
  if (row === undefined) throw new VaultError("not_found");
  const stock = sums.filter(
    ({ workflow_status: status }) => status !== "sold" && status !== "archived",
  );
  return {
    counts: countsOf(sums),
    needs_review: await countWaitingReviews(db, accountId, sums),
    open_batches: row.open_batches,
    dropped_events: dropped,
    asking_value: { amount: sumOf(stock, "asking"), currency: row.currency },
    cost: { amount: sumOf(stock, "cost"), currency: row.currency },
  };
}
