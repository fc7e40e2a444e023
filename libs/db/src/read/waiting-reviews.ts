import { queueReasons, reviewReasons } from "@cardvault/contract";
import type { ReviewReason } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { StatusSums } from "./card-totals.ts";
import { sumOf } from "./card-totals.ts";

const asked: readonly ReviewReason[] = queueReasons;
const reasonsElsewhere = reviewReasons.filter((reason) => !asked.includes(reason));

/**
 * How many cards the review's queue asks about. The kept counts know all cards in review; those whose copies
 * are to be looked after are settled among the sales, and are never many, so they are counted and taken off.
 * @param sums the account's kept sums
 */
export async function countWaitingReviews(
  db: Queryable,
  accountId: string,
  sums: readonly StatusSums[],
): Promise<number> {
  const inReview = sumOf(
    sums.filter(({ workflow_status: status }) => status !== "archived"),
    "in_review",
  );
  if (inReview === 0) return 0;
  const [row] = await db.query<{ cards: number }>(
    `select count(*) as cards from card where account_id = $1 and needs_review
       and review_reason = any ($2::text[]) and workflow_status <> 'archived'`,
    [toUuid(accountId), reasonsElsewhere],
    "reviews_elsewhere",
  );
  return Math.max(0, inReview - (row?.cards ?? 0));
}
