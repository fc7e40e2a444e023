import {
  changeAccount,
  findPublication,
  lookAtAccount,
  readListingPhotos,
  writePublication,
} from "@cardvault/db";
import type {
  AccountUnit,
  AskedListing,
  Publication,
  PublicationStep,
  SellerChoices,
} from "@cardvault/db";
import { aspectsOf, decideListing } from "@cardvault/domain";
import type { CardState, ListingError, ListingState } from "@cardvault/domain";
import type { MarketplaceItem, MarketplaceOfferTerms } from "@cardvault/providers";
import { readListingJob } from "../../listings/listing-jobs.ts";
import type { PhotoUrls } from "../../photos/photo-urls.ts";
import type { WorkContext, WorkOutcome } from "../../work/handler.ts";
import type { MarketplaceNeeds } from "../open-marketplace.ts";
import { waitAfterMs } from "./listing-failure.ts";

/** What jobs of listings work with. */
export type ListingNeeds = MarketplaceNeeds & { photoUrls: PhotoUrls };

/** A listing with all that its next step depends on, as it is at this moment. */
export interface Subject {
  listing: ListingState;
  card: CardState;
  publication: Publication;
  photoIds: string[];
  isSuspended: boolean;
}

/** One run of a job for one listing. */
export interface ListingRun {
  needs: ListingNeeds;
  context: WorkContext;
  accountId: string;
  listingId: string;
}

/** Who changes what the marketplace has done. */
export const byMarketplace = {
  actor: { kind: "system", id: null },
  via: "marketplace",
} as const;

export function listingRun(needs: ListingNeeds, context: WorkContext): ListingRun {
  const { listingId } = readListingJob(context.job);
  return { needs, context, accountId: context.job.accountId ?? "", listingId };
}

/** Null where the listing is gone, or was never published by us. */
export async function readSubject({
  needs,
  accountId,
  listingId,
}: ListingRun): Promise<Subject | null> {
  return lookAtAccount(needs.db, accountId, async ({ tx, account, cards, listings }) => {
    const publication = await findPublication(tx, accountId, listingId);
    if (publication === null) return null;
    const listing = await listings.get(listingId);
    const card = await cards.get(listing.cardId);
    const photos = await readListingPhotos(tx, accountId, [card.id]);
    const { isSuspended } = account;
    return { listing, card, publication, photoIds: photos.get(card.id) ?? [], isSuspended };
  });
}

/** The listing as the card has it now, under the listing's own title, description and price. */
export function askedOf({ listing, card, photoIds }: Subject): AskedListing {
  const { title, description, categoryId, price, quantity, quantitySold } = listing;
  return {
    title,
    description: description ?? "",
    categoryId: categoryId ?? "",
    price,
    quantity: quantity - quantitySold,
    condition: card.condition,
    grading: card.grading,
    aspects: aspectsOf(card, categoryId),
    photoIds: [...photoIds],
  };
}

/** What the marketplace takes of one listing. */
const mostPhotos = 24;
const mostItemDescription = 4_000;

/** An empty one is refused; the title says at least what it is. */
function wordsOf({ title, description }: AskedListing): string {
  return description === "" ? title : description;
}

/** The marketplace shows HTML. What has no markup of its own keeps its lines, and its signs are no markup. */
function markupOf(text: string): string {
  if (/<\/?[a-z][^>]*>/i.test(text)) return text;
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replaceAll("\n", "<br />");
}

export function itemOf(sku: string, asked: AskedListing, photoUrls: PhotoUrls): MarketplaceItem {
  const { title, quantity, categoryId, condition, grading, aspects } = asked;
  const imageUrls = asked.photoIds.slice(0, mostPhotos).map((id) => photoUrls.urlOf(id, "full"));
  return {
    sku,
    title,
    description: wordsOf(asked).slice(0, mostItemDescription),
    quantity,
    categoryId,
    condition,
    grading: grading && {
      grader: grading.grader,
      grade: grading.grade,
      cert_number: grading.certNumber,
      qualifier: grading.qualifier,
    },
    aspects,
    imageUrls,
  };
}

export function termsOf(
  sku: string,
  asked: AskedListing,
  choices: SellerChoices,
): MarketplaceOfferTerms {
  const { categoryId, price, quantity } = asked;
  return {
    sku,
    categoryId,
    description: markupOf(wordsOf(asked)),
    price,
    quantity,
    paymentPolicyId: choices.paymentPolicyId ?? "",
    returnPolicyId: choices.returnPolicyId ?? "",
    fulfillmentPolicyId: choices.fulfillmentPolicyId ?? "",
    locationKey: choices.locationKey ?? "",
  };
}

type StepFacts = Partial<
  Pick<Publication, "offerId" | "asked" | "unsettledAt" | "stepEndedAt" | "refusal">
>;

/** Writes down which call is made next, before it is made. */
export async function beginStep(
  run: ListingRun,
  step: PublicationStep,
  facts: StepFacts = {},
): Promise<void> {
  const now = run.needs.clock.now();
  await writeFacts(run, { step, stepBeganAt: now, stepEndedAt: null, ...facts });
}

/** Writes beside the listing, under the job's lease: a run that has lost it writes nothing more. */
export async function writeFacts(
  { needs, context, accountId, listingId }: ListingRun,
  facts: Parameters<typeof writePublication>[3],
): Promise<void> {
  await needs.db.transaction(async (tx) => {
    await context.saveProgress(tx, {});
    await writePublication(tx, accountId, listingId, facts);
  });
}

/** Changes the account under the job's lease. */
export function changeListing<T>(
  { needs, context, accountId }: ListingRun,
  work: (unit: AccountUnit) => Promise<T>,
): Promise<T> {
  const { db, clock } = needs;
  return changeAccount(db, { accountId, clock, by: byMarketplace }, async (unit) => {
    await context.saveProgress(unit.tx, {});
    return work(unit);
  });
}

/**
 * Waits and goes on with the same step. What it waits for stands on the listing; said once, so that those
 * who poll are not told the same again and again.
 */
export async function waitWith(
  run: ListingRun,
  { listing, publication }: Subject,
  error: ListingError,
  waiting: { retryAfterMs?: number | null; facts?: StepFacts } = {},
): Promise<WorkOutcome> {
  const { tries } = publication;
  const now = run.needs.clock.now();
  const waitMs = waitAfterMs(tries, waiting.retryAfterMs ?? null);
  const nextTryAt = new Date(now.getTime() + waitMs);
  const facts = { tries: tries + 1, nextTryAt, stepEndedAt: now, ...waiting.facts };
  if (listing.error?.code === error.code && listing.error.message === error.message) {
    await writeFacts(run, facts);
  } else {
    await changeListing(run, async (unit) => {
      await showError(unit, listing.id, error);
      await writePublication(unit.tx, run.accountId, listing.id, facts);
    });
  }
  return { type: "chunk", runAt: nextTryAt };
}

/** What is wrong stands on the listing, in a state of it that can have one. */
export async function showError(
  unit: AccountUnit,
  listingId: string,
  error: ListingError,
): Promise<void> {
  const listing = await unit.listings.get(listingId);
  if (listing.status === "publishing") {
    const command = { type: "publishing_failed", error, nothingPublished: false } as const;
    unit.listings.save(decideListing(listing, command, unit.stamp).state);
  } else if (listing.status === "live") {
    const command = { type: "revision_failed", error } as const;
    unit.listings.save(decideListing(listing, command, unit.stamp).state);
  }
}
