import type { ErrorDetail, Money } from "@cardvault/contract";
import type { GivenTerms, KnownTemplates } from "@cardvault/db";
import {
  categoryOf,
  listingProblems,
  marketplaceProblems,
  renderDescription,
  renderTitle,
  templatesOf,
} from "@cardvault/domain";
import type { CardState } from "@cardvault/domain";
import type { SellerFacts } from "../marketplace/publish/seller-facts.ts";

/** A listing of a card as it would be published, and every rule that it fails. */
export interface PlannedListing {
  title: string;
  description: string;
  price: Money | null;
  categoryId: string | null;
  /** All failed rules, and those alone that the card's own command does not check. */
  problems: ErrorDetail[];
  marketplaceProblems: ErrorDetail[];
}

export interface CardSurroundings {
  templates: KnownTemplates;
  /** In the order in which they are shown. */
  photoIds: readonly string[];
}

/** By the request, else by the card and the nearest templates. */
export function planListing(
  card: CardState,
  given: GivenTerms,
  { templates, photoIds }: CardSurroundings,
  seller: Pick<SellerFacts, "standing" | "defaultCategoryId" | "needsOf">,
): PlannedListing {
  const effective = effectiveTemplates(card, templates);
  const categoryId = categoryOf(card, seller.defaultCategoryId);
  const title = given.title ?? renderTitle(effective.title, card);
  const price = given.price ?? card.askingPrice;
  const plan = { title, price, categoryId, photoCount: photoIds.length };
  const needs = categoryId === null ? null : seller.needsOf(categoryId);
  return {
    title,
    description: given.description ?? renderDescription(effective.description, card),
    price,
    categoryId,
    problems: listingProblems(card, plan, seller.standing, needs),
    marketplaceProblems: marketplaceProblems(card, plan, seller.standing, needs),
  };
}

/** The card's own templates, its batch's, the account's, ours. */
export function effectiveTemplates(
  card: Pick<CardState, "id" | "batchId">,
  { account, batches, cards }: KnownTemplates,
): { title: string; description: string } {
  const ofBatch = card.batchId === null ? null : (batches.get(card.batchId) ?? null);
  return templatesOf(cards.get(card.id) ?? null, ofBatch, account);
}
