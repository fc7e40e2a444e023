import { decideListing } from "@cardvault/domain";
import { writePublication } from "@cardvault/db";
import type { MarketplaceFailure } from "@cardvault/providers";
import type { WorkHandler, WorkOutcome } from "../../work/handler.ts";
import { lookAtOrders } from "../orders.ts";
import { closeEnded } from "../sync-close.ts";
import { isRefusal, listingErrorOf } from "./listing-failure.ts";
import { changeListing, listingRun, readSubject, waitWith } from "./listing-run.ts";
import type { ListingNeeds, ListingRun, Subject } from "./listing-run.ts";
import { openMarketplace } from "../open-marketplace.ts";
import type { OpenedMarketplace } from "../open-marketplace.ts";

/** How soon a refusal is tried again: a copy that is gone must not stay for sale. */
const refusedAgainMs = 10 * 60 * 1_000;

/**
 * Withdraws a live listing, for as long as it takes, while the account is suspended too. What is withdrawn
 * is not closed by it: the orders are looked at once more, and that look closes it.
 */
export function withdrawHandler(needs: ListingNeeds): WorkHandler {
  return { run: (context) => withdraw(listingRun(needs, context)) };
}

async function withdraw(run: ListingRun): Promise<WorkOutcome> {
  const { needs, accountId, context } = run;
  const subject = await readSubject(run);
  if (subject === null) return { type: "done" };
  const { listing, publication } = subject;
  const isAsked = publication.withdrawReason !== null && publication.seenEndedAt === null;
  if (listing.status !== "live" || !isAsked) return { type: "done" };
  if (!(await context.renew())) return { type: "chunk" };
  const opened = await openMarketplace(needs, accountId);
  if (!opened.isOpen) {
    return waitWith(run, subject, { code: opened.code, message: opened.message, field: null });
  }
  const failure = await send(subject, opened);
  if (failure === null) {
    await markEnded(run);
    await close(run, opened);
    return { type: "done" };
  }
  const retryAfterMs = isRefusal(failure) ? refusedAgainMs : failure.retryAfterMs;
  return waitWith(run, subject, listingErrorOf(failure), { retryAfterMs });
}

async function send(
  { publication }: Subject,
  { port, seller }: OpenedMarketplace,
): Promise<MarketplaceFailure | null> {
  const found = await port.findOffer(seller, publication.sku);
  if (!found.ok) return found;
  const { offer } = found;
  if (offer === null || offer.state === "none" || offer.state === "ended") return null;
  const withdrawn = await port.withdrawOffer(seller, offer.offerId);
  return withdrawn.ok || withdrawn.code === "not_found" ? null : withdrawn;
}

/** Where the orders cannot be read now, the next look at them closes it. */
async function close({ needs, accountId, context }: ListingRun, opened: OpenedMarketplace) {
  const look = await lookAtOrders(needs, accountId, opened, context.renew);
  if (look.ok) await closeEnded(needs, accountId, look.readAt);
}

/** From here on the next look at the orders closes it. */
function markEnded(run: ListingRun): Promise<void> {
  const { accountId, listingId, needs } = run;
  return changeListing(run, async (unit) => {
    const seenEndedAt = needs.clock.now();
    await writePublication(unit.tx, accountId, listingId, {
      seenEndedAt,
      tries: 0,
      nextTryAt: null,
    });
    const listing = await unit.listings.get(listingId);
    if (listing.status !== "live" || listing.error === null) return;
    // What kept it from being withdrawn is over.
    unit.listings.save(decideListing(listing, { type: "revise" }, unit.stamp).state);
  });
}
