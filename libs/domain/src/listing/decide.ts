import { VaultError } from "@cardvault/contract";
import type { ListingStatus, Money } from "@cardvault/contract";
import { applyCardCommand } from "../card/decide.ts";
import type { CardCommand } from "../card/decide.ts";
import { changeCard } from "../card/draft.ts";
import type { CardOutcome } from "../card/draft.ts";
import type { CardState } from "../card/state.ts";
import { invalidMember, requireCount, requireCurrency } from "../money.ts";
import { domainEvent, outcomeOf } from "../outcome.ts";
import type { DomainEvent, Outcome } from "../outcome.ts";
import { requireRow } from "../table.ts";
import { listingCommandStates, listingMoves, quantityLeft } from "./state.ts";
import type {
  ListingAddress,
  ListingCommand,
  ListingOrder,
  ListingState,
  ListingTrigger,
} from "./state.ts";

/** One step of a listing's change: what it fires, or what it means for the card. */
type Step = { event: DomainEvent } | { card: CardCommand };

type ListingDraft = { listing: ListingState; steps: Step[]; now: Date };

/** What a command answers for a listing, and what the card must be told, in that order. */
export type ListingOutcome = Outcome<ListingState> & { cardCommands: CardCommand[] };

/**
 * The listing after a command.
 * @throws VaultError `invalid_transition`, `conflict`, `validation_failed`: then nothing has changed.
 */
export function decideListing(
  listing: ListingState,
  command: ListingCommand,
  now: Date,
): ListingOutcome {
  const draft = runCommand(listing, command, now);
  const events = draft.steps.flatMap((step) => ("event" in step ? [step.event] : []));
  const cardCommands = draft.steps.flatMap((step) => ("card" in step ? [step.card] : []));
  return { ...outcomeOf(listing, draft.listing, events), cardCommands };
}

/**
 * The listing and its card after a command of the listing, as one change: `events` are those of
 * both, in the order of the steps.
 * @throws VaultError as `decideListing`, and what the card refuses.
 */
export function decideListingAndCard(
  listing: ListingState,
  card: CardState,
  command: ListingCommand,
  now: Date,
): { listing: ListingOutcome; card: CardOutcome; events: DomainEvent[] } {
  const { steps } = runCommand(listing, command, now);
  const cardOutcome = changeCard(card, now, (draft) => {
    for (const step of steps) {
      if ("event" in step) draft.events.push(step.event);
      else applyCardCommand(draft, step.card);
    }
  });
  return {
    listing: decideListing(listing, command, now),
    card: cardOutcome,
    events: cardOutcome.events,
  };
}

function runCommand(before: ListingState, command: ListingCommand, now: Date): ListingDraft {
  if (!listingCommandStates[command.type].includes(before.status)) {
    throw new VaultError("invalid_transition", {
      message: `A listing that is ${before.status} does not take this.`,
    });
  }
  const draft: ListingDraft = { listing: { ...before }, steps: [], now };
  applyListingCommand(draft, command);
  return draft;
}

function applyListingCommand(draft: ListingDraft, command: ListingCommand): void {
  switch (command.type) {
    case "go_live":
      return goLive(draft, command);
    case "publishing_failed":
      return publishingFailed(draft, command);
    case "order":
      return takeOrder(draft, command.order, command.address);
    case "cancel_order":
      return cancelOrder(draft, command);
    case "close":
      return close(draft, command);
    case "revise":
      return revise(draft, command);
    case "revision_failed":
      draft.listing.error = command.error;
      return;
    case "synced":
      draft.listing.lastSyncedAt = draft.now;
  }
}

function move({ listing }: ListingDraft, to: ListingStatus, by: ListingTrigger): void {
  requireRow("listing", listingMoves, listing.status, to, by);
  listing.status = to;
}

function goLive(draft: ListingDraft, { externalListingId, url }: ListingAddress): void {
  const { listing, now } = draft;
  move(draft, "live", "went_live");
  Object.assign(listing, { externalListingId, url, publishedAt: now, error: null });
  draft.steps.push(
    {
      event: domainEvent("listing.published", {
        ...eventMembers(listing),
        url,
        price: listing.price,
        published_at: now.toISOString(),
      }),
    },
    { card: { type: "listing_live", listingId: listing.id } },
  );
}

/** While it cannot be known that nothing is published, the listing stays publishing and says so. */
function publishingFailed(
  draft: ListingDraft,
  command: Extract<ListingCommand, { type: "publishing_failed" }>,
): void {
  const { listing } = draft;
  listing.error = command.error;
  if (!command.nothingPublished) return;
  move(draft, "failed", "failed_to_publish");
  listing.endedAt = draft.now;
  draft.steps.push({ card: { type: "listing_closed", listingId: listing.id } });
}

/**
 * An order takes copies, of the card too. The last copy closes the listing; an order on an ended
 * one makes it sold, and a further one on a sold one adds to it and fires nothing.
 */
function takeOrder(
  draft: ListingDraft,
  order: ListingOrder,
  address: ListingAddress | undefined,
): void {
  const { listing } = draft;
  if (listing.status === "publishing") {
    if (address === undefined) {
      throw invalidMember("address", "An order of a publishing listing must say where it is live");
    }
    goLive(draft, address);
  }
  requireCount(order.quantity);
  requireCurrency(listing.price.currency, { sold_price: order.total });
  const left = Math.max(0, quantityLeft(listing) - order.quantity);
  listing.quantitySold += order.quantity;
  listing.quantity = left + listing.quantitySold;
  listing.soldPrice = plus(listing.soldPrice, order.total);
  listing.orderId = order.orderId;
  listing.soldAt = order.soldAt;
  draft.steps.push({
    card: { type: "take_order", listingId: listing.id, quantity: order.quantity },
  });
  if (listing.status === "live" && left === 0) sell(draft, "sold_out");
  if (listing.status === "ended") sell(draft, "late_order");
}

/** The orders of a listing are reversed in its sums; whether the copies are back is for review. */
function cancelOrder(
  draft: ListingDraft,
  cancelled: Extract<ListingCommand, { type: "cancel_order" }>,
): void {
  const { listing } = draft;
  requireCount(cancelled.quantity);
  const { soldPrice } = listing;
  if (
    soldPrice === null ||
    cancelled.quantity > listing.quantitySold ||
    cancelled.total.currency !== soldPrice.currency ||
    cancelled.total.amount > soldPrice.amount
  ) {
    throw new VaultError("conflict", { message: "The listing has sold less than that." });
  }
  const left = quantityLeft(listing);
  listing.quantitySold -= cancelled.quantity;
  listing.quantity = left + listing.quantitySold;
  listing.soldPrice = {
    amount: soldPrice.amount - cancelled.total.amount,
    currency: soldPrice.currency,
  };
  if (listing.status === "live" && listing.quantitySold === 0) {
    Object.assign(listing, { soldPrice: null, orderId: null, soldAt: null });
  }
  draft.steps.push({ card: { type: "cancel_order", quantity: cancelled.quantity } });
}

/** Closed with copies sold it is sold, else ended; and only after one more look at the orders. */
function close(draft: ListingDraft, command: Extract<ListingCommand, { type: "close" }>): void {
  const { listing, now } = draft;
  if (command.ordersReadAt.getTime() < command.seenEndedAt.getTime()) {
    throw new VaultError("conflict", {
      message: "The orders must be read once more before the listing is closed.",
    });
  }
  listing.endReason = command.reason;
  if (listing.quantitySold > 0) {
    sell(draft, "closed_with_sales");
    return;
  }
  move(draft, "ended", "closed_without_sales");
  listing.endedAt = now;
  draft.steps.push(
    {
      event: domainEvent("listing.ended", {
        ...eventMembers(listing),
        end_reason: command.reason,
        ended_at: now.toISOString(),
      }),
    },
    { card: { type: "listing_closed", listingId: listing.id } },
  );
}

function sell(draft: ListingDraft, by: ListingTrigger): void {
  const { listing, now } = draft;
  move(draft, "sold", by);
  listing.endedAt ??= now;
  draft.steps.push(
    {
      event: domainEvent("listing.sold", {
        ...eventMembers(listing),
        sold_price: listing.soldPrice ?? { amount: 0, currency: listing.price.currency },
        quantity: listing.quantitySold,
        order_id: listing.orderId ?? "",
        sold_at: (listing.soldAt ?? now).toISOString(),
      }),
    },
    { card: { type: "listing_closed", listingId: listing.id } },
  );
}

/** What the marketplace has taken over; an earlier error of a revision is settled by it. */
function revise(draft: ListingDraft, command: Extract<ListingCommand, { type: "revise" }>): void {
  const { listing } = draft;
  if (command.price !== undefined) {
    requireCurrency(listing.price.currency, { price: command.price });
    listing.price = command.price;
  }
  if (command.quantityLeft !== undefined) {
    requireCount(command.quantityLeft);
    listing.quantity = command.quantityLeft + listing.quantitySold;
  }
  if (command.title !== undefined) listing.title = command.title;
  if (command.description !== undefined) listing.description = command.description;
  listing.error = null;
}

function eventMembers({ id, cardId, marketplace, externalListingId }: ListingState) {
  return {
    listing_id: id,
    card_id: cardId,
    marketplace,
    external_listing_id: externalListingId ?? "",
  };
}

function plus(sum: Money | null, amount: Money): Money {
  return { amount: (sum?.amount ?? 0) + amount.amount, currency: amount.currency };
}
