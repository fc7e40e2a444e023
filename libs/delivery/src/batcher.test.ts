import { VaultError } from "@cardvault/contract";
import { expect, test } from "vitest";
import { Batcher } from "./batcher.ts";

function doubler(maxItems = 10, maxRunning = 1) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    maxItems,
    maxRunning,
    run: async (items) => {
      batches.push([...items]);
      await Promise.resolve();
      if (items.includes(13)) throw new Error("refused");
      if (items.includes(99)) throw new VaultError("service_unavailable");
      return items.map((item) => item * 2);
    },
  });
  return { batches, batcher };
}

test("what is asked for at once is one batch, each with its own answer", async () => {
  const { batches, batcher } = doubler();
  expect(await Promise.all([1, 2, 3].map((item) => batcher.add(item)))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("batches are no larger, and no more at once, than told; nothing is forgotten", async () => {
  const { batches, batcher } = doubler(2, 1);
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))).toEqual([
    2, 4, 6, 8, 10,
  ]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test("one that is refused fails alone", async () => {
  const { batcher } = doubler();
  const results = await Promise.allSettled([1, 13, 3].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("a database that is away is not asked once for each", async () => {
  const { batches, batcher } = doubler();
  const results = await Promise.allSettled([1, 99, 3].map((item) => batcher.add(item)));
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(batches).toHaveLength(1);
});
