import { VaultError } from "@cardvault/contract";
import type { Dashboard } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { listOpenBatches } from "./batches.ts";
import { countsOf, readKeptSums, sumOf } from "./card-totals.ts";
import { countDropped } from "./dropped.ts";
import { readRecentSales, readSalesByDay } from "./sales.ts";
import { countWaitingReviews } from "./waiting-reviews.ts";

const salesDays = 30;
const recentSales = 10;
const shownBatches = 6;

/**
 * The figures of the dashboard. Values are those of cards that are neither sold nor archived.
 * @throws VaultError `not_found`; `validation_failed` for an unknown time zone
 */
export async function readDashboard(
  db: Queryable,
  accountId: string,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Dashboard> {
  const [account] = await db.query<{ currency: string; open_batches: number }>(
    `select a.currency, (select count(*) from batch b where b.account_id = $1 and b.status <> 'complete')
       as open_batches from account a where a.id = $1`,
    [toUuid(accountId)],
    "dashboard_account",
  );
  if (account === undefined) throw new VaultError("not_found");
  const { currency } = account;
  const [sums, dropped, batches, byDay, recent] = await Promise.all([
    readKeptSums(db, accountId, {}),
    countDropped(db, accountId),
    listOpenBatches(db, accountId, shownBatches),
    readSalesByDay(db, accountId, { timeZone, days: salesDays, now, currency }),
    readRecentSales(db, accountId, recentSales, currency),
  ]);
  const stock = sums.filter(
    ({ workflow_status: status }) => status !== "sold" && status !== "archived",
  );
  return {
    counts: countsOf(sums),
    needs_review: await countWaitingReviews(db, accountId, sums),
    dropped_events: dropped,
    copies: sumOf(stock, "copies"),
    asking_value: { amount: sumOf(stock, "asking"), currency },
    cost: { amount: sumOf(stock, "cost"), currency },
    market_value: { amount: sumOf(stock, "market"), currency },
    open_batches: account.open_batches,
    batches,
    sales_by_day: byDay,
    recent_sales: recent,
  };
}
