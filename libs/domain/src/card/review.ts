import type { ReviewReason } from "@cardvault/contract";
import type { CardDraft } from "./draft.ts";

/**
 * The reasons for review. `isNotApplied`: an identification was not applied; never set on a card
 * that is identified, and gone once it is. `isClearedByEdit`: a hand edit of title, set or number
 * answers the question; the others concern copies, which an edited title says nothing about.
 */
// oxfmt-ignore
export const reviewReasonTable: Record<
  ReviewReason,
  { isNotApplied: boolean; isClearedByEdit: boolean }
> = {
  low_confidence: { isNotApplied: true, isClearedByEdit: true },
  ambiguous: { isNotApplied: true, isClearedByEdit: true },
  unreadable: { isNotApplied: true, isClearedByEdit: true },
  providers_failed: { isNotApplied: true, isClearedByEdit: true },
  high_value: { isNotApplied: false, isClearedByEdit: true },
  order_cancelled: { isNotApplied: false, isClearedByEdit: false },
  oversold: { isNotApplied: false, isClearedByEdit: false },
};

/** Puts a card in review. A question about copies is not displaced by one about identification. */
export function putInReview(draft: CardDraft, reason: ReviewReason): void {
  const { card } = draft;
  const present = card.reviewReason;
  if (reviewReasonTable[reason].isNotApplied && card.status === "identified") return;
  if (
    present !== null &&
    !reviewReasonTable[present].isClearedByEdit &&
    reviewReasonTable[reason].isClearedByEdit
  ) {
    return;
  }
  card.needsReview = true;
  card.reviewReason = reason;
}

/** Takes a card out of review where its reason is of the kind given. */
export function clearReview(
  draft: CardDraft,
  kind: "any" | keyof (typeof reviewReasonTable)[ReviewReason],
): void {
  const { card } = draft;
  if (card.reviewReason === null) return;
  if (kind !== "any" && !reviewReasonTable[card.reviewReason][kind]) return;
  card.needsReview = false;
  card.reviewReason = null;
}
