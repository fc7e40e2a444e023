import { listingMaxima } from "@cardvault/contract";
import { insertFoundPublication } from "@cardvault/db";
import type { AccountUnit, Database, ListingToSync } from "@cardvault/db";
import { createListing, decideListingAndCard } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { MarketplaceOffer } from "@cardvault/providers";
import { writeOutcome } from "../cards/write-outcome.ts";
import { byMarketplace } from "./sync-take-line.ts";

/** A marketplace shows a listing that has ended as live for some minutes yet. */
const settledMs = 10 * 60_000;

type LiveOffer = MarketplaceOffer & { externalListingId: string };

/** Whether the offer of a closed listing is live: somebody has listed the card again outside. */
export function isFoundOutside(
  { status }: ListingToSync,
  offer: MarketplaceOffer | null,
): offer is LiveOffer {
  const isClosed = status === "ended" || status === "sold";
  return isClosed && offer?.state === "active" && offer.externalListingId !== null;
}

/** A listing that was found live under our SKU becomes a row of ours, and its card is listed. */
export async function takeFound(
  db: Database,
  unit: AccountUnit,
  closed: ListingToSync,
  offer: LiveOffer,
  seenAt: Date,
): Promise<void> {
  const before = await unit.listings.get(closed.id);
  const card = await unit.cards.get(closed.cardId);
  if (card.openListing !== null || card.listingId !== closed.id) return;
  const { endedAt, externalListingId } = before;
  const isSame = externalListingId === offer.externalListingId;
  if (isSame && endedAt !== null && seenAt.getTime() - endedAt.getTime() < settledMs) return;
  const { currency } = unit.account;
  const price = offer.price?.currency === currency && offer.price.amount > 0 ? offer.price : null;
  const listing = createListing(
    {
      id: newId("lst"),
      cardId: card.id,
      marketplace: before.marketplace,
      title: before.title.slice(0, listingMaxima.title),
      description: before.description,
      categoryId: before.categoryId,
      price: price ?? before.price,
      quantity: Math.max(1, offer.quantity ?? 1),
    },
    currency,
  );
  const url = offer.url ?? before.url ?? "";
  const command = { type: "go_live", externalListingId: offer.externalListingId, url } as const;
  const outcome = decideListingAndCard(listing, card, command, unit.stamp);
  unit.listings.create({ ...outcome.listing.state, lastSyncedAt: seenAt });
  unit.cards.save(outcome.card.state);
  await writeOutcome(db, unit, byMarketplace, outcome.card);
  await unit.tx.em.flush();
  const found = { listingId: listing.id, sku: closed.sku, offerId: offer.offerId };
  await insertFoundPublication(unit.tx, unit.accountId, found, seenAt);
}
