import { maxAmount, priceRoundings } from "@cardvault/contract";
import type { PriceRule } from "@cardvault/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { priceByRule } from "./price-rule.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const amount = fc.oneof(
  fc.integer({ min: 0, max: 50_000 }),
  fc.integer({ min: 0, max: maxAmount }),
);
const rules: fc.Arbitrary<PriceRule> = fc.record({
  percent: fc.integer({ min: 100, max: 100_000 }).map((hundredths) => hundredths / 100),
  rounding: fc.constantFrom(...priceRoundings),
  floor: fc.oneof(fc.constant("price_floor" as const), fc.constant(null), amount.map(usd)),
  minimum: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: maxAmount }).map(usd)),
});
const floors = fc.option(amount.map(usd));

function amountOf(
  market: number,
  rule: PriceRule,
  priceFloor: ReturnType<typeof usd> | null = null,
) {
  const result = priceByRule({ marketPrice: usd(market), priceFloor }, rule, "USD");
  return "price" in result ? result.price.amount : null;
}

/** Whether a price is of the form that the rounding promises, in cents. */
function hasEnding(price: number, rounding: PriceRule["rounding"]): boolean {
  const end = price % 100;
  switch (rounding) {
    case "none":
      return true;
    case "whole":
      return end === 0;
    case "end_99":
      return end === 99;
    case "end_49":
      return end === 49;
    case "end_49_or_99":
      return end === 49 || end === 99;
  }
}

const steps = { none: 1, whole: 100, end_99: 100, end_49: 100, end_49_or_99: 50 } as const;

describe("a price by a rule", () => {
  test("is a price, has its ending, and is never below the floor or the minimum", () => {
    fc.assert(
      fc.property(amount, rules, floors, (market, rule, floor) => {
        const price = amountOf(market, rule, floor);
        if (price === null) return;
        const bound = rule.floor === "price_floor" ? floor : rule.floor;
        expect(Number.isSafeInteger(price)).toBe(true);
        expect(price).toBeGreaterThanOrEqual(
          Math.max(1, bound?.amount ?? 0, rule.minimum?.amount ?? 0),
        );
        expect(price).toBeLessThanOrEqual(maxAmount);
        expect(hasEnding(price, rule.rounding)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is the nearest of its form to the share, where nothing lifts it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 1_000_000 }), rules, (market, rule) => {
        const free = { ...rule, floor: null, minimum: null };
        const share = (market * rule.percent) / 100;
        const price = amountOf(market, free) ?? 0;
        const step = steps[rule.rounding];
        // Below the first price of its form there is none.
        fc.pre(share >= step);
        expect(Math.abs(price - share)).toBeLessThanOrEqual(step / 2 + 0.5);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a price that a floor lifts is the least of its form", () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 1, max: 1_000_000 }), (rule, floor) => {
        const price = amountOf(0, { ...rule, floor: usd(floor), minimum: null }) ?? 0;
        const step = steps[rule.rounding];
        expect(price - floor).toBeLessThan(Math.max(step, 2));
      }),
    );
  });

  test("never falls while the market rises", () => {
    fc.assert(
      fc.property(amount, amount, rules, floors, (one, other, rule, floor) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const [below, above] = [amountOf(low, rule, floor), amountOf(high, rule, floor)];
        if (below !== null && above !== null) expect(below).toBeLessThanOrEqual(above);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is exact where the product is no safe integer", () => {
    const rule = { percent: 100.01, rounding: "none", floor: null, minimum: null } as const;
    expect(amountOf(899_000_000_001, rule)).toBe(899_089_900_001);
  });
});

describe("no price", () => {
  const rule = { percent: 100, rounding: "none", floor: null, minimum: null } as const;

  test("without a market price, with one in another currency, above the largest", () => {
    const skipped = (marketPrice: ReturnType<typeof usd> | null, percent = 100) =>
      priceByRule({ marketPrice, priceFloor: null }, { ...rule, percent }, "USD");
    expect(skipped(null)).toEqual({ skipped: "no_market_price" });
    expect(skipped({ amount: 1, currency: "EUR" })).toEqual({ skipped: "other_currency" });
    expect(skipped(usd(maxAmount), 101)).toEqual({ skipped: "out_of_range" });
  });

  test("currencies without hundredths are rounded to whole units", () => {
    const yen = { amount: 1_234, currency: "JPY" };
    const card = { marketPrice: yen, priceFloor: null };
    const rounded = priceByRule(card, { ...rule, rounding: "end_99" }, "JPY");
    expect(rounded).toEqual({ price: yen });
    const dinar = { marketPrice: { amount: 1_600, currency: "KWD" }, priceFloor: null };
    expect(priceByRule(dinar, { ...rule, rounding: "end_99" }, "KWD")).toEqual({
      price: { amount: 2_000, currency: "KWD" },
    });
  });
});
