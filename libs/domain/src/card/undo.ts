import { VaultError } from "@cardvault/contract";
import { isSame } from "../outcome.ts";
import type { CardDraft } from "./draft.ts";
import { editCard } from "./edit.ts";
import type { CardPatch } from "./edit.ts";
import type { CardMember, CardMembers } from "./fields.ts";
import { undoIdentification, writeFields } from "./identification.ts";
import { clearReview, putInReview } from "./review.ts";
import { changeBatch, moveByHand } from "./stages.ts";
import type { BatchMembership } from "./stages.ts";
import { identificationFieldNames, identificationOf } from "./state.ts";
import type { CardState, IdentificationFields } from "./state.ts";

/** What a change that is undone replaced, and by what. */
export type UndoneChange = {
  from: CardMembers;
  to: CardMembers;
  /** ISO 4217 */
  accountCurrency: string;
  /** The batch that the card is in, and the one that it was in before the change. */
  batches: { now: BatchMembership | null; before: BatchMembership | null };
};

/** Members that follow from others: an undo of those brings them back, or nothing does. */
const consequences: readonly CardMember[] = [
  "needsReview",
  "identifiedBy",
  "identificationConfidence",
  "identifiedAt",
  "listingId",
];

/** The members of a change that the card no longer has as the change left them. */
export function changedSince(card: CardState, to: CardMembers): CardMember[] {
  return (Object.keys(to) as CardMember[]).filter((name) => !isSame(card[name], to[name]));
}

/** A change less some of its members. */
export function withoutMembers(
  change: { from: CardMembers; to: CardMembers },
  names: readonly CardMember[],
): { from: CardMembers; to: CardMembers } {
  const rest = (all: CardMembers): CardMembers =>
    Object.fromEntries(
      Object.entries(all).filter(([name]) => !names.includes(name as CardMember)),
    ) as CardMembers;
  return { from: rest(change.from), to: rest(change.to) };
}

/** Whether an undo has anything to give back. */
export function canBeUndone(from: CardMembers): boolean {
  return (Object.keys(from) as CardMember[]).some((name) => !consequences.includes(name));
}

/**
 * Gives a card back what a change replaced, by the rules that any other change meets: a price that is
 * cleared takes its stage with it, a stage is left only where it can be, a sale is not undone like this.
 * @throws VaultError `invalid_transition`, `batch_complete`, `validation_failed`
 */
export function undoChange(draft: CardDraft, change: UndoneChange): void {
  const { from, to } = change;
  if (!canBeUndone(from)) {
    throw new VaultError("invalid_transition", { message: "This change cannot be undone." });
  }
  if (from.status === "imported" && to.status === "identified") {
    undoIdentification(draft, {
      fields: { ...identificationOf(draft.card), ...identificationIn(from) },
      reviewReason: null,
    });
  } else if (draft.card.status === "imported" && from.status === undefined) {
    // A title alone would identify the card.
    writeFields(draft.card, identificationIn(from));
  }
  editCard(draft, patchOf(draft.card, from), change.accountCurrency);
  if (from.marketPrice !== undefined) draft.card.marketPrice = from.marketPrice;
  if (from.batchId !== undefined) changeBatch(draft, change.batches.now, change.batches.before);
  undoReview(draft, from);
  if (from.workflowStatus !== undefined) moveByHand(draft, from.workflowStatus);
}

function identificationIn(from: CardMembers): Partial<IdentificationFields> {
  return Object.fromEntries(
    identificationFieldNames
      .filter((name) => from[name] !== undefined)
      .map((name) => [name, from[name]]),
  );
}

/** An identification that was taken back is given again by hand, which takes a title. */
function patchOf(card: CardState, from: CardMembers): CardPatch {
  const { condition, grading, askingPrice, priceFloor, purchasePrice, location } = from;
  const { notes, tags, externalIds, sku, quantity } = from;
  const rest = { priceFloor, purchasePrice, location, notes, tags, externalIds, sku, quantity };
  const identification = card.status === "identified" ? identificationIn(from) : {};
  const again = from.status === "identified" && card.status === "imported";
  return {
    ...(again ? { title: card.title, ...identificationIn(from) } : identification),
    condition,
    grading,
    askingPrice,
    ...rest,
  };
}

function undoReview(draft: CardDraft, { reviewReason }: CardMembers): void {
  if (reviewReason === undefined || draft.card.reviewReason === reviewReason) return;
  if (reviewReason === null) clearReview(draft, "any");
  else putInReview(draft, reviewReason);
}
