import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { condition } from "./card.ts";
import { cardId } from "./ids.ts";
import { maxSelectedIds } from "./limits.ts";
import { anyOf, batchFilter, cardFilterShape } from "./lists.ts";
import { maxAmount, maxQuantity } from "./money.ts";
import { reviewReasons } from "./states.ts";
import { filledText, requestTime } from "./text.ts";

/** The inventory of the web interface: what its lists can be filtered by, and which cards are meant. */

const amount = z.int().min(0).max(maxAmount).optional().meta({
  description: "In minor units of the account's currency. The bounds belong to the range.",
});
const quantity = z.int().min(0).max(maxQuantity).optional();
const year = z.int().min(1800).max(2100).optional();

/**
 * Which cards a list of the web interface holds: all that `GET /cards` can be filtered by, under the same
 * names and with the same meaning, and what dealers need besides. Every member narrows it; the values of
 * one that is a list are joined by OR. An empty one is the whole account, archived cards included.
 */
export const cardFilterSchema = z.strictObject({
  ...cardFilterShape,
  batch: batchFilter,
  search: filledText(200)
    .optional()
    .meta({
      description:
        "Words in title, set, number and subject: the last one may be unfinished, and one that no card has " +
        "stands for those most like it. Or the beginning of a SKU, or a certificate number.",
    }),
  sku_prefix: filledText(cardMaxima.sku).optional().meta({ description: "In any case." }),
  price_min: amount,
  price_max: amount,
  market_price_min: amount,
  market_price_max: amount,
  cost_min: amount,
  cost_max: amount,
  quantity_min: quantity,
  quantity_max: quantity,
  year_min: year,
  year_max: year,
  has_price: z.boolean().optional(),
  has_market_price: z.boolean().optional(),
  has_photo: z.boolean().optional(),
  has_location: z.boolean().optional(),
  has_batch: z.boolean().optional(),
  condition: anyOf(condition),
  grader: anyOf(filledText(20)),
  grade: anyOf(filledText(20)),
  language: anyOf(filledText(cardMaxima.language)),
  rarity: anyOf(filledText(cardMaxima.rarity)),
  tag: anyOf(filledText(cardMaxima.tag)),
  review_reason: anyOf(z.enum(reviewReasons)),
  created_since: requestTime.optional(),
  created_until: requestTime.optional().meta({ description: "The moment itself is not in it." }),
});
export type CardFilter = z.output<typeof cardFilterSchema>;

/**
 * Which cards a bulk operation means: those named, or all that a filter lets through when the operation
 * begins, but for some. Ids of other accounts select nothing.
 */
export const cardSelectionSchema = z.union([
  z.strictObject({ ids: z.array(cardId).min(1).max(maxSelectedIds) }),
  z.strictObject({
    filter: cardFilterSchema,
    except: z.array(cardId).max(maxSelectedIds).default([]),
  }),
]);
export type CardSelection = z.output<typeof cardSelectionSchema>;
