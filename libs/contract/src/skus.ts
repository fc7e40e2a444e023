import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { filledText } from "./text.ts";

/** `skus.preview`: what a format would give. Refused with the path `sku_format` where it is none. */
export const skuPreviewInput = z.strictObject({ sku_format: filledText(40) });
export const skuPreview = z.strictObject({
  /** For the account's latest cards, with the numbers that come next; for an invented one where there is none. */
  examples: z.array(
    z.strictObject({ sku: z.string().max(cardMaxima.sku), title: z.string().nullable() }),
  ),
  /** Numbers are the account's, and go on when the format changes. */
  next_number: z.int().min(1),
  /** Of the examples, how many are taken already: such a number is passed over. */
  taken: z.int().min(0),
  /** Not archived. `skus.assign` gives them one. */
  cards_without_sku: z.int().min(0),
});
export type SkuPreview = z.output<typeof skuPreview>;
