import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { openTestShop, usd } from "./test-shop.ts";
import type { Listed, TestShop } from "./test-shop.ts";

let shop: TestShop;
let dealer: Dealer;
let made = 0;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.close());
// An account for each test: what one leaves, no other reads.
beforeEach(async () => {
  made += 1;
  dealer = await shop.dealer(`Harbour Cards ${made}`);
});

const card = (id: string) => dealer.asOwner.cards.get({ id });
const listing = async (id: string) => {
  const { data } = await dealer.asOwner.listings.list({ limit: 200 });
  return data.find((one) => one.id === id);
};
const ledger = async () => (await dealer.asOwner.sales.list({})).data;
const synced = async () => {
  const round = await shop.sync(dealer);
  expect(round).toMatchObject({ ok: true });
  return round;
};
const isListed = ["card.identified", "imported>identified", "card.priced", "identified>priced"];
const isLive = [...isListed, "listing.published", "priced>listed"];
const eventsAfterLive = async ({ cardId }: Listed) =>
  (await shop.eventsOf(cardId)).slice(isLive.length);

describe("an order", () => {
  test("of the last copy: the listing and the card are sold, and the ledger has it with its fee and cost", async () => {
    const live = await shop.list(dealer, { price: 2_000 });
    expect(await shop.eventsOf(live.cardId)).toEqual(isLive);
    const orderId = await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "sold",
      quantity_sold: 1,
      order_id: orderId,
      sold_price: usd(2_000),
    });
    expect(await card(live.cardId)).toMatchObject({ workflow_status: "sold", quantity: 0 });
    expect(await eventsAfterLive(live)).toEqual(["listed>sold", "listing.sold"]);
    // The simulator takes 13.25 % of the price and the delivery of 4.99, and 40 cents.
    const fee = Math.round((2_000 + 499) * 0.1325) + 40;
    expect(await ledger()).toEqual([
      expect.objectContaining({
        kind: "marketplace",
        state: "counted",
        order_id: orderId,
        price: usd(2_000),
        fee: usd(fee),
        cost: usd(300),
        profit: usd(2_000 - fee - 300),
      }),
    ]);
  });

  test("is counted once, however often and by however many it is read", async () => {
    const live = await shop.list(dealer, { quantity: 3 });
    await shop.sell(dealer, live.sku);
    await Promise.all([synced(), synced(), synced()]);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "live", quantity_sold: 1 });
    expect(await card(live.cardId)).toMatchObject({ quantity: 2, workflow_status: "listed" });
    expect(await ledger()).toHaveLength(1);
  });

  test("of one of several takes a copy and fires nothing; the last one closes it with the sums of all", async () => {
    const live = await shop.list(dealer, { quantity: 3 });
    await shop.sell(dealer, live.sku);
    await synced();
    expect(await eventsAfterLive(live)).toEqual([]);
    const last = await shop.sell(dealer, live.sku, { quantity: 2 });
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "sold",
      quantity: 3,
      quantity_sold: 3,
      sold_price: usd(3_000),
      order_id: last,
    });
    expect(await eventsAfterLive(live)).toEqual(["listed>sold", "listing.sold"]);
  });

  test("on a listing that has ended makes it sold: both events stay", async () => {
    const live = await shop.list(dealer);
    await shop.control(dealer, `listings/${live.sku}/end`);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "ended",
      end_reason: "ended_by_marketplace",
    });
    expect(await card(live.cardId)).toMatchObject({ workflow_status: "priced", quantity: 1 });
    await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "sold", quantity_sold: 1 });
    expect(await card(live.cardId)).toMatchObject({ workflow_status: "sold", quantity: 0 });
    expect(await eventsAfterLive(live)).toEqual([
      "listing.ended",
      "listed>priced",
      "priced>sold",
      "listing.sold",
    ]);
  });

  test("beyond the last copy, on a sold listing: it adds, fires nothing, and the card is oversold", async () => {
    const live = await shop.list(dealer);
    await shop.sell(dealer, live.sku);
    await synced();
    await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "sold", quantity_sold: 2 });
    expect(await card(live.cardId)).toMatchObject({
      quantity: 0,
      needs_review: true,
      review_reason: "oversold",
    });
    expect(await eventsAfterLive(live)).toEqual(["listed>sold", "listing.sold"]);
  });

  test("that is cancelled reverses the ledger, waits in review, and its acceptance brings the copy back", async () => {
    const live = await shop.list(dealer);
    const orderId = await shop.sell(dealer, live.sku);
    await synced();
    await shop.control(dealer, `orders/${orderId}/cancel`);
    await synced();
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "sold",
      quantity_sold: 0,
      sold_price: usd(0),
    });
    const inReview = await card(live.cardId);
    expect(inReview).toMatchObject({ needs_review: true, review_reason: "order_cancelled" });
    expect(inReview).toMatchObject({ quantity: 0, workflow_status: "sold" });
    expect(await ledger()).toEqual([
      expect.objectContaining({ state: "cancelled", cancelled_quantity: 1, profit: usd(0) }),
    ]);
    expect(await eventsAfterLive(live)).toEqual(["listed>sold", "listing.sold"]);
    const accepted = { card_id: live.cardId, version: inReview.version };
    await dealer.asOwner.sales.settleCopies(accepted);
    expect(await codeFrom(dealer.asOwner.sales.settleCopies(accepted))).toBe("precondition_failed");
    expect(await card(live.cardId)).toMatchObject({ quantity: 1, workflow_status: "priced" });
  });

  test("that was cancelled before we ever saw it is no sale, and is in the ledger", async () => {
    const live = await shop.list(dealer);
    const orderId = await shop.sell(dealer, live.sku, { quantity: 1 });
    await shop.control(dealer, `orders/${orderId}/cancel`);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ quantity_sold: 0 });
    expect(await card(live.cardId)).toMatchObject({ quantity: 1, needs_review: false });
    expect(await ledger()).toEqual([expect.objectContaining({ state: "cancelled" })]);
  });

  test("of a listing whose card was sold at a show meanwhile: the card is oversold, the sale stands", async () => {
    const live = await shop.list(dealer);
    await dealer.asOwner.cards.recordSale({ id: live.cardId, price: usd(900), place: "Show" });
    await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "sold", quantity_sold: 1 });
    expect(await card(live.cardId)).toMatchObject({ quantity: 0, review_reason: "oversold" });
    expect((await dealer.asOwner.sales.list({ state: "counted" })).data).toHaveLength(2);
  });

  test("matches by the listing's id, by SKU where it names none, and is kept where nothing of ours has either", async () => {
    const [one, other, third] = [
      await shop.list(dealer),
      await shop.list(dealer),
      await shop.list(dealer),
    ];
    await shop.sell(dealer, one.sku, { without_sku: true });
    await shop.sell(dealer, other.sku, { listing_id: null });
    // Listed by hand under another number, which none of our rows has: its SKU says whose it is.
    await shop.sell(dealer, third.sku, { listing_id: "199999999999" });
    await synced();
    for (const { listingId } of [one, other, third]) {
      expect(await listing(listingId)).toMatchObject({ status: "sold" });
    }
  });

  test("of nothing of ours is kept and shown, and can be given to its card", async () => {
    const live = await shop.list(dealer);
    await shop.sell(dealer, live.sku, { without_sku: true, listing_id: "188888888888" });
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "live" });
    expect(await ledger()).toEqual([]);
    const [line] = (await dealer.asOwner.sales.list({ state: "unmatched" })).data;
    expect(line).toMatchObject({ unmatched: "no_listing", card_id: null, cost: null });
    expect(await dealer.asOwner.sales.overview()).toMatchObject({ unmatched: 1, to_pull: 0 });
    const given = { id: line?.id ?? "", card_id: live.cardId };
    expect(await dealer.asOwner.sales.assign(given)).toMatchObject({
      state: "counted",
      card_id: live.cardId,
      cost: usd(300),
    });
    expect(await listing(live.listingId)).toMatchObject({ status: "sold" });
    expect(await codeFrom(dealer.asOwner.sales.assign(given))).toBe("invalid_transition");
    await synced();
    expect(await ledger()).toHaveLength(1);
  });

  test("in another currency is kept, and takes no copy", async () => {
    const live = await shop.list(dealer);
    await shop.sell(dealer, live.sku, { price: { value: "9.00", currency: "EUR" } });
    await synced();
    expect(await card(live.cardId)).toMatchObject({ quantity: 1 });
    const { data } = await dealer.asOwner.sales.list({ state: "unmatched" });
    expect(data).toEqual([
      expect.objectContaining({
        unmatched: "other_currency",
        price: { amount: 900, currency: "EUR" },
      }),
    ]);
  });

  test("found while its listing is publishing: it goes live first, then it is sold", async () => {
    const live = await shop.list(dealer);
    // As a worker leaves it that died between the marketplace's answer and ours.
    await shop.house.db.query(
      "update listing set status = 'publishing', external_listing_id = null, url = null, published_at = null where id = $1",
      [toUuid(live.listingId)],
    );
    await shop.house.db.query("update card set workflow_status = 'priced' where id = $1", [
      toUuid(live.cardId),
    ]);
    await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "sold",
      external_listing_id: live.externalListingId,
    });
    expect(await eventsAfterLive(live)).toEqual([
      "listing.published",
      "priced>listed",
      "listed>sold",
      "listing.sold",
    ]);
  });
});

describe("a listing", () => {
  test("that its dealer ends has ended once the orders were read again: what sold meanwhile is sold", async () => {
    const [ends, sells] = [await shop.list(dealer), await shop.list(dealer, { quantity: 2 })];
    await shop.sell(dealer, sells.sku);
    for (const { sku } of [ends, sells]) {
      await shop.control(dealer, `listings/${sku}/end`);
    }
    await synced();
    expect(await listing(ends.listingId)).toMatchObject({ status: "ended" });
    expect(await listing(sells.listingId)).toMatchObject({
      status: "sold",
      quantity_sold: 1,
      end_reason: "ended_by_marketplace",
    });
    expect(await card(sells.cardId)).toMatchObject({ workflow_status: "priced", quantity: 1 });
    expect(await eventsAfterLive(ends)).toEqual(["listing.ended", "listed>priced"]);
    expect(await eventsAfterLive(sells)).toEqual(["listing.sold", "listed>priced"]);
  });

  test("of which nothing is left to buy, and nothing was sold, ends out of stock", async () => {
    await shop.control(dealer, "options", { out_of_stock_control: true });
    const live = await shop.list(dealer);
    const orderId = await shop.sell(dealer, live.sku);
    await shop.control(dealer, `orders/${orderId}/cancel`);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({
      status: "ended",
      end_reason: "out_of_stock",
    });
  });

  test("that somebody listed again outside becomes a new row; its order is that row's", async () => {
    const live = await shop.list(dealer);
    await shop.control(dealer, `listings/${live.sku}/end`);
    await synced();
    const { listing_id: again } = await shop.control(dealer, `listings/${live.sku}/relist`);
    await synced();
    const { data } = await dealer.asOwner.listings.list({ card: [live.cardId] });
    expect(data.map(({ status }) => status)).toEqual(["live", "ended"]);
    expect(data[0]).toMatchObject({ external_listing_id: again, price: usd(1_000) });
    expect(await card(live.cardId)).toMatchObject({
      workflow_status: "listed",
      listing_id: data[0]?.id,
    });
    await shop.sell(dealer, live.sku);
    await synced();
    expect((await dealer.asOwner.listings.list({ card: [live.cardId] })).data[0]).toMatchObject({
      status: "sold",
    });
    expect(await eventsAfterLive(live)).toEqual([
      "listing.ended",
      "listed>priced",
      "listing.published",
      "priced>listed",
      "listed>sold",
      "listing.sold",
    ]);
  });

  test("that shows another price there: the difference is shown, and either side settles it", async () => {
    const [mine, theirs] = [await shop.list(dealer), await shop.list(dealer)];
    // As if the dealer had changed both there: here they have another price than was published.
    for (const { listingId } of [mine, theirs]) {
      await shop.house.db.query("update listing set price = 1500 where id = $1", [
        toUuid(listingId),
      ]);
    }
    await synced();
    const { sales } = dealer.asOwner;
    expect(await sales.overview()).toMatchObject({ differences: 2 });
    const shown = (await sales.listings({ differs: true })).data;
    expect(shown.map(({ difference }) => difference?.price)).toEqual([usd(1_000), usd(1_000)]);
    await sales.settleDifference({ listing_id: theirs.listingId, keep: "theirs" });
    expect(await listing(theirs.listingId)).toMatchObject({ price: usd(1_000) });
    await sales.settleDifference({ listing_id: mine.listingId, keep: "ours" });
    const jobs = await shop.house.db.query<{ subject_id: string }>(
      "select subject_id from job where kind = 'revise_listing' and account_id = $1",
      [toUuid(dealer.account.id)],
    );
    expect(jobs).toEqual([{ subject_id: mine.listingId }]);
    expect(await sales.overview()).toMatchObject({ differences: 0 });
    // While ours is on its way, it is no difference.
    await synced();
    expect(await sales.overview()).toMatchObject({ differences: 0 });
    const again = { listing_id: mine.listingId, keep: "ours" } as const;
    expect(await codeFrom(sales.settleDifference(again))).toBe("invalid_transition");
  });

  test("is compared without being changed: who polls is told nothing", async () => {
    const live = await shop.list(dealer);
    const before = await listing(live.listingId);
    await synced();
    const after = await listing(live.listingId);
    expect(after?.last_synced_at).not.toBeNull();
    expect(after).toEqual({ ...before, last_synced_at: after?.last_synced_at });
  });
});

describe("a round", () => {
  test("makes up for an outage of a year, in windows of one page", async () => {
    const live = await shop.list(dealer, { quantity: 300 });
    await synced();
    await shop.house.db.query(
      "update marketplace_sync set orders_until = now() - interval '400 days' where account_id = $1",
      [toUuid(dealer.account.id)],
    );
    for (let sold = 0; sold < 230; sold += 1) await shop.sell(dealer, live.sku);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ quantity_sold: 230 });
    expect(await card(live.cardId)).toMatchObject({ quantity: 70 });
  }, 60_000);

  test("that meets a marketplace that is away changes nothing, and the next one goes on", async () => {
    const live = await shop.list(dealer);
    await shop.sell(dealer, live.sku);
    await shop.fault(dealer, { fault: "unavailable" });
    const round = await shop.sync(dealer);
    expect(round).toMatchObject({ ok: false, code: "unavailable" });
    expect(await listing(live.listingId)).toMatchObject({ status: "live" });
    await fetch(`${shop.simulators.url}/control/faults`, { method: "DELETE" });
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "sold" });
  });

  test("of an account whose consent is withdrawn waits, and says so", async () => {
    const live = await shop.list(dealer);
    await synced();
    await shop.control(dealer, "consent", { state: "revoked" });
    await shop.sell(dealer, live.sku);
    const rounds = [await shop.sync(dealer), await shop.sync(dealer)];
    expect(rounds.map((round) => (round.ok ? "ok" : round.code))).toContain("consent_revoked");
    expect(await listing(live.listingId)).toMatchObject({ status: "live" });
  });

  test("reads on for a suspended account", async () => {
    const live = await shop.list(dealer);
    await shop.sell(dealer, live.sku);
    await shop.house.db.query("update account set suspended_at = now() where id = $1", [
      toUuid(dealer.account.id),
    ]);
    await synced();
    expect(await listing(live.listingId)).toMatchObject({ status: "sold" });
  });
});
