import { maxAmount } from "@cardvault/contract";
import type { Money, PriceKind } from "@cardvault/contract";

/** What one source says that a card is worth. */
export type PriceQuote = {
  source: string;
  kind: PriceKind;
  /** Null where the source knows too little. */
  price: Money | null;
  low: Money | null;
  high: Money | null;
  /** Sales or offers behind the price; null where the source does not say. */
  sampleSize: number | null;
  /** When it was true. */
  asOf: Date;
};

/** A price to store as the market price, and who said so. */
export type PriceSuggestion = { price: Money; source: string; asOf: Date };

/** Sales older than a season, and guides that were not looked at for a month, say nothing about today. */
const longestAgeDays = { sold: 90, guide: 30 } as const;
/** One sale may be anything. A source that does not count its sales is taken at its word. */
const leastSales = 3;

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * What a card is worth by these quotes: the median of what it was sold for, else of the guides. What
 * somebody asks is no price that anybody paid, and never counts. Quotes in another currency, too old or
 * of too few sales are left out; where nothing is left, there is no suggestion.
 * @param currency the account's, ISO 4217
 */
export function suggestPrice(
  quotes: readonly PriceQuote[],
  currency: string,
  now: Date,
): PriceSuggestion | null {
  for (const kind of ["sold", "guide"] as const) {
    const usable = quotes.flatMap((quote) => usableQuote(quote, kind, currency, now));
    const suggestion = medianOf(usable, currency);
    if (suggestion !== null) return suggestion;
  }
  return null;
}

type Usable = { amount: number; source: string; asOf: Date };

function usableQuote(
  { price, source, asOf, sampleSize, ...quote }: PriceQuote,
  kind: "sold" | "guide",
  currency: string,
  now: Date,
): Usable[] {
  if (quote.kind !== kind || price === null || price.currency !== currency) return [];
  if (price.amount < 1 || price.amount > maxAmount) return [];
  if (now.getTime() - asOf.getTime() > longestAgeDays[kind] * dayMs) return [];
  if (kind === "sold" && sampleSize !== null && sampleSize < leastSales) return [];
  return [{ amount: price.amount, source, asOf }];
}

/** With an even number of quotes the mean of the two in the middle, in whole minor units. */
function medianOf(quotes: readonly Usable[], currency: string): PriceSuggestion | null {
  const sorted = quotes.toSorted((left, right) => left.amount - right.amount);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  if (low === undefined || high === undefined) return null;
  const amount = Math.round((low.amount + high.amount) / 2);
  const oldest = low.asOf < high.asOf ? low.asOf : high.asOf;
  const sources = [...new Set([low.source, high.source])].toSorted();
  return { price: { amount, currency }, source: sources.join(", "), asOf: oldest };
}
