import type { SellerStore } from "./seller.ts";
import type { ItemRecord, ListingState, OfferRecord, SkuCounts } from "./shapes.ts";

export async function offersOfSku(seller: SellerStore, sku: string): Promise<OfferRecord[]> {
  const offers: OfferRecord[] = [];
  // A SKU has one offer of a kind; cards have this kind alone.
  const offerId = await seller.read<string>("offer_of", sku, "EBAY_US", "FIXED_PRICE");
  const offer = offerId === null ? null : await seller.read<OfferRecord>("offer", offerId);
  if (offer !== null) offers.push(offer);
  return offers;
}

/** Whether buyers can find it, be it that nothing is left. */
export function isLive({ listing }: OfferRecord): boolean {
  return listing !== null && (listing.status === "ACTIVE" || listing.status === "OUT_OF_STOCK");
}

/** How many the offer and its item let buyers have. */
export function availableOf(item: ItemRecord, offer: OfferRecord): number {
  const ofItem = item.body.availability?.shipToLocationAvailability?.quantity ?? 0;
  return Math.min(ofItem, offer.terms.availableQuantity ?? ofItem);
}

/** A live listing follows the quantity of its item and offer. */
export function restock(seller: SellerStore, item: ItemRecord, offer: OfferRecord): void {
  const { listing } = offer;
  if (listing === null) return;
  listing.quantity = availableOf(item, offer);
  listing.status = statusFor(seller, listing.quantity);
  listing.shown = null;
}

/** A listing of which nothing is left ends, unless the seller keeps it. */
export function statusFor(seller: SellerStore, quantity: number): ListingState["status"] {
  if (quantity > 0) return "ACTIVE";
  return seller.record.options.out_of_stock_control ? "OUT_OF_STOCK" : "ENDED";
}

/** What is shown of a listing at this moment. */
export function shownState(seller: SellerStore, offer: OfferRecord): ListingState | null {
  const { listing } = offer;
  if (listing === null) return null;
  const { shown } = listing;
  return shown !== null && seller.now.getTime() < shown.until ? shown.state : listing;
}

export async function countFor(
  seller: SellerStore,
  sku: string,
  kind: keyof SkuCounts,
): Promise<void> {
  const counts = (await seller.read<SkuCounts>("count", sku)) ?? noCounts();
  counts[kind] += 1;
  await seller.write("count", [sku], counts);
}

export const noCounts = (): SkuCounts => ({ offers_made: 0, listings_made: 0, withdrawn: 0 });
