import { reviewUndoAnswer, VaultError } from "@cardvault/contract";
import type { ReviewUndone } from "@cardvault/contract";
import { changeAccount, findLastDecision, getCard, markDecisionUndone } from "@cardvault/db";
import type { Access } from "../context.ts";
import { takeBack } from "../identify/take-back.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import type { Reviewer } from "./next-reviews.ts";

const undoableMs = 24 * 60 * 60 * 1_000;

/**
 * Takes the reviewer's last decision back: the card is in the queue again, as it was. Events that were
 * sent stay sent. Again takes back the one before it.
 * @throws VaultError `conflict` where the card was changed since; `invalid_transition`
 */
async function undoLastReview(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  { userId }: Reviewer,
): Promise<ReviewUndone> {
  const { accountId } = access;
  const now = clock.now();
  const since = new Date(now.getTime() - undoableMs);
  const last = await findLastDecision(db, { accountId, userId, since });
  if (last === null) return null;
  const { cardId, changedAt, kind } = last;
  if (changedAt === null) {
    await markDecisionUndone(db, last.id, now);
    const card = await getCard(db, accountId, cardId, photoUrls.urlOf);
    return { card, kind, events_sent: [] };
  }
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    if (!(await markDecisionUndone(unit.tx, last.id, now))) {
      throw new VaultError("conflict", { message: "This decision has been taken back already." });
    }
    const must = ["status", "needsReview", "title", "set", "number"] as const;
    const events = await takeBack(db, unit, access, { cardId, changedAt, must });
    await unit.tx.em.flush();
    const card = await getCard(unit.tx, accountId, cardId, photoUrls.urlOf);
    return { card, kind, events_sent: events };
  });
}

export const undoLastReviewProcedure = session()
  .output(reviewUndoAnswer)
  .mutation(({ ctx }) => undoLastReview(ctx.services, ctx.access, ctx.principal));
