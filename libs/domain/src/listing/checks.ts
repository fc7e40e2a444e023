import type { Condition, ErrorDetail, Money } from "@cardvault/contract";
import { publishProblems } from "../card/listing-effects.ts";
import type { CardState } from "../card/state.ts";
import { aspectsOf, fieldOfAspect } from "./aspects.ts";
import { mostTitleLength } from "./template.ts";

/** What the marketplace wants to know of a card in a category. */
export type CategoryNeeds = {
  requiredAspects: readonly string[];
  /** Graders that can be named there. */
  graders: readonly string[];
  conditions: readonly Condition[];
};

/** What an account has set up at the marketplace. */
export type SellerStanding = {
  /** Null where it may publish; else why not, in a sentence. */
  notConnected: string | null;
  hasPaymentPolicy: boolean;
  hasReturnPolicy: boolean;
  hasFulfillmentPolicy: boolean;
  hasLocation: boolean;
};

/** A listing as it is to be published. */
export type ListingPlan = {
  title: string;
  price: Money | null;
  categoryId: string | null;
  photoCount: number;
};

/**
 * Every rule that a listing fails, ours and the marketplace's, by the members of card and request.
 * @param needs null where the marketplace could not be asked: it will say so itself
 */
export function listingProblems(
  card: CardState,
  plan: ListingPlan,
  seller: SellerStanding,
  needs: CategoryNeeds | null,
): ErrorDetail[] {
  return [
    ...publishProblems(card, { price: plan.price ?? undefined }),
    ...marketplaceProblems(card, plan, seller, needs),
  ];
}

/** The same without what `listing_publishing` checks by itself. */
export function marketplaceProblems(
  card: CardState,
  plan: ListingPlan,
  seller: SellerStanding,
  needs: CategoryNeeds | null,
): ErrorDetail[] {
  return [
    ...planProblems(card, plan),
    ...stateProblems(card, needs),
    ...aspectProblems(card, plan.categoryId, needs),
    ...sellerProblems(seller),
  ];
}

function planProblems(card: CardState, { title, price, categoryId, photoCount }: ListingPlan) {
  const problems: ErrorDetail[] = [];
  // Without a title of the card that is said already.
  if (title.trim() === "" && card.title !== null) {
    problems.push({ path: "title", message: "The template makes no title of this card" });
  } else if (title.length > mostTitleLength) {
    problems.push({ path: "title", message: `Must have at most ${mostTitleLength} characters` });
  }
  if (price !== null && price.amount <= 0) {
    problems.push({ path: "price", message: "The price must be above 0" });
  }
  if (photoCount < 1) problems.push({ path: "photos", message: "At least one photo is needed" });
  if (categoryId === null) {
    problems.push({
      path: "category_id",
      message: "Neither the card's game nor the account says in which category it belongs",
    });
  }
  return problems;
}

function stateProblems(card: CardState, needs: CategoryNeeds | null): ErrorDetail[] {
  const { condition, grading } = card;
  if (grading === null && condition === null) {
    return [{ path: "condition", message: "A condition or a grading is needed" }];
  }
  if (grading === null) {
    const isTaken = needs === null || condition === null || needs.conditions.includes(condition);
    return isTaken
      ? []
      : [{ path: "condition", message: "The marketplace does not take this condition here" }];
  }
  const problems: ErrorDetail[] = [];
  const grader = grading.grader.trim().toLowerCase();
  if (grader === "") problems.push({ path: "grading.grader", message: "The grader is missing" });
  else if (needs !== null && !needs.graders.some((known) => known.toLowerCase() === grader)) {
    const named = needs.graders.slice(0, 10).join(", ");
    problems.push({
      path: "grading.grader",
      message: `The marketplace does not know this grader; it knows ${named}`,
    });
  }
  if (grading.grade.trim() === "") {
    problems.push({ path: "grading.grade", message: "The grade is missing" });
  }
  return problems;
}

function aspectProblems(
  card: CardState,
  categoryId: string | null,
  needs: CategoryNeeds | null,
): ErrorDetail[] {
  const aspects = aspectsOf(card, categoryId);
  return (needs?.requiredAspects ?? [])
    .filter((name) => aspects[name] === undefined)
    .map((name) => ({
      path: fieldOfAspect(name),
      message: `The marketplace needs "${name}" in this category`,
    }));
}

function sellerProblems(seller: SellerStanding): ErrorDetail[] {
  if (seller.notConnected !== null) {
    return [{ path: "marketplace", message: seller.notConnected }];
  }
  const missing: [boolean, string, string][] = [
    [seller.hasPaymentPolicy, "payment_policy", "A payment policy must be chosen"],
    [seller.hasReturnPolicy, "return_policy", "A return policy must be chosen"],
    [seller.hasFulfillmentPolicy, "fulfillment_policy", "A fulfillment policy must be chosen"],
    [seller.hasLocation, "location", "The place that parcels are sent from must be chosen"],
  ];
  return missing
    .filter(([has]) => !has)
    .map(([, name, message]) => ({ path: `marketplace.${name}`, message }));
}
