import { expect, test } from "vitest";
import { suggestPrice } from "./suggest.ts";
import type { PriceQuote } from "./suggest.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
const usd = (amount: number) => ({ amount, currency: "USD" });

function quote(more: Partial<PriceQuote> = {}): PriceQuote {
  return {
    source: "cardsight",
    kind: "sold",
    price: usd(1_000),
    low: null,
    high: null,
    sampleSize: 5,
    asOf: daysAgo(1),
    ...more,
  };
}
const suggest = (...quotes: PriceQuote[]) => suggestPrice(quotes, "USD", now);

test("sales come before guides, and offers never count", () => {
  const guide = quote({ kind: "guide", source: "tcgdex", price: usd(700), sampleSize: null });
  const asking = quote({ kind: "asking", source: "ebay", price: usd(5_000) });
  expect(suggest(asking, guide, quote())).toEqual({
    price: usd(1_000),
    source: "cardsight",
    asOf: daysAgo(1),
  });
  expect(suggest(asking, guide)).toMatchObject({ price: usd(700), source: "tcgdex" });
  expect(suggest(asking)).toBeNull();
  expect(suggest()).toBeNull();
});

test("the median, and of two in the middle their mean, as old as the older", () => {
  const other = quote({ source: "other", price: usd(1_301), asOf: daysAgo(9) });
  expect(suggest(quote(), other)).toEqual({
    price: usd(1_151),
    source: "cardsight, other",
    asOf: daysAgo(9),
  });
  expect(suggest(quote(), other, quote({ source: "far", price: usd(99_999) }))).toMatchObject({
    price: usd(1_301),
    source: "other",
  });
});

test.each<[string, Partial<PriceQuote>]>([
  ["another currency", { price: { amount: 1_000, currency: "EUR" } }],
  ["no price", { price: null }],
  ["a price of nothing", { price: usd(0) }],
  ["too few sales", { sampleSize: 2 }],
  ["too old", { asOf: daysAgo(91) }],
  ["a guide too old", { kind: "guide", asOf: daysAgo(31) }],
])("%s gives no suggestion", (_, more) => expect(suggest(quote(more))).toBeNull());

test.each<[string, Partial<PriceQuote>]>([
  ["three sales", { sampleSize: 3 }],
  ["sales that nobody counted", { sampleSize: null }],
  ["ninety days", { asOf: daysAgo(90) }],
  ["a guide without a number of sales", { kind: "guide", sampleSize: null, asOf: daysAgo(30) }],
])("%s gives one", (_, more) => expect(suggest(quote(more))).toMatchObject({ price: usd(1_000) }));
