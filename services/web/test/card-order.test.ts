import { openPackedIds, packIds } from "@cardvault/contract";
import type { PackedIds } from "@cardvault/contract";
import { expect, test } from "vitest";
import { joined } from "../src/parts/card-order-join.ts";

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const idOf = (index: number): string =>
  `card_01kjn2z6g0fgz9pqafd9r8${digits[(index >> 15) & 31]}${digits[(index >> 10) & 31]}${digits[(index >> 5) & 31]}${digits[index & 31]}`;
const part = (from: number, count: number): PackedIds =>
  openPackedIds(
    "card",
    packIds(
      "card",
      Array.from({ length: count }, (_, index) => idOf(from + index)),
    ),
  );
const unpacked = (packed: string): string[] => {
  const ids = openPackedIds("card", packed);
  return Array.from({ length: ids.length }, (_, index) => ids.at(index));
};

test("an order of parts and blocks has every place once, and knows which block a place needs", () => {
  const come = new Map<number, PackedIds>();
  const needed: number[] = [];
  const order = joined([part(0, 100), part(100, 250)], {
    size: 50,
    count: 120,
    at: (block) => come.get(block),
    need: (block) => needed.push(block),
  });
  expect(order.length).toBe(470);
  expect([order.at(0), order.at(99), order.at(100), order.at(349)]).toEqual(
    [0, 99, 100, 349].map(idOf),
  );
  expect([order.at(-1), order.at(470)]).toEqual([undefined, undefined]);
  expect(unpacked(order.slice(90, 110))).toEqual(
    Array.from({ length: 10 }, (_, index) => idOf(90 + index)),
  );
  expect([order.indexOf(idOf(3)), order.indexOf(idOf(300)), order.indexOf(idOf(400))]).toEqual([
    3, 300, -1,
  ]);

  order.need(0, 350);
  expect(needed).toEqual([]);
  expect(order.at(400)).toBeUndefined();
  expect(order.slice(400, 450)).toBe("");
  order.need(340, 460);
  expect(needed).toEqual([0, 1, 2]);
  come.set(1, part(400, 50));
  expect(order.at(449)).toBe(idOf(449));
  expect(order.at(450)).toBeUndefined();
  expect(unpacked(order.slice(440, 460))).toEqual(
    Array.from({ length: 10 }, (_, index) => idOf(440 + index)),
  );
});

test("a list that was asked for and holds nothing has no places", () => {
  const order = joined([part(0, 0)]);
  expect([order.length, order.at(0), order.slice(0, 50), order.indexOf(idOf(1))]).toEqual([
    0,
    undefined,
    "",
    -1,
  ]);
});
