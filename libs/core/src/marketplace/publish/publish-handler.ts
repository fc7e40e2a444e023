import type { MarketplaceFailure, MarketplaceOffer } from "@cardvault/providers";
import type { ListingError } from "@cardvault/domain";
import { isExternalListingKnown } from "@cardvault/db";
import type { WorkHandler, WorkOutcome } from "../../work/handler.ts";
import { concludeFailed, concludeLive } from "./conclude.ts";
import { isRefusal, listingErrorOf } from "./listing-failure.ts";
import {
  askedOf,
  beginStep,
  itemOf,
  listingRun,
  readSubject,
  termsOf,
  waitWith,
  writeFacts,
} from "./listing-run.ts";
import type { ListingNeeds, ListingRun, Subject } from "./listing-run.ts";
import { openMarketplace } from "../open-marketplace.ts";
import type { OpenedMarketplace } from "../open-marketplace.ts";

/**
 * A call to publish whose answer was lost may take effect for so long: until then nobody says that nothing
 * is published.
 */
const settleMs = 2 * 60 * 1_000;

/** A refusal is followed by a look, and by no more than that. */
const mostRounds = 3;

/**
 * Publishes one listing. Each run begins by asking what is there under the card's SKU, so that it does not
 * matter where the run before it ended; each call is written down before it is made, and can be made again.
 */
export function publishHandler(needs: ListingNeeds): WorkHandler {
  return { pausesWhenSuspended: true, run: (context) => publish(listingRun(needs, context)) };
}

async function publish(run: ListingRun): Promise<WorkOutcome> {
  for (let round = 0; round < mostRounds; round += 1) {
    const outcome = await publishOnce(run);
    if (outcome !== "again") return outcome;
  }
  return { type: "chunk" };
}

async function publishOnce(run: ListingRun): Promise<WorkOutcome | "again"> {
  const { context, needs, accountId } = run;
  if (!(await context.renew())) return { type: "chunk" };
  const subject = await readSubject(run);
  if (subject === null || subject.listing.status !== "publishing") return { type: "done" };
  // Suspended since the job was claimed: the next claim pauses it.
  if (subject.isSuspended) return { type: "chunk" };
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) {
    return waitWith(run, subject, { code: opened.code, message: opened.message, field: null });
  }
  await beginStep(run, "look");
  const found = await opened.port.findOffer(opened.seller, subject.publication.sku);
  if (!found.ok) return waitForAnswer(run, subject, found);
  const { offer } = found;
  const address = await addressOf(run, subject, offer);
  if (address !== null) {
    await concludeLive(run, address, { offer });
    return { type: "done" };
  }
  const ending = endingOf(subject, needs.clock.now());
  if (ending !== null) return end(run, subject, ending);
  return give(run, subject, opened, offer);
}

/**
 * Where it is live, if it is. One that is live under our SKU is taken for ours, whoever put it there; one
 * that has ended already only where we asked for it and no other listing of ours was it.
 */
async function addressOf(
  { needs, accountId }: ListingRun,
  { publication }: Subject,
  offer: MarketplaceOffer | null,
): Promise<{ externalListingId: string; url: string } | null> {
  if (offer === null || offer.externalListingId === null || offer.url === null) return null;
  const { externalListingId, url, state } = offer;
  const address = { externalListingId, url };
  if (state === "active") return address;
  if (publication.unsettledAt === null) return null;
  const isOurs = !(await isExternalListingKnown(needs.db, accountId, externalListingId));
  return isOurs ? address : null;
}

/** Why it is not to be published any more; null while it is. */
function endingOf({ card, publication, listing }: Subject, now: Date): ListingError | null {
  if (publication.refusal !== null) return publication.refusal;
  if (publication.cancelRequestedAt !== null) {
    return { code: "cancelled", message: "Publishing was cancelled.", field: null };
  }
  if (card.quantity < 1 || publication.withdrawReason !== null) {
    return { code: "out_of_stock", message: "No copy is left.", field: "quantity" };
  }
  if (publication.deadlineAt > now) return null;
  const last = listing.error === null ? "" : ` ${listing.error.message}`;
  return { code: "timed_out", message: `It was not live after 24 hours.${last}`, field: null };
}

async function end(
  run: ListingRun,
  subject: Subject,
  error: ListingError,
): Promise<WorkOutcome | "again"> {
  const { unsettledAt } = subject.publication;
  const now = run.needs.clock.now();
  const settledAt = unsettledAt === null ? now : new Date(unsettledAt.getTime() + settleMs);
  if (settledAt > now) {
    await writeFacts(run, { nextTryAt: settledAt, stepEndedAt: now });
    return { type: "chunk", runAt: settledAt };
  }
  return (await concludeFailed(run, error, subject.publication)) ? { type: "done" } : "again";
}

/** Gives the marketplace the item and the offer, and has it published. */
async function give(
  run: ListingRun,
  subject: Subject,
  { port, seller, choices }: OpenedMarketplace,
  offer: MarketplaceOffer | null,
): Promise<WorkOutcome | "again"> {
  const { context, needs } = run;
  const { sku } = subject.publication;
  const asked = askedOf(subject);
  const terms = termsOf(sku, asked, choices);
  await beginStep(run, "item", { asked, offerId: offer?.offerId ?? null });
  const item = await port.putItem(seller, itemOf(sku, asked, needs.photoUrls));
  if (!item.ok) return waitForAnswer(run, subject, item);
  if (!(await context.renew())) return { type: "chunk" };

  await beginStep(run, offer === null ? "offer" : "terms");
  const made = await offerFor(offer);
  if (!made.ok) return waitForAnswer(run, subject, made);
  const { offerId } = made;
  if (!(await context.renew())) return { type: "chunk" };

  await beginStep(run, "publish", { offerId, unsettledAt: needs.clock.now() });
  const published = await port.publishOffer(seller, offerId);
  if (published.ok) {
    await concludeLive(run, published, { offer: null });
    return { type: "done" };
  }
  // A refusal is an answer; where there was none it may yet take effect.
  const facts = isRefusal(published) ? { unsettledAt: null } : {};
  return waitForAnswer(run, subject, published, facts);

  async function offerFor(known: MarketplaceOffer | null) {
    if (known === null) return port.createOffer(seller, terms);
    // Live with nothing left: it would go on under its old number, which is another listing of ours.
    if (known.state === "out_of_stock") {
      const withdrawn = await port.withdrawOffer(seller, known.offerId);
      if (!withdrawn.ok) return withdrawn;
    }
    const updated = await port.updateOffer(seller, known.offerId, terms);
    return updated.ok ? { ...updated, offerId: known.offerId } : updated;
  }
}

/** What passes is waited for; a refusal stands once the next look shows that nothing is published. */
async function waitForAnswer(
  run: ListingRun,
  subject: Subject,
  failure: MarketplaceFailure,
  facts: { unsettledAt?: null } = {},
): Promise<WorkOutcome | "again"> {
  const error = listingErrorOf(failure);
  if (isRefusal(failure)) {
    await writeFacts(run, { ...facts, refusal: error, stepEndedAt: run.needs.clock.now() });
    return "again";
  }
  return waitWith(run, subject, error, { retryAfterMs: failure.retryAfterMs, facts });
}
