import { VaultError } from "@cardvault/contract";
import { insertPublication, workChannel } from "@cardvault/db";
import type { AccountUnit, Database, GivenTerms } from "@cardvault/db";
import { createListing, decideCard } from "@cardvault/domain";
import type { CardOutcome, CardState, ListingState } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Actor } from "../context.ts";
import { enqueueListingJob } from "./listing-jobs.ts";
import type { PlannedListing } from "./plan-listing.ts";

/** How long publishing is tried before it is given up. */
const publishForMs = 24 * 60 * 60 * 1_000;

export interface NewPublishing {
  card: CardState;
  given: GivenTerms;
  plan: PlannedListing;
}

/** A card whose publishing begins: what `write` is to put beside it. */
export interface BegunPublishing {
  listing: ListingState;
  outcome: CardOutcome;
}

/**
 * Decides that a card's publishing begins, by every rule at once.
 * @throws VaultError `already_listed`; `card_not_publishable` with every failed rule; `validation_failed`
 * for a price in another currency
 */
export function decidePublishing(
  { card, given, plan }: NewPublishing,
  accountCurrency: string,
  now: Date,
): BegunPublishing {
  requireCurrency(given, accountCurrency);
  const id = newId("lst");
  const { marketplaceProblems } = plan;
  const { price } = given;
  const command = {
    type: "listing_publishing",
    listingId: id,
    price,
    marketplaceProblems,
  } as const;
  const outcome = decideCard(card, command, now);
  // The rules have seen to it that there is a price.
  if (plan.price === null) throw new VaultError("card_not_publishable");
  const { title, description, categoryId } = plan;
  const own = { title, description, categoryId, price: plan.price, quantity: card.quantity };
  const listing = createListing(
    { id, cardId: card.id, marketplace: "ebay", ...own },
    accountCurrency,
  );
  return { listing, outcome };
}

/** @throws VaultError `validation_failed` */
export function requireCurrency({ price }: GivenTerms, accountCurrency: string): void {
  if (price === undefined || price.currency === accountCurrency) return;
  throw new VaultError("validation_failed", {
    details: [{ path: "price.currency", message: `Must be ${accountCurrency}` }],
  });
}

/**
 * Writes the listing and the job that publishes it, in one change. The card is the caller's to save.
 * Its 24 hours count from `now`.
 */
export async function writePublishing(
  db: Database,
  unit: AccountUnit,
  actor: Actor,
  { listing, outcome }: BegunPublishing,
  { given, now, bulkJobId }: { given: GivenTerms; now: Date; bulkJobId?: string | undefined },
): Promise<void> {
  unit.listings.create(listing);
  // The publication names the listing: its row has to be there.
  await unit.tx.em.flush();
  const { tx, accountId, stamp } = unit;
  await insertPublication(tx, accountId, {
    listingId: listing.id,
    sku: outcome.state.sku ?? "",
    deadlineAt: new Date(now.getTime() + publishForMs),
    given,
    bulkJobId,
  });
  await enqueueListingJob(unit, "publish_listing", listing.id, actor, stamp);
  tx.afterCommit(() => db.notify(workChannel));
}
