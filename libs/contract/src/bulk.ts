import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { cardPatch } from "./card.ts";
import { jobItemCard } from "./history.ts";
import { batchId, cardId } from "./ids.ts";
import { listingBulkActions } from "./listing-work.ts";
import { pageShape } from "./lists.ts";
import { money, price, totalMoney } from "./money.ts";
import { cardSelectionSchema } from "./selection.ts";
import { jobItemOutcomes, workflowStatuses } from "./states.ts";
import { filledText } from "./text.ts";

/**
 * What a price by a rule ends in. `end_…` in hundredths of the currency's unit: 12.99, 12.49, or
 * whichever of the two is nearer. A currency without hundredths is rounded to whole units.
 */
export const priceRoundings = ["none", "whole", "end_99", "end_49", "end_49_or_99"] as const;
export type PriceRounding = (typeof priceRoundings)[number];

/** An asking price by the stored market price. A card without one is left as it is. */
export const priceRule = z.strictObject({
  percent: z
    .number()
    .min(1)
    .max(1000)
    .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), "At most two decimals")
    .meta({ description: "Of the market price, with at most two decimals." }),
  rounding: z.enum(priceRoundings).default("none").meta({
    description: "To the nearest; upwards where the floor or the minimum asks for it.",
  }),
  floor: z
    .union([z.literal("price_floor"), money])
    .nullable()
    .default("price_floor")
    .meta({
      description: "The card's own floor, one amount for all, or none.",
    }),
  minimum: price.nullable().default(null).meta({ description: "No price is below it." }),
});
export type PriceRule = z.output<typeof priceRule>;

const tag = filledText(cardMaxima.tag);
const tags = z.array(tag).min(1).max(cardMaxima.tags);

/** A PATCH for many cards: no two have one SKU, so it can only be cleared. */
const bulkFields = z
  .strictObject({ ...cardPatch.shape, sku: z.null().optional() })
  .refine((body) => (body.condition ?? null) === null || (body.grading ?? null) === null, {
    message: "A card has a condition or a grading, never both",
    path: ["grading"],
  });

/** What is done to each card, by the same rules as `PATCH /cards/:id`, with the same events. */
export const bulkAction = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("set_price"), price: price.nullable() }),
  z.strictObject({ type: z.literal("price_rule"), rule: priceRule }),
  z.strictObject({ type: z.literal("move"), location: cardPatch.shape.location.unwrap() }),
  z
    .strictObject({
      type: z.literal("set_fields"),
      fields: bulkFields.default({}),
      add_tags: tags.optional(),
      remove_tags: tags.optional(),
    })
    .refine(
      ({ fields, add_tags, remove_tags }) =>
        Object.keys(fields).length > 0 || add_tags !== undefined || remove_tags !== undefined,
      "Nothing is to be set",
    )
    .refine(
      ({ fields, add_tags, remove_tags }) =>
        fields.tags === undefined || (add_tags === undefined && remove_tags === undefined),
      { message: "Tags are replaced, or added and removed", path: ["fields", "tags"] },
    ),
  z.strictObject({ type: z.literal("set_status"), workflow_status: z.enum(workflowStatuses) }),
  z.strictObject({ type: z.literal("put_in_batch"), batch_id: batchId }),
  z.strictObject({
    type: z.literal("remove_from_batch"),
    batch_id: batchId.optional().meta({ description: "Only cards that are in this batch." }),
  }),
  z
    .strictObject({ type: z.literal("identify"), game: filledText(cardMaxima.game).optional() })
    .meta({ description: "By the providers. Cards that are identified already are skipped." }),
  z
    .strictObject({ type: z.literal("lookup_prices") })
    .meta({ description: "Asks the price sources and stores what they suggest as market price." }),
  ...listingBulkActions,
]);
export type BulkAction = z.output<typeof bulkAction>;

const idempotencyKey = filledText(100).optional().meta({
  description: "The same key starts one job, however often it is sent.",
});

/** `bulk.start`. Answers the job, which selects its cards and works on them in the background. */
export const bulkStartInput = z.strictObject({
  selection: cardSelectionSchema,
  action: bulkAction,
  idempotency_key: idempotencyKey,
});
export type BulkStart = z.output<typeof bulkStartInput>;

/** Cards that a spreadsheet changes in one job. */
const maxPatches = 5_000;

/** `bulk.patchEach`: each card its own PATCH, all in one job with one undo. Answers the job. */
export const patchEachInput = z.strictObject({
  patches: z
    .array(
      z.strictObject({
        id: cardId,
        patch: cardPatch,
        if_version: z.int().min(1).optional().meta({
          description: "The version that the patch was made for. Another is the card's failure.",
        }),
      }),
    )
    .min(1)
    .max(maxPatches)
    .superRefine((patches, ctx) => {
      const seen = new Set<string>();
      for (const [index, { id }] of patches.entries()) {
        if (seen.has(id)) {
          ctx.addIssue({ code: "custom", path: [index, "id"], message: "Stands here twice" });
        }
        seen.add(id);
      }
    }),
  idempotency_key: idempotencyKey,
});
export type PatchEach = z.output<typeof patchEachInput>;

/** `bulk.undo`: gives each card back what the job replaced, where it still has the job's value. */
export const bulkUndoInput = z.strictObject({ id: z.string(), idempotency_key: idempotencyKey });

/** `bulk.previewPrices`: what a rule would do. */
export const previewPricesInput = z.strictObject({
  selection: cardSelectionSchema,
  rule: priceRule,
  rows: z.int().min(1).max(200).default(50).meta({ description: "Cards that are shown." }),
});
export type PreviewPricesInput = z.output<typeof previewPricesInput>;

/** Why a rule leaves a card's price as it is. */
export const priceSkips = ["no_market_price", "other_currency", "out_of_range"] as const;
export type PriceSkip = (typeof priceSkips)[number];

export const previewPricesAnswer = z.strictObject({
  rows: z.array(
    z.strictObject({
      card: jobItemCard,
      market_price: money.nullable(),
      before: money.nullable(),
      /** Null where the card is skipped. */
      after: money.nullable(),
      skipped: z.enum(priceSkips).nullable(),
    }),
  ),
  totals: z.strictObject({
    cards: z.int().min(0),
    changed: z.int().min(0),
    unchanged: z.int().min(0),
    skipped: z.strictObject({
      no_market_price: z.int().min(0),
      other_currency: z.int().min(0),
      out_of_range: z.int().min(0),
    }),
    before: totalMoney.meta({ description: "Asking prices now, times quantity, of all cards." }),
    after: totalMoney.meta({ description: "The same after the job." }),
  }),
  /** False where there are more cards than {@link maxPreviewed}: the totals are then of the first ones. */
  is_complete: z.boolean(),
});
export type PreviewPrices = z.output<typeof previewPricesAnswer>;

/** Cards that a preview adds up. */
export const maxPreviewed = 100_000;

/** One card of a job: what became of it, and why where that has to be said. */
export const jobItem = z.strictObject({
  card: jobItemCard,
  outcome: z.enum(jobItemOutcomes),
  code: z
    .string()
    .nullable()
    .meta({ examples: ["no_market_price", "invalid_transition"] }),
  message: z.string().nullable(),
  details: z
    .array(z.strictObject({ path: z.string(), message: z.string() }))
    .nullable()
    .meta({ description: "The fields of the card that were refused, by the names of a PATCH." }),
});
export type JobItem = z.output<typeof jobItem>;

/** `jobs.items`: the cards of a job that it has been at, or those with one of these outcomes. */
export const jobItemsInput = z.strictObject({
  id: z.string(),
  outcome: z.array(z.enum(jobItemOutcomes)).min(1).optional(),
  /** Those that have something to say: failed, skipped, and undone in part. */
  remarked: z.boolean().optional(),
  ...pageShape,
});
export type JobItemsInput = z.output<typeof jobItemsInput>;
export const jobItemsAnswer = z.strictObject({
  data: z.array(jobItem),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
export type JobItems = z.output<typeof jobItemsAnswer>;
