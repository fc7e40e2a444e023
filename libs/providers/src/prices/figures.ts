import { currencies, maxAmount } from "@cardvault/contract";
import type { Money } from "@cardvault/contract";
import type { PriceQuestion, Quote, QuoteKind } from "../ports.ts";

/** Fewer say nothing about what a card is worth. */
const leastSample = 3;

/** A decimal amount of a currency with cents; null where it is none that money can be. */
export function moneyOf(value: unknown, currency: string): Money | null {
  const decimal =
    typeof value === "string" && /^\d{1,12}(\.\d{1,4})?$/.test(value) ? Number(value) : value;
  if (typeof decimal !== "number" || !Number.isFinite(decimal)) return null;
  return centsOf(Math.round(decimal * 100), currency);
}

/** Whole cents above 0; 0 is how sources write that they know no price. */
export function centsOf(value: unknown, currency: string): Money | null {
  if (typeof value !== "number" || !Number.isInteger(value)) return null;
  if (value < 1 || value > maxAmount || !currencies.includes(currency)) return null;
  return { amount: value, currency };
}

/** The middle of what was paid or is asked, with the lowest and the highest; null prices below three of them. */
export function quoteOfSample(
  source: string,
  kind: QuoteKind,
  prices: readonly Money[],
  currency: string,
  asOf: Date,
): Quote {
  const amounts = prices
    .filter((price) => price.currency === currency)
    .map(({ amount }) => amount)
    .sort((one, other) => one - other);
  const base = { source, kind, sampleSize: amounts.length, asOf };
  if (amounts.length < leastSample) return { ...base, price: null, low: null, high: null };
  const upper = amounts[Math.floor(amounts.length / 2)] ?? 0;
  const lower = amounts[Math.floor((amounts.length - 1) / 2)] ?? 0;
  const money = (amount: number | undefined): Money => ({ amount: amount ?? 0, currency });
  return {
    ...base,
    price: money(Math.round((lower + upper) / 2)),
    low: money(amounts[0]),
    high: money(amounts.at(-1)),
  };
}

/** Price guides speak of ungraded cards as good as new; of a worn one they know nothing. */
export function isForGuides({ condition, grading }: PriceQuestion): boolean {
  return grading === null && (condition === null || condition === "near_mint");
}

/** A day or a moment as a source writes it; null where it is none, or lies ahead. */
export function dateOf(value: string | null | undefined, now: Date): Date | null {
  const date = new Date((value ?? "").replaceAll("/", "-"));
  return Number.isNaN(date.getTime()) || date.getTime() > now.getTime() ? null : date;
}

/** The number without its total, as sources write it. */
export function plainNumber(number: string | null | undefined): string | null {
  const [plain = ""] = (number ?? "").split("/", 1);
  return plain.trim() === "" ? null : plain.trim();
}
