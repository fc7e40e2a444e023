import * as z from "zod";
import { workflowCounts } from "./batch.ts";
import { card } from "./card.ts";
import { filledText } from "./text.ts";
import { maxAnchors, maxListedIds, maxPageSize } from "./limits.ts";
import { pageCursor } from "./lists.ts";
import { totalMoney } from "./money.ts";
import { cardFilterSchema } from "./selection.ts";
import { inventorySorts, relevance } from "./sorts.ts";
import { webAddress } from "./text.ts";

/** The lists of the web interface's inventory: which cards in which order, their rows, their totals. */

const sort = z
  .enum([...inventorySorts, relevance])
  .optional()
  .meta({ description: "`relevance` with a search, which is then the default; else -created_at." });

const sortNeedsSearch = {
  message: "Relevance is the order of a search",
  path: ["sort"],
};
function hasOrder(input: { sort?: string | undefined; filter: { search?: unknown } }): boolean {
  return input.sort !== relevance || input.filter.search !== undefined;
}

const rowMembers = {
  id: true,
  batch_id: true,
  sku: true,
  status: true,
  workflow_status: true,
  needs_review: true,
  review_reason: true,
  title: true,
  game: true,
  set: true,
  set_code: true,
  number: true,
  year: true,
  variant: true,
  rarity: true,
  language: true,
  condition: true,
  grading: true,
  quantity: true,
  asking_price: true,
  price_floor: true,
  purchase_price: true,
  market_price: true,
  location: true,
  tags: true,
  identification_confidence: true,
  listing_id: true,
  version: true,
  created_at: true,
  updated_at: true,
} as const;

/** A card as a table or a grid shows it: its own members mean the same, and three are added. */
export const cardRow = z.strictObject({
  ...card.pick(rowMembers).shape,
  batch_code: filledText(20).nullable(),
  photo_count: z.int().min(0),
  /** Of the first picture. */
  thumbnail_url: webAddress.nullable(),
});
export type CardRow = z.output<typeof cardRow>;

/** `cards.ids`: which cards a list holds, in its order at this moment. */
export const cardIdsInput = z
  .strictObject({
    filter: cardFilterSchema.default({}),
    sort,
    limit: z.int().min(1).max(maxListedIds).default(maxListedIds),
    after: pageCursor.meta({ description: "`next`, or an anchor, of the same filter and sort." }),
    rows: z.int().min(0).max(maxPageSize).default(0).meta({
      description: "So many of the first come with their rows, which need no second way.",
    }),
  })
  .refine(hasOrder, sortNeedsSearch);
/** Which ids, whatever rows come with them. */
export type CardIdsInput = Omit<z.output<typeof cardIdsInput>, "rows">;

export const cardIdsAnswer = z.strictObject({
  /** See {@link openPackedIds}. */
  ids: z.string(),
  count: z.int().min(0).meta({ description: "How many ids there are." }),
  /** Where the list goes on; null at its end. */
  next: z.string().nullable(),
  /** A search by relevance ends after its best; sorted otherwise it goes on. */
  is_cut: z.boolean(),
  /** Those of the first ids that were asked for, as `cards.rows` answers them. */
  rows: z.array(cardRow).max(maxPageSize),
});
/** The ids alone. */
export type CardIds = Omit<z.output<typeof cardIdsAnswer>, "rows">;

/**
 * `cards.anchors`: cursors for `cards.ids`, one for every so many cards behind `after`. The block between two
 * of them holds the cards that lie there when it is fetched, so no block moves the rows of another.
 */
export const cardAnchorsInput = z.strictObject({
  filter: cardFilterSchema.default({}),
  sort: z.enum(inventorySorts).optional(),
  after: pageCursor,
  every: z.int().min(100).max(maxListedIds).default(1_000),
});
export type CardAnchorsInput = z.output<typeof cardAnchorsInput>;

export const cardAnchorsAnswer = z.strictObject({
  anchors: z.array(z.string()).max(maxAnchors),
  /** How many cards were gone through: the last block has what the others leave of it. */
  count: z.int().min(0),
  /** Fewer blocks than the list has. */
  is_cut: z.boolean(),
});
export type CardAnchors = z.output<typeof cardAnchorsAnswer>;

/** `cards.rows`: some of the cards that a list holds, as a table shows them. */
export const cardRowsInput = z.strictObject({
  /** Packed, in any order: the rows come in the same. At most 200. */
  ids: z
    .string()
    .min(1)
    .max(Math.ceil((maxPageSize * 16) / 3) * 4),
});

export const cardRowsAnswer = z.strictObject({ data: z.array(cardRow).max(maxPageSize) });

/** `cards.totals`: how many cards a filter lets through, and what they are worth. */
export const cardTotalsInput = z.strictObject({ filter: cardFilterSchema.default({}) });

export const cardTotals = z.strictObject({
  count: z.int().min(0),
  /** There are more than `count` says: "10,000+". Then nothing else is known. */
  has_more: z.boolean(),
  counts: workflowCounts.nullable(),
  quantity: z.int().min(0).nullable().meta({ description: "Copies." }),
  asking_value: totalMoney.nullable(),
  cost: totalMoney.nullable(),
  market_value: totalMoney.nullable().meta({ description: "In the account's currency only." }),
});
export type CardTotals = z.output<typeof cardTotals>;
