import { maxQuantity } from "@cardvault/contract";
import { invalidMember, requireCount } from "../money.ts";
import { followQuantity, moveCard } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import { stageByFacts } from "./moves.ts";
import { putInReview } from "./review.ts";

/**
 * An order of the marketplace, a late one too, takes copies. The listing's own sale does not
 * revise it; the card's other, open listing follows.
 */
export function takeOrder(draft: CardDraft, order: { listingId: string; quantity: number }): void {
  takeCopies(draft, order.quantity, "order_took_last_copy");
  if (draft.card.openListing?.id !== order.listingId) followQuantity(draft);
}

/**
 * A sale made elsewhere, recorded by hand. It takes copies and lowers or withdraws the open listing.
 * @throws VaultError `invalid_transition` where it takes the last copy while a listing is publishing.
 */
export function sellByHand(draft: CardDraft, sale: { quantity: number }): void {
  takeCopies(draft, sale.quantity, "hand_sale_took_last_copy");
  followQuantity(draft);
}

function takeCopies(
  draft: CardDraft,
  quantity: number,
  by: "order_took_last_copy" | "hand_sale_took_last_copy",
): void {
  requireCount(quantity);
  const { card } = draft;
  const taken = Math.min(quantity, card.quantity);
  const missing = quantity - taken;
  card.quantity -= taken;
  if (taken > 0 && card.quantity === 0 && card.workflowStatus !== "sold")
    moveCard(draft, "sold", by);
  if (missing > 0) {
    card.oversoldQuantity += missing;
    putInReview(draft, "oversold");
  }
}

/**
 * A sale by hand is voided, or copies come back. Those that were sold without being there are
 * settled first; a sold card goes back to where its facts stand.
 */
export function bringBack(draft: CardDraft, quantity: number): void {
  requireCount(quantity);
  addCopies(draft, settleOversold(draft, quantity));
}

/** An order is cancelled: its copies wait for the review, whose acceptance brings them back. */
export function cancelOrder(draft: CardDraft, order: { quantity: number }): void {
  requireCount(order.quantity);
  draft.card.pendingReturnQuantity += settleOversold(draft, order.quantity);
  putInReview(draft, "order_cancelled");
}

/** Adds copies (0 or more) that are there for sale again. */
export function addCopies(draft: CardDraft, quantity: number): void {
  if (quantity === 0) return;
  const { card } = draft;
  if (card.quantity + quantity > maxQuantity) {
    throw invalidMember("quantity", `A card holds at most ${maxQuantity} copies`);
  }
  card.quantity += quantity;
  const stage = stageByFacts(card);
  if (card.workflowStatus === "sold" && stage !== null) moveCard(draft, stage, "copies_came_back");
  followQuantity(draft);
}

/** How many of the copies are left once those that were never there are settled. */
function settleOversold(draft: CardDraft, quantity: number): number {
  const settled = Math.min(quantity, draft.card.oversoldQuantity);
  draft.card.oversoldQuantity -= settled;
  return quantity - settled;
}
