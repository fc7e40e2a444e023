import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineChanges } from "./order-lines.ts";
import type { LedgerLine, LineChange, OrderNow } from "./order-lines.ts";
import { shareFee } from "./share-fee.ts";

const order = (more: Partial<OrderNow> = {}): OrderNow => ({
  isCancelled: false,
  isPaid: true,
  fee: null,
  lines: [{ lineId: "1", quantity: 3, total: 3_000 }],
  ...more,
});
const line = (more: Partial<LedgerLine> = {}): LedgerLine => ({
  lineId: "1",
  quantity: 3,
  total: 3_000,
  cancelledQuantity: 0,
  cancelledTotal: 0,
  refunded: 0,
  fee: null,
  isPaid: true,
  ...more,
});

describe("the first look", () => {
  test("sells what it shows", () => {
    expect(lineChanges([], order())).toEqual([
      { lineId: "1", isNew: true, line: line(), sold: 3, cancelled: null },
    ]);
  });

  test("at an order that is cancelled sells nothing, and writes it down", () => {
    expect(lineChanges([], order({ isCancelled: true }))).toEqual([
      {
        lineId: "1",
        isNew: true,
        line: line({ cancelledQuantity: 3, cancelledTotal: 3_000 }),
        sold: 0,
        cancelled: null,
      },
    ]);
  });
});

const later: [string, LedgerLine, OrderNow, Partial<LedgerLine>, LineChange["cancelled"]][] = [
  [
    "cancelled as a whole",
    line(),
    order({ isCancelled: true }),
    { cancelledQuantity: 3, cancelledTotal: 3_000 },
    { quantity: 3, total: 3_000 },
  ],
  [
    "cancelled in part",
    line(),
    order({ lines: [{ lineId: "1", quantity: 2, total: 2_000 }] }),
    { cancelledQuantity: 1, cancelledTotal: 1_000 },
    { quantity: 1, total: 1_000 },
  ],
  [
    "cancelled in part, then as a whole",
    line({ cancelledQuantity: 1, cancelledTotal: 1_000, refunded: 50 }),
    order({ isCancelled: true }),
    { cancelledQuantity: 3, cancelledTotal: 3_000, refunded: 0 },
    { quantity: 2, total: 2_000 },
  ],
  [
    "refunded in part: no copy comes back",
    line(),
    order({ lines: [{ lineId: "1", quantity: 3, total: 2_600 }] }),
    { refunded: 400 },
    null,
  ],
  [
    "refunded, as the order tells",
    line(),
    order({ lines: [{ lineId: "1", quantity: 3, total: 3_000, refunded: 250 }] }),
    { refunded: 250 },
    null,
  ],
  [
    "without the line",
    line(),
    order({ lines: [] }),
    { cancelledQuantity: 3, cancelledTotal: 3_000 },
    { quantity: 3, total: 3_000 },
  ],
  ["with its fee", line(), order({ fee: 415 }), { fee: 415 }, null],
  ["paid", line({ isPaid: false }), order(), { isPaid: true }, null],
];
test.each(later)("an order that is %s by the next look", (_, known, seen, after, cancelled) => {
  const [change, ...others] = lineChanges([known], seen);
  expect(others).toEqual([]);
  expect(change).toMatchObject({ isNew: false, sold: 0, cancelled, line: { ...known, ...after } });
});

test.each<[string, LedgerLine, OrderNow]>([
  ["the same", line(), order()],
  [
    "more copies: an order does not grow",
    line(),
    order({ lines: [{ lineId: "1", quantity: 5, total: 5_000 }] }),
  ],
  [
    "a cancelled one that is shown again",
    line({ cancelledQuantity: 3, cancelledTotal: 3_000 }),
    order(),
  ],
])("%s changes nothing", (_, known, seen) => {
  expect(lineChanges([known], seen)).toEqual([]);
});

test("shares of a fee make the fee, whatever the totals", () => {
  expect(shareFee(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(shareFee(10, [0, 0])).toEqual([5, 5]);
  expect(shareFee(7, [])).toEqual([]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_000_000_000 }),
      fc.array(fc.integer({ min: 0, max: 900_000_000_000 }), { minLength: 1, maxLength: 20 }),
      (fee, totals) => {
        const shares = shareFee(fee, totals);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(fee);
        expect(shares.every((share) => share >= 0)).toBe(true);
      },
    ),
  );
});

test("however often and in whatever states an order is read, what was sold is what is left and what was cancelled", () => {
  const look = fc.record({
    isCancelled: fc.boolean(),
    isPaid: fc.boolean(),
    fee: fc.option(fc.integer({ min: 0, max: 500 })),
    lines: fc
      .array(
        fc.record({
          lineId: fc.constantFrom("a", "b", "c"),
          quantity: fc.integer({ min: 1, max: 5 }),
          total: fc.integer({ min: 0, max: 5_000 }),
        }),
        { maxLength: 3 },
      )
      .map((lines) => [...new Map(lines.map((one) => [one.lineId, one])).values()]),
  });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 8 }), (looks) => {
      const ledger = new Map<string, LedgerLine>();
      const sums = new Map<string, { sold: number; cancelled: number; amount: number }>();
      for (const seen of looks) {
        for (const change of lineChanges([...ledger.values()], seen)) {
          const sum = sums.get(change.lineId) ?? { sold: 0, cancelled: 0, amount: 0 };
          sum.sold += change.sold;
          sum.cancelled += change.cancelled?.quantity ?? 0;
          sum.amount += change.cancelled?.total ?? 0;
          sums.set(change.lineId, sum);
          ledger.set(change.lineId, change.line);
          expect(change.cancelled?.quantity ?? 1).toBeGreaterThan(0);
        }
        expect(lineChanges([...ledger.values()], seen)).toEqual([]);
      }
      for (const [id, after] of ledger) {
        const sum = sums.get(id) ?? { sold: 0, cancelled: 0, amount: 0 };
        // A line that was cancelled when it was first seen has sold nothing.
        const cancelled = sum.sold === 0 ? after.quantity : sum.cancelled;
        expect(after.cancelledQuantity).toBe(cancelled);
        expect(after.quantity).toBe(sum.sold === 0 ? after.quantity : sum.sold);
        expect(after.cancelledTotal + after.refunded).toBeLessThanOrEqual(after.total);
        if (sum.sold > 0) expect(after.cancelledTotal).toBe(sum.amount);
      }
    }),
    { numRuns: 500 },
  );
});
