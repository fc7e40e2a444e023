import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spreadCost } from "./batch-cost.ts";
import type { CostCard } from "./batch-cost.ts";

const card = (id: string, weight: number | null = null, copies = 1): CostCard => ({
  id,
  weight,
  copies,
});
const sharesOf = (total: number, cards: CostCard[], by: "even" | "asking_price" = "even") =>
  Object.fromEntries(spreadCost(total, cards, by).shares);

describe("spreadCost", () => {
  test("evenly, to the cent", () => {
    expect(sharesOf(1000, [card("a"), card("b"), card("c")])).toEqual({ a: 334, b: 333, c: 333 });
  });

  test("in proportion to the weights; one without a weight has their mean", () => {
    const spread = spreadCost(600, [card("a", 100), card("b", 300), card("c")], "asking_price");
    expect(Object.fromEntries(spread.shares)).toEqual({ a: 100, b: 300, c: 200 });
    expect(spread.averaged).toBe(1);
  });

  test("weights of 0, or none at all, are equal", () => {
    expect(sharesOf(10, [card("a", 0), card("b", 0)], "asking_price")).toEqual({ a: 5, b: 5 });
    expect(sharesOf(10, [card("a"), card("b")], "asking_price")).toEqual({ a: 5, b: 5 });
  });

  test("copies cost the same each; the card with a single copy takes what they cannot", () => {
    expect(sharesOf(1000, [card("a", null, 3), card("b")])).toEqual({ a: 250, b: 250 });
    expect(sharesOf(1001, [card("a", null, 3), card("b")])).toEqual({ a: 250, b: 251 });
    expect(sharesOf(1003, [card("a", null, 3), card("b")])).toEqual({ a: 251, b: 250 });
  });

  test("what no card can take is said", () => {
    expect(spreadCost(7, [card("a", null, 2)], "even")).toMatchObject({ unspread: 1 });
    expect(spreadCost(7, [], "even")).toMatchObject({ unspread: 7 });
  });

  const cardsOf = fc
    .uniqueArray(
      fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 40 }), fc.option(fc.nat(900_000_000_000))),
      {
        selector: ([id]) => id,
        minLength: 1,
        maxLength: 60,
      },
    )
    .map((all) => all.map(([id, copies, weight]) => card(`card_${id}`, weight, copies)));

  test("the sum is exact, nothing is negative, and a single copy leaves nothing over", () => {
    fc.assert(
      fc.property(
        cardsOf,
        fc.nat(Number.MAX_SAFE_INTEGER),
        fc.constantFrom("even" as const, "asking_price" as const),
        (cards, total, by) => {
          const { shares, unspread } = spreadCost(total, cards, by);
          const sum = cards.reduce(
            (all, { id, copies }) => all + BigInt(shares.get(id) ?? -1) * BigInt(copies),
            0n,
          );
          expect(sum + BigInt(unspread)).toBe(BigInt(total));
          expect(Math.min(...shares.values())).toBeGreaterThanOrEqual(0);
          expect(unspread).toBeLessThan(Math.min(...cards.map(({ copies }) => copies)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("the order of the cards does not matter, and a heavier copy never costs less", () => {
    fc.assert(
      fc.property(
        cardsOf.chain((cards) =>
          fc.tuple(fc.constant(cards), fc.shuffledSubarray(cards, { minLength: cards.length })),
        ),
        fc.nat(1_000_000_000),
        ([cards, shuffled], total) => {
          const { shares } = spreadCost(total, cards, "asking_price");
          expect(spreadCost(total, shuffled, "asking_price").shares).toEqual(shares);
          const single = cards.filter((one) => one.weight !== null && one.copies === 1);
          for (const one of single) {
            for (const other of single) {
              if ((one.weight ?? 0) > (other.weight ?? 0)) {
                // A unit either way: of copies that weigh nearly the same, one takes the remainder.
                expect((shares.get(one.id) ?? 0) + 1).toBeGreaterThanOrEqual(
                  shares.get(other.id) ?? 0,
                );
              }
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
