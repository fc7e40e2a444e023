import {
  reviewCardsInput,
  reviewLockSeconds,
  reviewReleaseAnswer,
  reviewRenewAnswer,
} from "@cardvault/contract";
import type { ReviewRenewed } from "@cardvault/contract";
import { releaseReviewLocks, renewReviewLocks } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import type { Reviewer } from "./next-reviews.ts";

/** Holds on to cards that are still the reviewer's. Those that are not are left out. */
async function renewReviews(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, userId }: Reviewer,
  given: readonly string[],
): Promise<ReviewRenewed> {
  const until = new Date(clock.now().getTime() + reviewLockSeconds * 1_000);
  const cardIds = given.filter((id) => isId("card", id));
  const locks = await renewReviewLocks(db, { accountId, userId, cardIds, until });
  return {
    locks: locks.map(({ cardId, lockedUntil }) => ({
      card_id: cardId,
      locked_until: lockedUntil.toISOString(),
    })),
  };
}

export const renewReviewsProcedure = session()
  .input(reviewCardsInput)
  .output(reviewRenewAnswer)
  .mutation(({ ctx, input }) => renewReviews(ctx.services, ctx.principal, input.card_ids));

export const releaseReviewsProcedure = session()
  .input(reviewCardsInput)
  .output(reviewReleaseAnswer)
  .mutation(async ({ ctx: { services, principal }, input }) => {
    const { accountId, userId } = principal;
    const cardIds = input.card_ids.filter((id) => isId("card", id));
    return { released: await releaseReviewLocks(services.db, accountId, userId, cardIds) };
  });
