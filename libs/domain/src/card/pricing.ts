import type { Money } from "@cardvault/contract";
import { domainEvent, isSame } from "../outcome.ts";
import { makeFactTrue, moveCard, requireNoOpenListing } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import type { MarketPrice } from "./state.ts";

/**
 * Sets or clears (null) the asking price. The first price of a card's life fires `card.priced`;
 * the price that makes a card priced moves it on, and a new one revises the open listing.
 * @throws VaultError `invalid_transition` where it is cleared while a listing is open.
 */
export function setAskingPrice(draft: CardDraft, price: Money | null): void {
  const { card } = draft;
  if (isSame(card.askingPrice, price)) return;
  if (price === null) {
    clearAskingPrice(draft);
    return;
  }
  makeFactTrue(draft, () => {
    card.askingPrice = price;
    if (card.firstPricedAt === null) {
      card.firstPricedAt = draft.now;
      draft.events.push(domainEvent("card.priced", { card_id: card.id, asking_price: price }));
    }
  });
  if (card.openListing !== null) {
    draft.effects.push({
      type: "revise_listing",
      listingId: card.openListing.id,
      afterPublishing: card.openListing.status === "publishing",
      askingPrice: price,
    });
  }
}

function clearAskingPrice(draft: CardDraft): void {
  const { card } = draft;
  requireNoOpenListing(card, "The asking price cannot be cleared");
  card.askingPrice = null;
  if (card.workflowStatus === "priced" || card.workflowStatus === "photographed") {
    moveCard(draft, "identified", "price_cleared");
  }
}

/** Stores what a card is worth by a source; it is never an asking price and keeps its currency. */
export function setMarketPrice(draft: CardDraft, price: MarketPrice | null): void {
  draft.card.marketPrice = price;
}
