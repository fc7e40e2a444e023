import { settleWanted, writePublication } from "@cardvault/db";
import type { AskedListing, WantedRevision } from "@cardvault/db";
import { aspectsOf, decideListing } from "@cardvault/domain";
import type { ListingError } from "@cardvault/domain";
import type { MarketplaceFailure, MarketplaceOffer } from "@cardvault/providers";
import { askForRevision } from "../../listings/listing-jobs.ts";
import type { WorkHandler, WorkOutcome } from "../../work/handler.ts";
import { isRefusal, listingErrorOf } from "./listing-failure.ts";
import {
  askedOf,
  byMarketplace,
  changeListing,
  itemOf,
  listingRun,
  readSubject,
  showError,
  termsOf,
  waitWith,
} from "./listing-run.ts";
import type { ListingNeeds, ListingRun, Subject } from "./listing-run.ts";
import { openMarketplace } from "../open-marketplace.ts";
import { lookAtOrders } from "../orders.ts";
import type { OpenedMarketplace } from "../open-marketplace.ts";

/**
 * Brings a live listing what is wanted of it. The whole of it is sent each time, so that a run that was
 * broken off is simply made again; only what it has sent is settled, and what was asked for meanwhile is
 * the next run's.
 */
export function reviseHandler(needs: ListingNeeds): WorkHandler {
  return { pausesWhenSuspended: true, run: (context) => revise(listingRun(needs, context)) };
}

/** @param hasLooked whether the orders were read in this run */
async function revise(run: ListingRun, hasLooked = false): Promise<WorkOutcome> {
  const { needs, accountId, context } = run;
  const subject = await readSubject(run);
  if (subject === null) return { type: "done" };
  const { listing, publication, card } = subject;
  const { wanted } = publication;
  if (wanted === null || listing.status === "publishing") return { type: "done" };
  // What is closed or about to be is given nothing more.
  const isGoing = publication.withdrawReason !== null || publication.seenEndedAt !== null;
  if (listing.status !== "live" || isGoing || card.quantity < 1) {
    return settle(run, subject, { error: null });
  }
  if (subject.isSuspended) return { type: "chunk" };
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) {
    return waitWith(run, subject, { code: opened.code, message: opened.message, field: null });
  }
  const asked = wantedListing(subject, wanted);
  if (!(await context.renew())) return { type: "chunk" };
  const failure = await send(run, subject, opened, asked);
  if (failure === "sold" && !hasLooked) {
    const look = await lookAtOrders(needs, accountId, opened, context.renew);
    if (look.ok) return revise(run, true);
    return waitWith(run, subject, listingErrorOf(look.failure), look.failure);
  }
  if (failure === "sold")
    return { type: "chunk", runAt: new Date(needs.clock.now().getTime() + lateMs) };
  if (failure === "ended") return settle(run, subject, { error: null });
  if (failure === null) return settle(run, subject, { asked });
  const error = listingErrorOf(failure);
  if (isRefusal(failure) || isTooLate(run)) return settle(run, subject, { error });
  return waitWith(run, subject, error, { retryAfterMs: failure.retryAfterMs });
}

const dayMs = 24 * 60 * 60 * 1_000;

/** A revision is given up after a day as a publication is; its error stands on the listing. */
function isTooLate({ needs, context }: ListingRun): boolean {
  return needs.clock.now().getTime() - context.job.createdAt.getTime() > dayMs;
}

/** What the marketplace has, and in the place of its parts what is wanted. */
function wantedListing(subject: Subject, wanted: WantedRevision): AskedListing {
  const { card, listing, photoIds, publication } = subject;
  const now = askedOf(subject);
  const known = publication.asked ?? now;
  const kept = known.photoIds.filter((id) => photoIds.includes(id));
  const isState = wanted.condition === true;
  return {
    title: wanted.title ?? listing.title,
    description: wanted.description ?? listing.description ?? "",
    categoryId: known.categoryId,
    price: wanted.price ?? listing.price,
    // What is left: the card's copies are those that the listing may offer.
    quantity: card.quantity,
    condition: isState ? card.condition : known.condition,
    grading: isState ? card.grading : known.grading,
    aspects: isState ? aspectsOf(card, known.categoryId) : known.aspects,
    photoIds: wanted.photos === true || kept.length === 0 ? photoIds : kept,
  };
}

/** An order that the marketplace counts and does not show yet. */
const lateMs = 30_000;

/**
 * Null once it has been taken; `ended` where there is nothing live to revise; `sold` where the marketplace
 * counts copies as sold that we know nothing of: what is sent would put them up for sale again.
 */
async function send(
  run: ListingRun,
  { publication, listing }: Subject,
  { port, seller, choices }: OpenedMarketplace,
  asked: AskedListing,
): Promise<MarketplaceFailure | "ended" | "sold" | null> {
  const { sku } = publication;
  const found = await port.findOffer(seller, sku);
  if (!found.ok) return found;
  if (found.offer === null || !isLive(found.offer)) return "ended";
  if ((found.offer.quantitySold ?? 0) > listing.quantitySold) return "sold";
  const item = await port.putItem(seller, itemOf(sku, asked, run.needs.photoUrls));
  if (!item.ok) return item;
  const updated = await port.updateOffer(seller, found.offer.offerId, termsOf(sku, asked, choices));
  return updated.ok ? null : updated;
}

function isLive({ state }: MarketplaceOffer): boolean {
  return state === "active" || state === "out_of_stock";
}

/** What was sent is the listing's now, or its error stands on it; what came since is another run's. */
async function settle(
  run: ListingRun,
  { publication: seen, listing: { id } }: Subject,
  result: { asked: AskedListing } | { error: ListingError | null },
): Promise<WorkOutcome> {
  const { needs, accountId } = run;
  return changeListing(run, async (unit) => {
    const isAll = await settleWanted(unit.tx, accountId, id, seen.wantedCount);
    const before = await unit.listings.get(id);
    if (before.status === "live" && "asked" in result) {
      const { asked } = result;
      const card = await unit.cards.get(before.cardId);
      const command = {
        type: "revise",
        price: asked.price,
        title: asked.title,
        description: asked.description === "" ? null : asked.description,
        // An order may have been taken between the call and this commit.
        quantityLeft: Math.max(1, Math.min(asked.quantity, card.quantity)),
      } as const;
      unit.listings.save(decideListing(before, command, unit.stamp).state);
      await writePublication(unit.tx, accountId, id, { asked, tries: 0, nextTryAt: null });
      if (isAll && card.quantity !== asked.quantity && card.quantity > 0) {
        const place = { listingId: id, isPublishing: false };
        const again = { quantity: true } as const;
        await askForRevision(needs.db, unit, byMarketplace.actor, place, again);
      }
    } else if (!("asked" in result) && result.error !== null) {
      await showError(unit, id, result.error);
      await writePublication(unit.tx, accountId, id, { tries: 0, nextTryAt: null });
    }
    return isAll ? { type: "done" } : { type: "chunk" };
  });
}
