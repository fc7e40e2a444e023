import { VaultError } from "@cardvault/contract";
import type { HistoryEvent } from "@cardvault/contract";
import { findCardChange } from "@cardvault/db";
import type { AccountUnit, Database } from "@cardvault/db";
import {
  canBeUndone,
  changedSince,
  decideCard,
  membersOf,
  withoutMembers,
} from "@cardvault/domain";
import type { CardMember } from "@cardvault/domain";
import { rememberedMemberships } from "../bulk/card-actions.ts";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";

/**
 * Gives a card back what one change replaced, by another change of the same unit. Members that were
 * changed since keep their value, but for those that must be as the change left them.
 * @returns what the change had fired: it was sent, and stays so
 * @throws VaultError `conflict` where one of `must` was changed since; `invalid_transition`
 */
export async function takeBack(
  db: Database,
  unit: AccountUnit,
  access: Access,
  { cardId, changedAt, must }: { cardId: string; changedAt: Date; must: readonly CardMember[] },
): Promise<HistoryEvent[]> {
  const card = await unit.cards.get(cardId);
  const stored = await findCardChange(unit.tx, unit.accountId, cardId, changedAt);
  if (stored === null) throw new VaultError("not_found");
  const all = membersOf(stored.changes);
  const since = changedSince(card, all.to);
  if (must.some((member) => since.includes(member))) {
    throw new VaultError("conflict", { message: "The card has changed since." });
  }
  const rest = withoutMembers(all, since);
  if (!canBeUndone(rest.from)) {
    throw new VaultError("conflict", { message: "The card has changed since." });
  }
  const memberships = rememberedMemberships(unit);
  const batches = {
    now: await memberships(card.batchId),
    before: await memberships(rest.from.batchId ?? null),
  };
  const change = { ...rest, batches, accountCurrency: unit.account.currency };
  const outcome = decideCard(card, { type: "undo_change", change }, unit.stamp);
  unit.cards.save(outcome.state);
  await writeOutcome(db, unit, access, outcome);
  return stored.events;
}
