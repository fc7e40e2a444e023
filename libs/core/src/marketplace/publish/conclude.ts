import { findPublication, workChannel, writePublication } from "@cardvault/db";
import type { AccountUnit, Publication } from "@cardvault/db";
import { decideListingAndCard, quantityLeft } from "@cardvault/domain";
import type { CardState, ListingAddress, ListingError, ListingState } from "@cardvault/domain";
import type { MarketplaceOffer } from "@cardvault/providers";
import { writeOutcome } from "../../cards/write-outcome.ts";
import {
  askForRevision,
  askForWithdrawal,
  enqueueListingJob,
} from "../../listings/listing-jobs.ts";
import { byMarketplace, changeListing } from "./listing-run.ts";
import type { ListingRun } from "./listing-run.ts";

const settled = { step: "done", unsettledAt: null, tries: 0, nextTryAt: null } as const;

/**
 * A listing is live: it, its card and their events in one commit, once, however often the outcome is found.
 * What was asked for meanwhile follows now.
 * @param found where it was found at the marketplace, and not answered by it
 */
export async function concludeLive(
  run: ListingRun,
  { externalListingId, url }: ListingAddress,
  { offer }: { offer: MarketplaceOffer | null },
): Promise<void> {
  const { accountId, listingId, needs } = run;
  await changeListing(run, async (unit) => {
    const before = await unit.listings.get(listingId);
    if (before.status !== "publishing") return;
    const card = await unit.cards.get(before.cardId);
    const command = { type: "go_live", externalListingId, url } as const;
    const outcome = decideListingAndCard(before, card, command, unit.stamp);
    unit.listings.save(outcome.listing.state);
    unit.cards.save(outcome.card.state);
    await writeOutcome(needs.db, unit, byMarketplace, outcome.card);
    await unit.tx.em.flush();
    const publication = await findPublication(unit.tx, accountId, listingId);
    await writePublication(unit.tx, accountId, listingId, {
      ...settled,
      stepEndedAt: needs.clock.now(),
      refusal: null,
      ...(offer === null ? {} : { offerId: offer.offerId }),
    });
    const live = outcome.listing.state;
    await follow(run, unit, { live, card: outcome.card.state, publication, offer });
  });
}

interface NowLive {
  live: ListingState;
  card: CardState;
  publication: Publication | null;
  offer: MarketplaceOffer | null;
}

/** What was asked for while it was publishing, and what the listing does not have as the card has it. */
async function follow(
  { needs }: ListingRun,
  unit: AccountUnit,
  { live, card, publication, offer }: NowLive,
): Promise<void> {
  const { db } = needs;
  const { actor } = byMarketplace;
  const place = { listingId: live.id, isPublishing: false };
  if (offer?.state === "ended") {
    await writePublication(unit.tx, unit.accountId, live.id, { seenEndedAt: needs.clock.now() });
    return;
  }
  if (publication?.withdrawReason != null) {
    await enqueueListingJob(unit, "withdraw_listing", live.id, actor, unit.stamp);
    unit.tx.afterCommit(() => db.notify(workChannel));
    return;
  }
  if (publication?.cancelRequestedAt != null) {
    await askForWithdrawal(db, unit, actor, place, "withdrawn");
    return;
  }
  if (publication?.wanted != null) {
    await enqueueListingJob(unit, "revise_listing", live.id, actor, unit.stamp);
    unit.tx.afterCommit(() => db.notify(workChannel));
  }
  const isOtherPrice = offer?.price != null && offer.price.amount !== live.price.amount;
  const price = isOtherPrice && publication?.wanted?.price === undefined ? live.price : undefined;
  const quantity = card.quantity === quantityLeft(live) ? undefined : true;
  if (price === undefined && quantity === undefined) return;
  await askForRevision(db, unit, actor, place, { price, quantity });
}

/**
 * Publishing has failed: the marketplace was asked and shows that nothing of it is published.
 * @param seen as it was when the marketplace was asked
 * @returns false where something has been asked of it since: it is looked at again
 */
export async function concludeFailed(
  run: ListingRun,
  error: ListingError,
  seen: Publication,
): Promise<boolean> {
  const { accountId, listingId, needs } = run;
  return changeListing(run, async (unit) => {
    const before = await unit.listings.get(listingId);
    if (before.status !== "publishing") return true;
    const now = await findPublication(unit.tx, accountId, listingId);
    if (now?.unsettledAt?.getTime() !== seen.unsettledAt?.getTime()) return false;
    const card = await unit.cards.get(before.cardId);
    const command = { type: "publishing_failed", error, nothingPublished: true } as const;
    const outcome = decideListingAndCard(before, card, command, unit.stamp);
    unit.listings.save(outcome.listing.state);
    unit.cards.save(outcome.card.state);
    await writeOutcome(needs.db, unit, byMarketplace, outcome.card);
    const stepEndedAt = needs.clock.now();
    // What was to follow once it is live has nothing to follow.
    await writePublication(unit.tx, accountId, listingId, {
      ...settled,
      stepEndedAt,
      wanted: null,
    });
    return true;
  });
}
