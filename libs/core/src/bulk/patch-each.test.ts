import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runToEnd } from "../work/test-run.ts";
import { bulkHandlers } from "./handler.ts";
import { cardsOf, stock, usd } from "./test-stock.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Rows ${serial}`);
  house.clock.set(new Date());
});
afterAll(() => house.close());

type Rows = Parameters<Dealer["asOwner"]["bulk"]["patchEach"]>[0]["patches"];

function handler() {
  const found = new Map(bulkHandlers(house)).get("bulk.patch_each");
  if (found === undefined) throw new Error("Nobody patches");
  return found;
}
const begin = (patches: Rows, idempotency_key?: string) =>
  dealer.asOwner.bulk.patchEach({ patches, idempotency_key });
async function did(patches: Rows) {
  const { id } = await begin(patches);
  await runToEnd(house, handler(), id);
  return dealer.asOwner.jobs.get({ id });
}
const jobs = async () => (await dealer.asOwner.jobs.list({})).data.length;

test("each card becomes what its row says, with the events of a PATCH, and one undo", async () => {
  const ids = await stock(house, dealer, 4, (index) => ({ title: `T${index}`, notes: "n" }));
  const [one, two, three, four] = await cardsOf(dealer, ids);
  const patches = [
    { id: one?.id ?? "", patch: { asking_price: usd(100), location: "A1" }, if_version: 1 },
    { id: two?.id ?? "", patch: { title: "Other", sku: "MINE-2" } },
    { id: three?.id ?? "", patch: { notes: null, tags: ["x"] } },
    { id: four?.id ?? "", patch: { title: "T3" } },
  ];
  const job = await did(patches);
  expect(job).toMatchObject({
    kind: "bulk.patch_each",
    status: "done",
    progress: { total: 4, done: 4, changed: 3, failed: 0 },
  });
  const after = await cardsOf(dealer, ids);
  expect(after).toMatchObject([
    { asking_price: usd(100), location: "A1", title: "T0", version: 2 },
    { title: "Other", sku: "MINE-2", version: 2 },
    { notes: null, tags: ["x"], version: 2 },
    { version: 1 },
  ]);
  const { data } = await dealer.asOwner.events.list({ event: ["card.priced"] });
  expect(data).toHaveLength(1);
  const undo = await dealer.asOwner.bulk.undo({ id: job.id });
  await runToEnd(house, handler(), undo.id);
  const members = (card: (typeof after)[number] | undefined) => [
    card?.title,
    card?.sku,
    card?.notes,
    card?.tags,
    card?.location,
    card?.asking_price,
  ];
  expect((await cardsOf(dealer, ids)).map(members)).toEqual([one, two, three, four].map(members));
});

describe("a row that is refused is its card's failure, with its fields, and the others are done", () => {
  test.each([
    [
      { asking_price: { amount: 1, currency: "EUR" } },
      undefined,
      "validation_failed",
      "asking_price.currency",
    ],
    [{ title: "New" }, 7, "precondition_failed", "if_version"],
  ])("%j at version %j: %s", async (patch, if_version, code, path) => {
    const ids = await stock(house, dealer, 3, () => ({ title: "T" }));
    const rows = ids.map((id, index) => ({
      id,
      ...(index === 1 ? { patch, if_version } : { patch: { location: "B" } }),
    }));
    const job = await did(rows);
    expect(job.progress).toMatchObject({ changed: 2, failed: 1 });
    const { data } = await dealer.asOwner.jobs.items({ id: job.id, outcome: ["failed"] });
    expect(data).toMatchObject([{ card: { id: ids[1] }, code, details: [{ path }] }]);
  });

  test("a SKU that another card has", async () => {
    const ids = await stock(house, dealer, 3, () => ({ title: "T" }));
    const [first] = await cardsOf(dealer, ids);
    const job = await did(
      ids.slice(1).map((id, index) => ({ id, patch: { sku: index === 0 ? first?.sku : "FREE" } })),
    );
    expect(job.progress).toMatchObject({ changed: 1, failed: 1 });
    const { data } = await dealer.asOwner.jobs.items({ id: job.id, outcome: ["failed"] });
    expect(data).toMatchObject([{ card: { id: ids[1] }, code: "conflict" }]);
  });
});

describe("what is not accepted begins nothing", () => {
  test("404 card_not_found for another account's card, with its place", async () => {
    const ben = await house.dealer(`Ben ${serial}`);
    const [mine] = await stock(house, dealer, 1, () => ({ title: "T" }));
    const [theirs] = await stock(house, ben, 1, () => ({ title: "T" }));
    const patch = { title: "New" };
    const error = await errorFrom(
      begin([
        { id: mine ?? "", patch },
        { id: theirs ?? "", patch },
      ]),
    );
    expect(error.code).toBe("card_not_found");
    expect(error.details?.map(({ path }) => path)).toEqual(["patches.1.id"]);
    expect(await jobs()).toBe(0);
    expect((await ben.asOwner.cards.get({ id: theirs ?? "" })).title).toBe("T");
  });

  test("400 for a card twice, none, too many, and what no PATCH takes", async () => {
    const [id = ""] = await stock(house, dealer, 1, () => ({ title: "T" }));
    const row = { id, patch: { title: "New" } };
    const twice = await errorFrom(begin([row, row]));
    expect(twice.details).toEqual([{ path: "patches.1.id", message: "Stands here twice" }]);
    const bad = await errorFrom(begin([{ id, patch: { quantity: 0 } }]));
    expect(bad.details?.[0]?.path).toBe("patches.0.patch.quantity");
    expect(await codeFrom(begin([]))).toBe("validation_failed");
    expect(await codeFrom(begin(Array.from({ length: 5_001 }, () => row)))).toBe(
      "validation_failed",
    );
    expect(await jobs()).toBe(0);
  });
});

test("the same key begins one job; for other rows it is refused", async () => {
  const [id = ""] = await stock(house, dealer, 1, () => ({ title: "T" }));
  const first = await begin([{ id, patch: { title: "A" } }], "k");
  expect((await begin([{ id, patch: { title: "A" } }], "k")).id).toBe(first.id);
  expect(await codeFrom(begin([{ id, patch: { title: "B" } }], "k"))).toBe(
    "idempotency_key_reused",
  );
});

test("five thousand rows in one job", async () => {
  const ids = await stock(house, dealer, 5_000, () => ({ title: "T" }));
  const rows = ids.map((id, index) => ({
    id,
    patch: { asking_price: usd(index + 1) },
    if_version: 1,
  }));
  const { id } = await begin(rows);
  await runToEnd(house, handler(), id);
  const job = await dealer.asOwner.jobs.get({ id });
  expect(job.progress).toMatchObject({ total: 5_000, changed: 5_000, failed: 0 });
  expect((await dealer.asOwner.cards.get({ id: ids[4_321] ?? "" })).asking_price).toEqual(
    usd(4_322),
  );
}, 60_000);
