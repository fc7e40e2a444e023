import type {
  CardStatus,
  Condition,
  IdentifiedBy,
  Money,
  ReviewReason,
  WorkflowStatus,
} from "@cardvault/contract";

/** What identifies a card: by a provider, by hand, or nothing yet. */
export type IdentificationFields = {
  title: string | null;
  game: string | null;
  set: string | null;
  setCode: string | null;
  number: string | null;
  year: number | null;
  subject: string | null;
  team: string | null;
  manufacturer: string | null;
  variant: string | null;
  rarity: string | null;
  language: string | null;
  printRun: number | null;
  serialNumber: string | null;
  isRookie: boolean;
  isAutograph: boolean;
  isMemorabilia: boolean;
};

export type Grading = {
  grader: string;
  grade: string;
  certNumber: string | null;
  qualifier: string | null;
};

export type MarketPrice = Money & { source: string; asOf: Date };

/** The listing of a card that is publishing or live: at most one. */
export type OpenListing = { id: string; status: "publishing" | "live" };

/**
 * The whole of a card that the rules need. `openListing` is a fact of another row; all other
 * members are the card's own, and `version` counts their changes.
 */
export type CardState = IdentificationFields & {
  id: string;
  batchId: string | null;
  sku: string | null;
  status: CardStatus;
  workflowStatus: WorkflowStatus;
  needsReview: boolean;
  reviewReason: ReviewReason | null;
  condition: Condition | null;
  grading: Grading | null;
  quantity: number;
  /** Copies of cancelled orders that come back when the review is accepted. */
  pendingReturnQuantity: number;
  /** Copies sold that were not there. What comes back settles these first. */
  oversoldQuantity: number;
  askingPrice: Money | null;
  priceFloor: Money | null;
  purchasePrice: Money | null;
  marketPrice: MarketPrice | null;
  location: string | null;
  externalIds: Readonly<Record<string, string>>;
  notes: string | null;
  tags: readonly string[];
  /** How many photos of the side `listing` are attached. */
  listingPhotoCount: number;
  identifiedBy: IdentifiedBy | null;
  identificationConfidence: number | null;
  identifiedAt: Date | null;
  /** Set once; makes `card.priced` fire once in a card's life. */
  firstPricedAt: Date | null;
  /** The publishing or live listing, else the latest. */
  listingId: string | null;
  openListing: OpenListing | null;
  version: number;
};

export const identificationFieldNames = [
  "title",
  "game",
  "set",
  "setCode",
  "number",
  "year",
  "subject",
  "team",
  "manufacturer",
  "variant",
  "rarity",
  "language",
  "printRun",
  "serialNumber",
  "isRookie",
  "isAutograph",
  "isMemorabilia",
] as const satisfies readonly (keyof IdentificationFields)[];

/** The fields of a card of which nothing is known yet. */
export const unknownIdentification: IdentificationFields = {
  title: null,
  game: null,
  set: null,
  setCode: null,
  number: null,
  year: null,
  subject: null,
  team: null,
  manufacturer: null,
  variant: null,
  rarity: null,
  language: null,
  printRun: null,
  serialNumber: null,
  isRookie: false,
  isAutograph: false,
  isMemorabilia: false,
};

/** A change of identification fields: what is absent or undefined stays, null clears. */
export type IdentificationPatch = {
  [Name in keyof IdentificationFields]?: IdentificationFields[Name] | null | undefined;
};

/** The identification fields of a card, to compare or restore later. */
export function identificationOf(card: IdentificationFields): IdentificationFields {
  return Object.fromEntries(
    identificationFieldNames.map((name) => [name, card[name]]),
  ) as IdentificationFields;
}

/**
 * Work on the marketplace that a change of the card asks for; the caller makes a job of it in the
 * same commit. `afterPublishing`: the listing's outcome is not known yet, so the job waits for it.
 */
export type CardEffect =
  | {
      type: "revise_listing";
      listingId: string;
      afterPublishing: boolean;
      askingPrice?: Money | undefined;
      quantity?: number | undefined;
    }
  | {
      type: "withdraw_listing";
      listingId: string;
      afterPublishing: boolean;
      endReason: "out_of_stock";
    };
