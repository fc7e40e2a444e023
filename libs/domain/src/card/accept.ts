import { VaultError } from "@cardvault/contract";
import type { CardDraft } from "./draft.ts";
import { identifyByHand } from "./identification.ts";
import { clearReview } from "./review.ts";
import { addCopies } from "./sales.ts";
import type { IdentificationPatch } from "./state.ts";

/**
 * Accepts a card in review: clears the mark, applies what the reviewer chose, and brings the
 * copies of cancelled orders back.
 * @throws VaultError `invalid_transition` for a card that is not in review.
 */
export function acceptReview(draft: CardDraft, identification?: IdentificationPatch): void {
  const { card } = draft;
  if (!card.needsReview) {
    throw new VaultError("invalid_transition", { message: "The card is not in review." });
  }
  clearReview(draft, "any");
  if (identification !== undefined) identifyByHand(draft, identification);
  const copies = card.pendingReturnQuantity;
  card.pendingReturnQuantity = 0;
  addCopies(draft, copies);
}
