import { queueReasons, reviewStatsAnswer, reviewStatsInput } from "@cardvault/contract";
import type { QueueReason, ReviewStats, ReviewStatsInput } from "@cardvault/contract";
import { countReviews, listDecisionTimes } from "@cardvault/db";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { queueOf } from "./next-reviews.ts";
import type { Reviewer } from "./next-reviews.ts";

const hourMs = 60 * 60 * 1_000;
const rateWindowMs = 10 * 60 * 1_000;

/** @throws VaultError `batch_not_found` */
async function readReviewStats(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, userId }: Reviewer,
  input: ReviewStatsInput,
): Promise<ReviewStats> {
  const now = clock.now();
  const queue = { ...queueOf(input), accountId, userId, now };
  const since = new Date(now.getTime() - 24 * hourMs);
  const [counts, times] = await Promise.all([
    countReviews(db, queue),
    listDecisionTimes(db, { accountId, userId, since }),
  ]);
  const by_reason = Object.fromEntries(
    queueReasons.map((reason) => [
      reason,
      counts.find((one) => one.reason === reason)?.waiting ?? 0,
    ]),
  ) as Record<QueueReason, number>;
  const total = (of: (one: (typeof counts)[number]) => number): number =>
    counts.reduce((sum, one) => sum + of(one), 0);
  return {
    waiting: total(({ waiting }) => waiting),
    by_reason,
    held_by_others: total(({ heldByOthers }) => heldByOthers),
    decided_last_hour: times.filter((at) => now.getTime() - at.getTime() <= hourMs).length,
    decided_last_24_hours: times.length,
    rate_per_minute: ratePerMinute(times, now),
  };
}

/** Decisions of the last ten minutes, over the time since the first of them, at least a minute. */
function ratePerMinute(times: readonly Date[], now: Date): number | null {
  const ages = times
    .map((at) => now.getTime() - at.getTime())
    .filter((age) => age >= 0 && age <= rateWindowMs);
  if (ages.length === 0) return null;
  const minutes = Math.max(1, Math.max(...ages) / 60_000);
  return Math.round((ages.length / minutes) * 10) / 10;
}

export const readReviewStatsProcedure = session()
  .input(reviewStatsInput)
  .output(reviewStatsAnswer)
  .query(({ ctx, input }) => readReviewStats(ctx.services, ctx.principal, input));
