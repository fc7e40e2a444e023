import type { WorkflowStatus } from "@cardvault/contract";
import type { TransitionRow } from "../table.ts";
import type { CardState } from "./state.ts";

/** What can move a card from one stage of its workflow to another. */
export type MoveTrigger =
  | "identification"
  | "price_set"
  | "price_cleared"
  | "listing_photo_attached"
  | "listing_photos_gone"
  | "listing_live"
  | "listing_closed"
  | "order_took_last_copy"
  | "hand_sale_took_last_copy"
  | "reset"
  | "copies_came_back"
  | "archived"
  | "by_hand";

/** What must be true of the card at the moment of the move, beside its stage. */
type MoveCondition = "facts_hold" | "no_copy_left" | "nothing";

export type CardMove = TransitionRow<WorkflowStatus, MoveTrigger> & {
  condition: MoveCondition;
  /** Which listing of the card, publishing or live, forbids the move. */
  forbiddenWhile: "open" | "publishing" | "never";
};

const anyStage: readonly WorkflowStatus[] = [
  "imported",
  "identified",
  "priced",
  "photographed",
  "listed",
  "sold",
  "archived",
];
const beforeListing: readonly WorkflowStatus[] = [
  "imported",
  "identified",
  "priced",
  "photographed",
];

/** The stages whose facts build on each other, in their order. */
export const factStages = ["imported", "identified", "priced", "photographed"] as const;
export type FactStage = (typeof factStages)[number];

/**
 * The workflow of a card. What no row names is `invalid_transition`. A move to the stage that the
 * card is in already is no move.
 */
// oxfmt-ignore
export const cardMoves: readonly CardMove[] = [
  { from: ["imported"], to: ["identified"], by: "identification", condition: "facts_hold", forbiddenWhile: "never" },
  { from: ["identified"], to: ["priced"], by: "price_set", condition: "facts_hold", forbiddenWhile: "never" },
  { from: ["priced"], to: ["photographed"], by: "listing_photo_attached", condition: "facts_hold", forbiddenWhile: "never" },
  { from: ["identified", "priced", "photographed"], to: ["listed"], by: "listing_live", condition: "nothing", forbiddenWhile: "never" },
  { from: anyStage, to: ["sold"], by: "order_took_last_copy", condition: "no_copy_left", forbiddenWhile: "never" },
  { from: anyStage, to: ["sold"], by: "hand_sale_took_last_copy", condition: "no_copy_left", forbiddenWhile: "publishing" },
  { from: ["listed"], to: ["photographed", "priced", "identified"], by: "listing_closed", condition: "facts_hold", forbiddenWhile: "never" },
  { from: ["priced", "photographed"], to: ["identified"], by: "price_cleared", condition: "facts_hold", forbiddenWhile: "open" },
  { from: ["photographed"], to: ["priced"], by: "listing_photos_gone", condition: "facts_hold", forbiddenWhile: "never" },
  { from: ["identified", "priced", "photographed"], to: ["imported"], by: "reset", condition: "facts_hold", forbiddenWhile: "open" },
  { from: ["sold"], to: factStages, by: "copies_came_back", condition: "facts_hold", forbiddenWhile: "never" },
  { from: anyStage, to: ["archived"], by: "archived", condition: "nothing", forbiddenWhile: "open" },
  { from: ["archived"], to: factStages, by: "by_hand", condition: "facts_hold", forbiddenWhile: "open" },
  { from: beforeListing, to: factStages, by: "by_hand", condition: "facts_hold", forbiddenWhile: "open" },
];

/** The steps that a card takes by itself, each by the fact that has become true. */
export const automaticSteps: readonly { from: FactStage; to: FactStage; by: MoveTrigger }[] = [
  { from: "imported", to: "identified", by: "identification" },
  { from: "identified", to: "priced", by: "price_set" },
  { from: "priced", to: "photographed", by: "listing_photo_attached" },
];

type Facts = Pick<CardState, "status" | "quantity" | "askingPrice" | "listingPhotoCount">;

/** Whether the facts of a stage hold. They are cumulative and need at least one copy. */
export function factsHold(card: Facts, stage: FactStage): boolean {
  return lackOf(card, stage) === null;
}

/** The first fact of a stage that does not hold, as a sentence; null where all do. */
export function lackOf(card: Facts, stage: FactStage): string | null {
  if (card.quantity < 1) return "No copy is left.";
  if (stage === "imported") return card.status === "imported" ? null : "It is identified.";
  if (card.status !== "identified") return "It is not identified.";
  if (stage === "identified") return null;
  if (card.askingPrice === null) return "It has no asking price.";
  if (stage === "priced") return null;
  return card.listingPhotoCount > 0 ? null : "It has no listing photo.";
}

/** The furthest stage whose facts hold; null where no copy is left. */
export function stageByFacts(card: Facts): FactStage | null {
  return factStages.findLast((stage) => factsHold(card, stage)) ?? null;
}
