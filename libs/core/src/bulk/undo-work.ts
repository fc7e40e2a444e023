import { VaultError } from "@cardvault/contract";
import { readJobChanges } from "@cardvault/db";
import type { AccountUnit, StoredChange } from "@cardvault/db";
import {
  canBeUndone,
  changedSince,
  decideCard,
  fieldOf,
  membersOf,
  withoutMembers,
} from "@cardvault/domain";
import type { CardState } from "@cardvault/domain";
import { rememberedMemberships } from "./card-actions.ts";
import type { CardStep, CardWork, Remark } from "./card-work.ts";

/** Gives each card back what a job replaced, by the history of that job. */
export function undoWork(undoneJobId: string): CardWork {
  return {
    begin: async (unit, cardIds) => {
      const changes = await readJobChanges(unit.tx, unit.accountId, undoneJobId, cardIds);
      const memberships = rememberedMemberships(unit);
      return (card) => undoOne(unit, card, changes.get(card.id), memberships);
    },
  };
}

async function undoOne(
  unit: AccountUnit,
  card: CardState,
  stored: StoredChange | undefined,
  memberships: ReturnType<typeof rememberedMemberships>,
): Promise<CardStep> {
  if (stored === undefined) throw new VaultError("not_found");
  const { to, from } = membersOf(stored.changes);
  const since = changedSince(card, to);
  const rest = withoutMembers({ from, to }, since);
  const remark: Remark | undefined =
    since.length === 0
      ? undefined
      : { code: "changed_since", message: `Changed since: ${since.map(fieldOf).join(", ")}.` };
  if (!canBeUndone(rest.from)) {
    return {
      type: "skip",
      remark: remark ?? { code: "cannot_be_undone", message: "The change cannot be undone." },
    };
  }
  const batches = {
    now: await memberships(card.batchId),
    before: await memberships(rest.from.batchId ?? null),
  };
  const accountCurrency = unit.account.currency;
  const change = { ...rest, accountCurrency, batches };
  return {
    type: "apply",
    outcome: decideCard(card, { type: "undo_change", change }, unit.stamp),
    remark,
  };
}
