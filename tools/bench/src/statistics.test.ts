import fc from "fast-check";
import { expect, it } from "vitest";
import { median, percentile, table } from "./statistics.ts";

it("a percentile is one of the numbers, with so many of them at or below it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (numbers, part) => {
        const found = percentile(numbers, part);
        expect(numbers).toContain(found);
        const atOrBelow = numbers.filter((number) => number <= found).length;
        expect(atOrBelow).toBeGreaterThanOrEqual(part * numbers.length);
      },
    ),
  );
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(percentile([], 0.5)).toBeNaN();
});

it("the median of an even count lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

it("a table has text on the left and numbers on the right", () => {
  expect(
    table([
      ["part", "µs"],
      ["zod", 5],
      ["pg", 12],
    ]),
  ).toBe("  part  µs\n  zod    5\n  pg    12");
});
