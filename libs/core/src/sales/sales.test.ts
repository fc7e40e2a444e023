import { exampleId } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestShop, usd } from "../marketplace/test-shop.ts";
import type { TestShop } from "../marketplace/test-shop.ts";
import { codeFrom, errorFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { exportSales } from "./export-sales.ts";

let shop: TestShop;
let dealer: Dealer;
const zone = { time_zone: "UTC" };
beforeAll(async () => {
  shop = await openTestShop();
  dealer = await shop.dealer("Harbour Cards");
});
afterAll(() => shop.close());

describe("the ledger", () => {
  test("adds a sale on the marketplace and one at a show, by batch, card, place and month; exactly", async () => {
    const { asOwner } = dealer;
    const batch = await asOwner.batches.create({ name: "Harbour" });
    const online = await shop.list(dealer, { price: 2_000 });
    await asOwner.bulk.start({
      selection: { ids: [online.cardId] },
      action: { type: "move", location: "A-1" },
    });
    const lantern = await asOwner.cards.create({
      title: "Quiet Lantern",
      batch_id: batch.id,
      quantity: 3,
      purchase_price: usd(333),
      asking_price: usd(900),
    });
    await shop.sell(dealer, online.sku);
    await shop.sync(dealer);
    const sale = { price: usd(1_001), fee: usd(7), place: "Harbour card show" };
    await asOwner.cards.recordSale({ id: lantern.id, quantity: 2, ...sale });
    const noCost = await asOwner.cards.create({ title: "Found in a drawer" });
    await asOwner.cards.recordSale({ id: noCost.id, price: usd(50), place: "Counter" });

    const fee = Math.round((2_000 + 499) * 0.1325) + 40;
    const { totals, groups, open } = await asOwner.sales.summary({ ...zone, by: "place" });
    expect(totals).toEqual({
      sales: 3,
      copies: 4,
      revenue: usd(3_051),
      fees: usd(fee + 7),
      cost: usd(300 + 666),
      profit: usd(2_000 - fee - 300 + (1_001 - 7 - 666)),
      revenue_without_cost: usd(50),
      without_cost: 1,
      without_fee: 0,
    });
    expect(groups.map(({ key, sales }) => [key, sales])).toEqual([
      ["ebay", 1],
      ["Harbour card show", 1],
      ["Counter", 1],
    ]);
    expect(open).toMatchObject({ copies: 1, asking: usd(900), cost: usd(333) });
    const ofBatch = await asOwner.sales.summary({ ...zone, by: "batch", batch: batch.id });
    expect(ofBatch.groups).toMatchObject([
      { key: batch.id, label: `${batch.code} · Harbour`, copies: 2, profit: usd(328) },
    ]);
    const ofCard = await asOwner.sales.summary({ ...zone, by: "card", card: lantern.id });
    expect(ofCard).toMatchObject({ groups: [{ key: lantern.id, label: "Quiet Lantern" }] });
    expect((await asOwner.sales.list({ card: lantern.id })).data).toMatchObject([
      { kind: "by_hand", quantity: 2, fee: usd(7), cost: usd(666), profit: usd(328) },
    ]);
  });

  test("keeps what a card had cost when it was sold", async () => {
    const card = await dealer.asOwner.cards.create({ title: "Drake", purchase_price: usd(100) });
    await dealer.asOwner.cards.recordSale({ id: card.id, price: usd(500), place: "Show" });
    await dealer.asOwner.cards.update({ id: card.id, purchase_price: usd(400) });
    const { data } = await dealer.asOwner.sales.list({ card: card.id });
    expect(data).toMatchObject([{ cost: usd(100), profit: usd(400) }]);
  });

  test("a sale that is void stays, and counts no more", async () => {
    const { asOwner } = dealer;
    const card = await asOwner.cards.create({ title: "Stag", purchase_price: usd(100) });
    const { id } = await asOwner.cards.recordSale({ id: card.id, price: usd(500), place: "Show" });
    await asOwner.cards.voidSale({ id });
    const { data } = await asOwner.sales.list({ card: card.id });
    expect(data).toMatchObject([{ id, state: "cancelled", profit: usd(0) }]);
    const { totals } = await asOwner.sales.summary({ ...zone, card: card.id });
    expect(totals).toMatchObject({ sales: 0, revenue: usd(0) });
  });

  test("page after page it is the whole, and so is the file", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await dealer.asOwner.sales.list({ limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const whole = await dealer.asOwner.sales.list({ limit: 200 });
    expect(seen).toEqual(whole.data.map(({ id }) => id));
    let text = "";
    await exportSales(shop.house.services, dealer.access, {}, (more) => {
      text += more;
      return Promise.resolve();
    });
    const lines = text.trimEnd().split("\r\n").slice(1);
    expect(lines.map((line) => line.split(",").at(-1))).toEqual(seen);
  });
});

describe("what is sold is pulled", () => {
  test("with a tick that is undone, and only once each", async () => {
    const live = await shop.list(dealer, { quantity: 2 });
    await dealer.asOwner.cards.update({ id: live.cardId, location: "B2-07" });
    await shop.sell(dealer, live.sku, { quantity: 2 });
    await shop.sync(dealer);
    const { sales } = dealer.asOwner;
    const [line] = (await sales.toPull({})).data.filter(({ card_id: id }) => id === live.cardId);
    expect(line).toMatchObject({ location: "B2-07", quantity: 2, is_paid: true });
    const ids = [line?.id ?? ""];
    expect(await sales.markPulled({ ids, pulled: true })).toEqual({ ids });
    expect(await sales.markPulled({ ids, pulled: true })).toEqual({ ids: [] });
    const waiting = async () => (await sales.toPull({})).data.map(({ id }) => id);
    expect(await waiting()).not.toContain(ids[0]);
    expect(await sales.markPulled({ ids, pulled: false })).toEqual({ ids });
    expect(await waiting()).toContain(ids[0]);
  });

  test("page by page in the order of a walk, also behind a line that was ticked meanwhile", async () => {
    for (const location of ["Z9-10", null, "Z9-9"]) {
      const { cardId, sku } = await shop.list(dealer);
      await dealer.asOwner.cards.update({ id: cardId, location });
      await shop.sell(dealer, sku);
    }
    await shop.sync(dealer);
    const { sales } = dealer.asOwner;
    const all = (await sales.toPull({})).data;
    const places = all.map(({ location }) => location);
    expect(places.filter((place) => place !== null).slice(-2)).toEqual(["Z9-9", "Z9-10"]);
    expect(places.at(-1)).toBeNull();
    const seen: string[] = [];
    for (let has_more = true; has_more;) {
      const after = seen.at(-1);
      const page = await sales.toPull({ limit: 1, ...(after === undefined ? {} : { after }) });
      ({ has_more } = page);
      seen.push(...page.data.map(({ id }) => id));
      if (seen.length === 1) await sales.markPulled({ ids: seen, pulled: true });
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test("and leaves the list where its order is cancelled", async () => {
    const live = await shop.list(dealer);
    const orderId = await shop.sell(dealer, live.sku);
    await shop.sync(dealer);
    await shop.control(dealer, `orders/${orderId}/cancel`);
    await shop.sync(dealer);
    const { data } = await dealer.asOwner.sales.toPull({});
    expect(data.map(({ card_id: id }) => id)).not.toContain(live.cardId);
  });
});

describe("the sandbox's controls", () => {
  test("sell, end, list again and cancel what a test account has there", async () => {
    const { sandbox, listings } = dealer.asOwner;
    const live = await shop.list(dealer, { quantity: 2 });
    const { order_id: orderId } = await sandbox.sell({ listing_id: live.listingId });
    const { order_id: none } = await sandbox.end({ listing_id: live.listingId });
    expect(none).toBeNull();
    await shop.sync(dealer);
    const of = { card: [live.cardId] };
    expect((await listings.list(of)).data).toMatchObject([{ status: "sold", order_id: orderId }]);
    await sandbox.cancelOrder({ order_id: orderId ?? "" });
    await sandbox.relist({ listing_id: live.listingId });
    await shop.sync(dealer);
    expect((await listings.list(of)).data).toMatchObject([
      { status: "live" },
      { status: "sold", quantity_sold: 0 },
    ]);
    expect(await codeFrom(sandbox.relist({ listing_id: live.listingId }))).toBe(
      "invalid_transition",
    );
    expect(await codeFrom(sandbox.cancelOrder({ order_id: "no-such" }))).toBe("invalid_transition");
  });

  test("a failure that is asked for comes once", async () => {
    await dealer.asOwner.sandbox.failNext({ failure: "unavailable" });
    const live = await shop.list(dealer);
    await shop.sync(dealer);
    expect(
      await codeFrom(dealer.asOwner.sandbox.failNext({ failure: "no" as "unavailable" })),
    ).toBe("validation_failed");
    expect(live.externalListingId).not.toBe("");
  });

  test("are not there for a live account", async () => {
    const { asOwner } = await shop.house.dealer("Live Cards");
    const listing = { listing_id: exampleId("lst") };
    const calls = [
      () => asOwner.sandbox.sell(listing),
      () => asOwner.sandbox.end(listing),
      () => asOwner.sandbox.relist(listing),
      () => asOwner.sandbox.cancelOrder({ order_id: "1" }),
      () => asOwner.sandbox.failNext({}),
    ];
    for (const call of calls) expect((await errorFrom(call())).status).toBe(404);
  });
});

test.each<[string, (sales: Dealer["asOwner"]["sales"]) => Promise<unknown>, string]>([
  [
    "to pull from behind what is no order's",
    (sales) => sales.toPull({ after: exampleId("sale") }),
    "not_found",
  ],
  ["a cursor of other filters", (sales) => cursorOfOthers(sales), "invalid_cursor"],
  ["a time that is none", (sales) => sales.list({ from: "yesterday" }), "validation_failed"],
  [
    "a member that there is not",
    (sales) => sales.list({ colour: "red" } as object),
    "validation_failed",
  ],
  [
    "another time zone",
    (sales) => sales.summary({ time_zone: "Middle/Earth" }),
    "validation_failed",
  ],
  ["no sale at all", (sales) => sales.markPulled({ ids: [], pulled: true }), "validation_failed"],
  [
    "a sale that is not there",
    (sales) => sales.assign({ id: exampleId("sale"), card_id: exampleId("card") }),
    "not_found",
  ],
  [
    "a listing that is not there",
    (sales) => sales.settleDifference({ listing_id: "lst_x", keep: "ours" }),
    "listing_not_found",
  ],
  [
    "a card that is not there",
    (sales) => sales.settleCopies({ card_id: "x", version: 1 }),
    "card_not_found",
  ],
])("%s is refused: %s", async (_, call, code) => {
  expect(await codeFrom(call(dealer.asOwner.sales))).toBe(code);
});

async function cursorOfOthers(sales: Dealer["asOwner"]["sales"]): Promise<unknown> {
  const { next_cursor: cursor } = await sales.list({ limit: 1 });
  return sales.list({ limit: 1, kind: "by_hand", cursor: cursor ?? undefined });
}

test("a fee in another currency, and copies in order, are refused", async () => {
  const card = await dealer.asOwner.cards.create({ title: "Kestrel" });
  const sale = { id: card.id, price: usd(100), place: "Show", fee: { amount: 1, currency: "EUR" } };
  expect((await errorFrom(dealer.asOwner.cards.recordSale(sale))).details).toEqual([
    { path: "fee.currency", message: "Must be USD, the account's currency" },
  ]);
  const settle = { card_id: card.id, version: card.version };
  expect(await codeFrom(dealer.asOwner.sales.settleCopies(settle))).toBe("invalid_transition");
});
