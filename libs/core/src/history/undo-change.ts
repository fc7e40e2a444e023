import { undoChangeAnswer, undoChangeInput, VaultError } from "@cardvault/contract";
import type { UndoChange } from "@cardvault/contract";
import { changeAccount, findCardChange, getCard } from "@cardvault/db";
import { changedSince, decideCard, fieldOf, membersOf, written } from "@cardvault/domain";
import type { CardMember, CardMembers, CardState } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import { rememberedMemberships } from "../bulk/card-actions.ts";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/** What is taken back in ways of its own. */
const ownWays = ["sale", "listing", "photos"];

/**
 * Takes one change of a card back, whole or not at all, by another change that obeys the same rules and
 * fires its own events. What the first one fired was sent, and stays so.
 * @throws VaultError `card_not_found`; `not_found` where the card has no change of that time; `conflict` that
 * names the fields which have changed since; `invalid_transition` and others as the rules say.
 */
async function undoChange(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  { id, at }: { id: string; at: string },
): Promise<UndoChange> {
  const { accountId } = access;
  if (!isId("card", id)) throw new VaultError("card_not_found");
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const card = await unit.cards.get(id);
    const stored = await findCardChange(unit.tx, accountId, id, new Date(at));
    if (stored === null) throw new VaultError("not_found");
    if (stored.isCreation) {
      throw new VaultError("invalid_transition", {
        message: "A card that was made is not undone; it can be archived.",
      });
    }
    if (stored.via === "marketplace" || ownWays.some((field) => field in stored.changes)) {
      throw new VaultError("invalid_transition", {
        message: "Sales, listings and photos are not undone here, but each in its own way.",
      });
    }
    const { from, to } = membersOf(stored.changes);
    requireUnchanged(card, to);
    const memberships = rememberedMemberships(unit);
    const batches = {
      now: await memberships(card.batchId),
      before: await memberships(from.batchId ?? null),
    };
    const change = { from, to, batches, accountCurrency: unit.account.currency };
    const outcome = decideCard(card, { type: "undo_change", change }, unit.stamp);
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    await unit.tx.em.flush();
    const answer = await getCard(unit.tx, accountId, id, photoUrls.urlOf);
    return { card: answer, events_sent: stored.events };
  });
}

function requireUnchanged(card: CardState, to: CardMembers): void {
  const since = changedSince(card, to);
  if (since.length === 0) return;
  throw new VaultError("conflict", {
    message: "The card has changed since.",
    details: since.map((member) => ({
      path: fieldOf(member),
      message: `Was changed to ${shown(member, to)}, and is ${shown(member, card)} now`,
    })),
  });
}

/** As the contract writes it. */
function shown(member: CardMember, values: CardMembers): string {
  return JSON.stringify(written(member, values[member] ?? null)).slice(0, 200);
}

export const undoChangeProcedure = session()
  .input(undoChangeInput)
  .output(undoChangeAnswer)
  .mutation(({ ctx, input }) => undoChange(ctx.services, ctx.access, input));
