import * as z from "zod";
import { batch, workflowCounts } from "./batch.ts";
import { cardId, listingId } from "./ids.ts";
import { totalMoney } from "./money.ts";
import { filledText, timestamp } from "./text.ts";

/**
 * A name of the IANA database. Offsets are none: databases count them from Greenwich in both directions.
 */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const timeZone = filledText(60)
  .refine(isTimeZone, "Must be a time zone of the IANA database")
  .meta({
    description: "Where the days of the sales begin: of the IANA database, as the browser says.",
    examples: ["America/New_York"],
  });

/** `accounts.dashboard`: the figures of the first page, each of which is a link to what it counts. */
export const dashboardInput = z.strictObject({ time_zone: timeZone });

export const salesDay = z.strictObject({
  day: z.iso.date(),
  sales: z.int().min(0),
  copies: z.int().min(0),
  amount: totalMoney,
});
export type SalesDay = z.output<typeof salesDay>;

export const recentSale = z.strictObject({
  listing_id: listingId.nullable().meta({ description: "Null where it was recorded by hand." }),
  card_id: cardId,
  title: z.string().nullable(),
  quantity: z.int().min(0),
  amount: totalMoney,
  sold_at: timestamp,
});
export type RecentSale = z.output<typeof recentSale>;

export const dashboard = z.strictObject({
  counts: workflowCounts,
  needs_review: z.int().min(0).meta({ description: "Cards that the review asks about." }),
  dropped_events: z.int().min(0),
  copies: z.int().min(0).meta({ description: "Quantity of the cards in stock." }),
  /** Values are those of cards that are neither sold nor archived. */
  asking_value: totalMoney,
  cost: totalMoney,
  market_value: totalMoney.meta({
    description: "Stored market prices in the account's own currency.",
  }),
  open_batches: z.int().min(0),
  batches: z.array(batch).meta({ description: "The newest that are not complete." }),
  sales_by_day: z.array(salesDay).meta({ description: "30 days, today last." }),
  recent_sales: z.array(recentSale),
});
export type Dashboard = z.output<typeof dashboard>;
