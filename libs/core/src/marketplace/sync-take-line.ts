import { listingMaxima, VaultError } from "@cardvault/contract";
import type { Marketplace, UnmatchedReason } from "@cardvault/contract";
import {
  clearDifferences,
  findPublication,
  insertFoundPublication,
  insertOrderLine,
  updateOrderLine,
  workChannel,
  writePublication,
} from "@cardvault/db";
import type { AccountUnit, ChangeOrigin, MatchRow, OrderLineRow } from "@cardvault/db";
import { createListing, decideCard, decideListingAndCard } from "@cardvault/domain";
import type { CardState, LineChange, ListingCommand, ListingState } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type {
  MarketplaceOffer,
  MarketplaceOrder,
  MarketplaceOrderLine,
} from "@cardvault/providers";
import { writeOutcome } from "../cards/write-outcome.ts";
import { askForWithdrawal, enqueueListingJob } from "../listings/listing-jobs.ts";
import type { OrderNeeds } from "./orders.ts";

/** What the marketplace did, found out by reading it. */
export const byMarketplace: ChangeOrigin = {
  actor: { kind: "system", id: null },
  via: "marketplace",
};

/** One order in an account's change. */
interface LineContext extends Pick<OrderNeeds, "db" | "logger"> {
  unit: AccountUnit;
  marketplace: Marketplace;
  order: MarketplaceOrder;
  /** Where SKUs are live of whose listing we know nothing yet. */
  offers: ReadonlyMap<string, MarketplaceOffer>;
}

interface LineNews {
  change: LineChange;
  /** The line as the order has it; undefined where it has it no more. */
  seen: MarketplaceOrderLine | undefined;
  /** The line as the ledger has it; null where it is new. */
  row: OrderLineRow | null;
  match: MatchRow | null;
}

/** Takes one line: its copies, or what is cancelled of it, and the ledger's row in the same commit. */
export async function takeLine(context: LineContext, news: LineNews): Promise<void> {
  const { unit, order } = context;
  const { change, row, seen } = news;
  if (row === null) {
    if (seen === undefined) return;
    const fresh = newRow(context, seen, change);
    const taken = await takeCopies(context, fresh, news.match);
    await insertOrderLine(unit.tx, unit.accountId, taken, unit.stamp);
    return;
  }
  const { line } = change;
  const later: OrderLineRow = {
    ...row,
    ...line,
    modifiedAt: order.modifiedAt,
    cancelledAt:
      line.cancelledQuantity > row.cancelledQuantity ? order.modifiedAt : row.cancelledAt,
  };
  if (row.unmatched !== null) {
    const isStillNobodys = row.unmatched !== "no_listing" || news.match === null;
    const taken = isStillNobodys ? later : await takeCopies(context, later, news.match);
    await updateOrderLine(unit.tx, unit.accountId, taken);
    return;
  }
  if (change.cancelled !== null) await giveBack(context, row, change.cancelled);
  await updateOrderLine(unit.tx, unit.accountId, later);
}

function newRow(
  { marketplace, order }: LineContext,
  seen: MarketplaceOrderLine,
  { line }: LineChange,
): OrderLineRow {
  return {
    ...line,
    id: newId("sale"),
    orderId: order.orderId,
    marketplace,
    listingId: null,
    cardId: null,
    unmatched: "no_listing",
    externalListingId: seen.externalListingId,
    sku: seen.sku,
    title: seen.title,
    currency: seen.total.currency,
    costEach: null,
    soldAt: order.createdAt,
    modifiedAt: order.modifiedAt,
    cancelledAt: line.cancelledQuantity > 0 ? order.modifiedAt : null,
  };
}

/**
 * Takes the copies of a line off the listing and card that it is about. What cannot be taken stays in the ledger,
 * with the reason, and is shown: a sale that was made is never lost.
 */
export async function takeCopies(
  context: LineContext,
  row: OrderLineRow,
  match: MatchRow | null,
): Promise<OrderLineRow> {
  const { unit, logger } = context;
  const unmatched = (reason: UnmatchedReason): OrderLineRow => ({ ...row, unmatched: reason });
  if (row.currency !== unit.account.currency) return unmatched("other_currency");
  if (match === null) return unmatched("no_listing");
  const copies = row.quantity - row.cancelledQuantity;
  if (copies === 0 && match.listingId === null) return unmatched("no_listing");
  // Where it is live is found out yet: the next look tries again.
  const isNowhere = addressOf(row, context.offers.get(row.sku ?? "")) === undefined;
  if (match.status === "publishing" && isNowhere) return unmatched("no_listing");
  try {
    const card = await unit.cards.get(match.cardId);
    const matched = { ...row, unmatched: null, cardId: card.id, costEach: costOf(card) };
    if (copies === 0) return { ...matched, listingId: match.listingId };
    return { ...matched, listingId: await sell(context, row, match, card, copies) };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const { orderId, lineId } = row;
    logger.warn({ err: error, orderId, lineId }, "a line of an order was refused");
    return unmatched(error.code === "card_not_found" ? "no_listing" : "refused");
  }
}

function costOf({ purchasePrice }: CardState): number | null {
  return purchasePrice?.amount ?? null;
}

/** @returns the listing that sold it */
async function sell(
  context: LineContext,
  row: OrderLineRow,
  match: MatchRow,
  card: CardState,
  copies: number,
): Promise<string> {
  const { db, unit } = context;
  const offer = context.offers.get(row.sku ?? "");
  const isFound = match.listingId === null || match.status === "failed";
  const before = isFound
    ? foundListing(context, row, card, offer, copies)
    : await unit.listings.get(match.listingId ?? "");
  const command: ListingCommand = {
    type: "order",
    order: {
      orderId: row.orderId,
      quantity: copies,
      total: { amount: row.total - row.cancelledTotal, currency: row.currency },
      soldAt: row.soldAt,
    },
    address: addressOf(row, offer),
  };
  const outcome = decideListingAndCard(before, card, command, unit.stamp);
  if (isFound) unit.listings.create(outcome.listing.state);
  else unit.listings.save(outcome.listing.state);
  unit.cards.save(outcome.card.state);
  await writeOutcome(db, unit, byMarketplace, outcome.card);
  await unit.tx.em.flush();
  if (isFound) {
    const found = { listingId: before.id, sku: row.sku ?? "", offerId: offer?.offerId ?? null };
    await insertFoundPublication(unit.tx, unit.accountId, found, unit.stamp);
  }
  if (before.status === "publishing" && !isFound) {
    await followPublishing(context, outcome.listing.state, offer);
  }
  // What the marketplace shows left is another number now: it is compared anew.
  await clearDifferences(unit.tx, unit.accountId, [before.id]);
  return before.id;
}

/** It has gone live by its order: nothing is left to publish, and what was asked for meanwhile follows. */
async function followPublishing(
  { db, unit }: LineContext,
  { id, status }: ListingState,
  offer: MarketplaceOffer | undefined,
): Promise<void> {
  const { tx, accountId, stamp } = unit;
  const publication = await findPublication(tx, accountId, id);
  if (publication === null) return;
  await writePublication(tx, accountId, id, {
    step: "done",
    stepEndedAt: stamp,
    unsettledAt: null,
    refusal: null,
    tries: 0,
    nextTryAt: null,
    offerId: offer?.offerId ?? publication.offerId,
  });
  if (status !== "live") return;
  const { actor } = byMarketplace;
  if (publication.withdrawReason !== null) {
    await enqueueListingJob(unit, "withdraw_listing", id, actor, stamp);
  } else if (publication.cancelRequestedAt !== null) {
    await askForWithdrawal(db, unit, actor, { listingId: id, isPublishing: false }, "withdrawn");
  } else if (publication.wanted !== null) {
    await enqueueListingJob(unit, "revise_listing", id, actor, stamp);
  }
  tx.afterCommit(() => db.notify(workChannel));
}

/** A listing that was made outside and sells before we saw it: it goes live and takes the order in one change. */
function foundListing(
  { marketplace, unit }: LineContext,
  row: OrderLineRow,
  card: CardState,
  offer: MarketplaceOffer | undefined,
  copies: number,
): ListingState {
  const { currency } = unit.account;
  const each = Math.max(1, Math.round(row.total / row.quantity));
  const isActive = offer?.state === "active";
  return createListing(
    {
      id: newId("lst"),
      cardId: card.id,
      marketplace,
      title: (card.title ?? row.title).slice(0, listingMaxima.title),
      description: null,
      categoryId: null,
      price:
        offer?.price?.currency === currency && offer.price.amount > 0
          ? offer.price
          : { amount: each, currency },
      quantity: copies + (isActive ? (offer.quantity ?? 0) : 0),
    },
    currency,
  );
}

/** Where the listing of a line is: as the line says, or as its offer does. */
function addressOf(
  { externalListingId }: OrderLineRow,
  offer: MarketplaceOffer | undefined,
): { externalListingId: string; url: string } | undefined {
  const id = externalListingId ?? offer?.externalListingId ?? null;
  if (id === null) return undefined;
  const isOffers = offer?.externalListingId === id && offer.url !== null;
  return { externalListingId: id, url: isOffers ? (offer.url ?? "") : publicAddress(id) };
}

/** Where the marketplace shows a listing to anybody. */
function publicAddress(externalListingId: string): string {
  return `https://www.ebay.com/itm/${encodeURIComponent(externalListingId)}`;
}

/** A cancelled order: the sums of its listing fall, and its copies wait for the review. */
async function giveBack(
  { db, unit, logger }: LineContext,
  row: OrderLineRow,
  cancelled: { quantity: number; total: number },
): Promise<void> {
  const card = await unit.cards.get(row.cardId ?? "");
  const listing = await unit.listings.get(row.listingId ?? "");
  const command = {
    type: "cancel_order",
    quantity: cancelled.quantity,
    total: { amount: cancelled.total, currency: row.currency },
  } as const;
  const outcome = await Promise.resolve()
    .then(() => decideListingAndCard(listing, card, command, unit.stamp))
    .catch((error: unknown) => {
      if (!(error instanceof VaultError)) throw error;
      logger.warn({ err: error, orderId: row.orderId }, "a listing did not take a cancelled order");
      return undefined;
    });
  if (outcome !== undefined) unit.listings.save(outcome.listing.state);
  // Whatever the listing says, the copies are for the review to decide about.
  const { quantity } = cancelled;
  const cardOutcome =
    outcome?.card ?? decideCard(card, { type: "cancel_order", quantity }, unit.stamp);
  unit.cards.save(cardOutcome.state);
  await writeOutcome(db, unit, byMarketplace, cardOutcome);
}
