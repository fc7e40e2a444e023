import { maxAmount } from "@cardvault/contract";
import type { Money, PriceRounding, PriceRule, PriceSkip } from "@cardvault/contract";
import type { CardState } from "../card/state.ts";

/** What a rule looks at. */
export type PricedCard = Pick<CardState, "priceFloor"> & { marketPrice: Money | null };

/** The price that a rule gives, or why it gives none. */
export type RulePrice = { price: Money } | { skipped: PriceSkip };

/**
 * Currencies whose minor unit is not a hundredth (ISO 4217), by their decimals. In the contract's minor
 * units these have no prices that end in .99.
 */
const otherDecimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
      .split(" ")
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
};

/**
 * A price by a rule: so much of the market price, rounded, and never below the floor and the minimum.
 * Where one of these lifts it, it is rounded upwards, so that it is both high enough and well formed.
 * @param currency the account's, ISO 4217: a market price in another gives no price.
 */
export function priceByRule(card: PricedCard, rule: PriceRule, currency: string): RulePrice {
  const { marketPrice } = card;
  if (marketPrice === null) return { skipped: "no_market_price" };
  if (marketPrice.currency !== currency) return { skipped: "other_currency" };
  const floor = rule.floor === "price_floor" ? card.priceFloor : rule.floor;
  const least = Math.max(1, floor?.amount ?? 0, rule.minimum?.amount ?? 0);
  const endings = endingsOf(rule.rounding, currency);
  const nearest = roundedToNearest(shareOf(marketPrice.amount, rule.percent), endings);
  const amount = nearest < least ? roundedUp(least, endings) : nearest;
  return amount > maxAmount ? { skipped: "out_of_range" } : { price: { amount, currency } };
}

/** Exact: the largest amount times the largest share is no safe integer. Halves go up. */
function shareOf(amount: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100));
  return Number((BigInt(amount) * hundredths + 5_000n) / 10_000n);
}

/** Prices are of these remainders, in minor units, by this step. */
type Endings = { step: number; ends: readonly number[] };

function endingsOf(rounding: PriceRounding, currency: string): Endings {
  const unit = 10 ** (otherDecimals[currency] ?? 2);
  if (rounding === "none") return { step: 1, ends: [0] };
  if (rounding === "whole" || unit !== 100) return { step: unit, ends: [0] };
  if (rounding === "end_99") return { step: unit, ends: [99] };
  return { step: unit, ends: rounding === "end_49" ? [49] : [49, 99] };
}

/** The least price of such an ending that is not below the amount. */
function roundedUp(amount: number, { step, ends }: Endings): number {
  const base = Math.floor(amount / step) * step;
  const candidates = [...ends, ...ends.map((end) => end + step)].map((end) => base + end);
  return Math.min(...candidates.filter((candidate) => candidate >= amount));
}

/** Of two that are as near the higher one. Below the first there is nothing: 0 is no price. */
function roundedToNearest(amount: number, endings: Endings): number {
  const { step, ends } = endings;
  const base = Math.floor(amount / step) * step;
  const above = roundedUp(amount, endings);
  const below = Math.max(
    ...[...ends, ...ends.map((end) => end - step)]
      .map((end) => base + end)
      .filter((candidate) => candidate <= amount),
  );
  return below < 1 || above - amount <= amount - below ? above : below;
}
