import { VaultError } from "@cardvault/contract";
import type { ErrorDetail, Money } from "@cardvault/contract";
import { moveCard } from "./draft.ts";
import type { CardDraft } from "./draft.ts";
import { stageByFacts } from "./moves.ts";
import type { CardState } from "./state.ts";

/** Stages from which a card can be published, and in which its listing going live makes it listed. */
const publishableStages: readonly CardState["workflowStatus"][] = [
  "identified",
  "priced",
  "photographed",
];

/** The listing's own price, where it has one; else the card's asking price stands. */
export type PublishTerms = { price?: Money | undefined };

/** Every rule of ours that the card fails; the marketplace's own rules are the caller's to add. */
export function publishProblems(card: CardState, terms: PublishTerms): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const price = terms.price ?? card.askingPrice;
  if (!publishableStages.includes(card.workflowStatus)) {
    problems.push({
      path: "workflow_status",
      message: `Must be identified, priced or photographed; it is ${card.workflowStatus}`,
    });
  }
  if (card.quantity < 1) problems.push({ path: "quantity", message: "No copy is left" });
  if (card.title === null) problems.push({ path: "title", message: "There is no title" });
  if (card.sku === null) problems.push({ path: "sku", message: "There is no SKU" });
  if (price === null) {
    problems.push({ path: "price", message: "Neither the card nor the request has a price" });
  } else if (card.priceFloor !== null && price.amount < card.priceFloor.amount) {
    problems.push({ path: "price", message: "The price is below the card's price floor" });
  }
  return problems;
}

/**
 * Refuses to publish what must not be.
 * @param marketplaceProblems rules of the marketplace that fail, named together with ours.
 * @throws VaultError `already_listed` while a listing is open, else `card_not_publishable` with
 * every failed rule.
 */
export function requirePublishable(
  card: CardState,
  terms: PublishTerms,
  marketplaceProblems: readonly ErrorDetail[] = [],
): void {
  if (card.openListing !== null) throw new VaultError("already_listed");
  const details = [...publishProblems(card, terms), ...marketplaceProblems];
  if (details.length > 0) throw new VaultError("card_not_publishable", { details });
}

/** A listing of the card begins to be published. */
export function listingPublishing(
  draft: CardDraft,
  start: PublishTerms & {
    listingId: string;
    marketplaceProblems?: readonly ErrorDetail[] | undefined;
  },
): void {
  const { card } = draft;
  requirePublishable(card, start, start.marketplaceProblems);
  card.listingId = start.listingId;
  card.openListing = { id: start.listingId, status: "publishing" };
}

/**
 * A listing is live: the one that was publishing, or one found live under the card's SKU.
 * @throws VaultError `already_listed` where another listing of the card is open.
 */
export function listingLive(draft: CardDraft, listing: { listingId: string }): void {
  const { card } = draft;
  if (card.openListing !== null && card.openListing.id !== listing.listingId) {
    throw new VaultError("already_listed");
  }
  card.listingId = listing.listingId;
  card.openListing = { id: listing.listingId, status: "live" };
  if (publishableStages.includes(card.workflowStatus)) moveCard(draft, "listed", "listing_live");
}

/** A listing has failed, ended or sold. A listed card with copies left goes where its facts stand. */
export function listingClosed(draft: CardDraft, listing: { listingId: string }): void {
  const { card } = draft;
  if (card.openListing?.id !== listing.listingId) return;
  card.openListing = null;
  const stage = stageByFacts(card);
  if (card.workflowStatus === "listed" && stage !== null) {
    moveCard(draft, stage, "listing_closed");
  }
}
