import { requireCount, requireCurrency } from "../money.ts";
import type { ListingState } from "./state.ts";

/** What a new listing offers; it is publishing from the first moment. */
export type NewListing = Pick<
  ListingState,
  "id" | "cardId" | "marketplace" | "title" | "description" | "categoryId" | "price" | "quantity"
>;

/**
 * A new listing. The card's own rules are those of `listing_publishing`.
 * @param accountCurrency ISO 4217
 * @throws VaultError `validation_failed` for a price in another currency or without a copy.
 */
export function createListing(command: NewListing, accountCurrency: string): ListingState {
  requireCurrency(accountCurrency, { price: command.price });
  requireCount(command.quantity);
  return {
    ...command,
    status: "publishing",
    format: "fixed_price",
    externalListingId: null,
    url: null,
    quantitySold: 0,
    publishedAt: null,
    endedAt: null,
    endReason: null,
    soldAt: null,
    soldPrice: null,
    orderId: null,
    error: null,
    lastSyncedAt: null,
  };
}
