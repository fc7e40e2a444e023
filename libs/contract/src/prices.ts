import * as z from "zod";
import { priceQuote } from "./identify.ts";
import { pathId } from "./ids.ts";
import { requestTime, timestamp } from "./text.ts";

/** `prices.history`: what sources said of a card, at most one quote of a source and kind a day. */
export const priceHistoryInput = z.strictObject({
  card_id: pathId("card"),
  since: requestTime.optional(),
});
export const priceHistoryAnswer = z.strictObject({
  /** Oldest first, at most {@link maxPricePoints}: the latest ones. */
  data: z.array(z.strictObject({ quoted_at: timestamp, quote: priceQuote })),
});
export type PriceHistory = z.output<typeof priceHistoryAnswer>;
export const maxPricePoints = 2_000;
