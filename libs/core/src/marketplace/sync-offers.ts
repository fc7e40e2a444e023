import type { ListingEndReason } from "@cardvault/contract";
import {
  changeAccount,
  clearDifferences,
  clearSeenEnded,
  markSeenEnded,
  markSynced,
  readClosedToSync,
  readListingsToSync,
  readOnTheirWay,
  saveClosedPosition,
  writeDifferences,
} from "@cardvault/db";
import type { AccountUnit, ListingToSync, SeenDifference } from "@cardvault/db";
import { quantityLeft } from "@cardvault/domain";
import type { MarketplaceFailure, MarketplaceOffer } from "@cardvault/providers";
import type { OpenedMarketplace } from "./open-marketplace.ts";
import type { OrderNeeds } from "./orders.ts";
import { isFoundOutside, takeFound } from "./sync-found.ts";
import { byMarketplace } from "./sync-take-line.ts";

/** Live listings that are compared in a round, and closed ones that are looked at for having been listed again. */
const liveAtOnce = 100;
const closedAtOnce = 30;
/** Who lists a card again elsewhere does so soon, or is not found by this. */
const closedForMs = 30 * 24 * 60 * 60_000;
/** Calls that are under way at a time. */
const callsAtOnce = 4;
/** Listings of one commit. */
const listingsAtOnce = 50;

type OffersCompared =
  | { readonly ok: true; readonly compared: number; readonly seenEnded: number }
  | { readonly ok: false; readonly failure: MarketplaceFailure };

interface Compared {
  listing: ListingToSync;
  offer: MarketplaceOffer | null;
}

/**
 * Compares listings with their offers: what has ended is noted, and closed once the orders were read again; another
 * price or number of copies is written down to be shown; what was listed again outside becomes a listing of ours.
 * Those go first that were not compared for longest.
 */
export async function compareOffers(
  needs: OrderNeeds,
  accountId: string,
  { port, seller }: OpenedMarketplace,
  renew: () => Promise<boolean>,
): Promise<OffersCompared> {
  const { db, clock, logger } = needs;
  const closedAfter = new Date(clock.now().getTime() - closedForMs);
  const closed = await readClosedToSync(db, accountId, { closedAfter, limit: closedAtOnce });
  const latest = closed.listings.filter(({ isLatest }) => isLatest);
  const listings = [...(await readListingsToSync(db, accountId, liveAtOnce)), ...latest];
  let seenEnded = 0;
  for (let start = 0; start < listings.length; start += listingsAtOnce) {
    const some = listings.slice(start, start + listingsAtOnce);
    const lookedAt = clock.now();
    const compared: Compared[] = [];
    const queue = some.values();
    let failure: MarketplaceFailure | undefined;
    await Promise.all(
      Array.from({ length: callsAtOnce }, async () => {
        for (const listing of queue) {
          if (failure !== undefined) return;
          const found = await port.findOffer(seller, listing.sku);
          if (found.ok) compared.push({ listing, offer: found.offer });
          else if (found.code === "not_found") compared.push({ listing, offer: null });
          else if (isOfAll(found)) failure = found;
          else
            logger.warn({ listingId: listing.id, code: found.code }, "an offer was not answered");
        }
      }),
    );
    if (failure !== undefined) return { ok: false, failure };
    seenEnded += await writeCompared(needs, accountId, { some, compared, lookedAt });
    if (!(await renew())) break;
  }
  await saveClosedPosition(db, accountId, closed.next);
  return { ok: true, compared: listings.length, seenEnded };
}

/** The next call would meet it too. */
function isOfAll({ isPassing, code }: MarketplaceFailure): boolean {
  return isPassing || code === "consent_revoked" || code === "unauthorized";
}

async function writeCompared(
  { db, clock }: OrderNeeds,
  accountId: string,
  { some, compared, lookedAt }: { some: ListingToSync[]; compared: Compared[]; lookedAt: Date },
): Promise<number> {
  return changeAccount(db, { accountId, clock, by: byMarketplace }, async (unit) => {
    // Those that were not answered too, or they would stand at the head of each round.
    const ids = some.map(({ id }) => id);
    await markSynced(unit.tx, accountId, ids, lookedAt);
    const onTheirWay = await readOnTheirWay(unit.tx, accountId, ids);
    const ended: { listingId: string; reason: ListingEndReason }[] = [];
    const differing: SeenDifference[] = [];
    const agreeing: string[] = [];
    for (const { listing, offer } of compared) {
      if (listing.status !== "live") {
        if (isFoundOutside(listing, offer)) await takeFound(db, unit, listing, offer, lookedAt);
        continue;
      }
      const reason = endOf(listing, offer);
      if (reason !== null) {
        ended.push({ listingId: listing.id, reason });
        continue;
      }
      const difference = await differenceOf(unit, listing, offer);
      if (difference === null) agreeing.push(listing.id);
      else if (!onTheirWay.has(listing.id)) differing.push(difference);
    }
    const news = ended.filter(({ listingId }) => !wasSeen(some, listingId));
    if (news.length > 0) await markSeenEnded(unit.tx, accountId, news, lookedAt);
    await clearSeenEnded(unit.tx, accountId, [
      ...agreeing,
      ...differing.map(({ listingId }) => listingId),
    ]);
    await writeDifferences(unit.tx, accountId, differing, lookedAt);
    await clearDifferences(unit.tx, accountId, [
      ...agreeing,
      ...ended.map(({ listingId }) => listingId),
    ]);
    return ended.length;
  });
}

function wasSeen(listings: readonly ListingToSync[], id: string): boolean {
  return listings.some((listing) => listing.id === id && listing.seenEndedAt !== null);
}

/** Why a live listing of ours is live no more; null while it is. */
function endOf(
  { externalListingId }: ListingToSync,
  offer: MarketplaceOffer | null,
): ListingEndReason | null {
  if (offer === null || offer.state === "none") return "withdrawn";
  if (offer.state === "out_of_stock") return "out_of_stock";
  // Live under another id it was listed again outside: ours has ended, and that one is found next.
  const isOurs = offer.externalListingId === externalListingId;
  return offer.state === "ended" || !isOurs ? "ended_by_marketplace" : null;
}

/**
 * What the marketplace shows that we do not; null where it agrees. A sale of which the order is not read yet is no
 * difference: the next look at the orders tells.
 */
async function differenceOf(
  unit: AccountUnit,
  { id }: ListingToSync,
  offer: MarketplaceOffer | null,
): Promise<SeenDifference | null> {
  const listing = await unit.listings.get(id);
  if (listing.status !== "live" || offer === null) return null;
  const { price, quantity, quantitySold } = offer;
  const isOtherPrice =
    price !== null &&
    price.currency === listing.price.currency &&
    price.amount !== listing.price.amount;
  const isBehind = quantitySold !== null && quantitySold > listing.quantitySold;
  const isOtherQuantity = quantity !== null && !isBehind && quantity !== quantityLeft(listing);
  if (!isOtherPrice && !isOtherQuantity) return null;
  return {
    listingId: id,
    price: isOtherPrice ? price.amount : null,
    quantity: isOtherQuantity ? quantity : null,
  };
}
