import {
  queueReasons,
  reviewLockSeconds,
  reviewNextAnswer,
  reviewNextInput,
  VaultError,
} from "@cardvault/contract";
import type { QueueReason, ReviewItem, ReviewNext, ReviewNextInput } from "@cardvault/contract";
import { getCard, latestIdentifications, lockNextReviews } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { session } from "../procedures.ts";
import { fieldsOf, keptCandidates } from "../identify/record-answer.ts";
import type { Services } from "../services.ts";

/** Who reviews: a member, in an account. */
export interface Reviewer {
  accountId: string;
  userId: string;
}

/** Two who ask at once may both have looked at the same card; who came second looks again. */
const mostTries = 3;

/**
 * Locks the next cards of a reviewer's queue and answers them with what is needed to decide.
 * @throws VaultError `batch_not_found`
 */
async function nextReviews(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  { accountId, userId }: Reviewer,
  { batch_id: batchId, reason, order, ahead }: ReviewNextInput,
): Promise<ReviewNext> {
  const now = clock.now();
  const until = new Date(now.getTime() + reviewLockSeconds * 1_000);
  const limit = ahead + 1;
  const queue = { ...queueOf({ batch_id: batchId, reason }), accountId, userId, now };
  let ids: string[] = [];
  for (let tries = 0; tries < mostTries && ids.length < limit; tries += 1) {
    const found = await db.transaction((tx) =>
      lockNextReviews(tx, { ...queue, order, limit, until }),
    );
    if (tries > 0 && found.length <= ids.length) break;
    ids = found;
  }
  const identifications = await latestIdentifications(db, accountId, ids);
  const items = await Promise.all(
    ids.map(async (id): Promise<ReviewItem> => {
      const found = identifications.get(id);
      return {
        card: await getCard(db, accountId, id, photoUrls.urlOf),
        identification_id: found?.id ?? null,
        candidates: found === undefined ? [] : keptCandidates(found),
        fields: found === undefined ? [] : fieldsOf(found),
        locked_until: until.toISOString(),
      };
    }),
  );
  return { items };
}

/** @throws VaultError `batch_not_found` for a malformed id */
export function queueOf({
  batch_id: batchId,
  reason,
}: {
  batch_id?: string | undefined;
  reason?: readonly QueueReason[] | undefined;
}): { batchId: string | null; reasons: readonly QueueReason[] } {
  if (batchId !== undefined && !isId("batch", batchId)) throw new VaultError("batch_not_found");
  return { batchId: batchId ?? null, reasons: reason ?? queueReasons };
}

/** A mutation: it locks. */
export const nextReviewsProcedure = session()
  .input(reviewNextInput)
  .output(reviewNextAnswer)
  .mutation(({ ctx, input }) => nextReviews(ctx.services, ctx.principal, input));
