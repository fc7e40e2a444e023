import { card, copyReasons, settleCopiesInput, VaultError } from "@cardvault/contract";
import type { Card } from "@cardvault/contract";
import { changeAccount, getCard } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Accepts a card that is in review about its copies: those of cancelled orders come back, what was oversold is
 * settled by then. Its open listing follows by a job.
 * @throws VaultError `card_not_found`; `precondition_failed` where the card has changed; `invalid_transition` for one
 * that is in review for another reason, or for none
 */
async function settleCopies(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  { card_id: cardId, version }: { card_id: string; version: number },
): Promise<Card> {
  const { accountId } = access;
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  await changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const before = await unit.cards.get(cardId);
    if (before.version !== version) throw new VaultError("precondition_failed");
    if (!(copyReasons as readonly unknown[]).includes(before.reviewReason)) {
      throw new VaultError("invalid_transition", { message: "The card's copies are in order." });
    }
    const outcome = decideCard(before, { type: "accept_review" }, unit.stamp);
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
  });
  return getCard(db, accountId, cardId, photoUrls.urlOf);
}

export const settleCopiesProcedure = session()
  .input(settleCopiesInput)
  .output(card)
  .mutation(({ ctx, input }) => settleCopies(ctx.services, ctx.access, input));
