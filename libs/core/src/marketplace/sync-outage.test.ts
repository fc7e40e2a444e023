import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dealer } from "../test-house.ts";
import { createMarketplaceSync } from "./sync-loop.ts";
import { countsOf, openTestShop } from "./test-shop.ts";
import type { Listed, TestShop } from "./test-shop.ts";

const listingCount = 1_000;
const saleCount = 200;
/** Every so many-th of them is cancelled. */
const cancelledBefore = 10;
const cancelledAfter = 8;
const atOnce = 8;

let shop: TestShop;
let dealer: Dealer;
const listed: Listed[] = [];
beforeAll(async () => {
  shop = await openTestShop();
  dealer = await shop.dealer("Harbour Cards");
  const numbers = Array.from({ length: listingCount }, (_, number) => number).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      // Every fifth listing has three copies.
      for (const number of numbers) {
        listed[number] = await shop.list(dealer, { quantity: number % 5 === 0 ? 3 : 1 });
      }
    }),
  );
}, 240_000);
afterAll(() => shop.close());

async function inTurn(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work(index);
}

/** As two workers do it, each with its own loop. */
async function rounds(): Promise<void> {
  await shop.house.db.query("update marketplace_sync set due_at = now() - interval '1 s'");
  const workers = [0, 1].map(() => createMarketplaceSync(shop.house.services));
  await Promise.all(workers.map((worker) => worker.once()));
}

test("200 sales of 1,000 listings while nobody reads: afterwards exactly the right events, once each", async () => {
  const orders: string[] = [];
  await inTurn(saleCount, async (index) => {
    const { sku } = listed[index] ?? { sku: "" };
    orders.push(await shop.sell(dealer, sku));
  });
  // Some were cancelled before anybody saw them: those are no sales.
  await inTurn(cancelledBefore, (index) =>
    shop.control(dealer, `orders/${orders[index * 20] ?? ""}/cancel`),
  );
  await rounds();
  const cancelled = new Set(orders.filter((_, index) => index % 20 === 0 && index < 200));
  expect(cancelled.size).toBe(cancelledBefore);
  const soldOut = listed.slice(0, saleCount).filter((_, index) => index % 20 !== 0);
  const singles = await quantityOne(soldOut);
  expect(await countsOf(shop, dealer)).toMatchObject({
    lines: saleCount,
    "listing.published": listingCount,
    "listing.sold": singles,
    "status sold": singles,
    "status live": listingCount - singles,
  });
  expect(await countsOf(shop, dealer)).not.toHaveProperty("listing.ended");

  // Read again, and again from the beginning: every order is a duplicate now.
  await rounds();
  await shop.house.db.query("update marketplace_sync set orders_until = now() - interval '2 days'");
  await rounds();
  expect(await countsOf(shop, dealer)).toMatchObject({ lines: saleCount, "listing.sold": singles });

  // Sales that were counted are cancelled: the ledger falls, and nothing is fired.
  const before = await countsOf(shop, dealer);
  await inTurn(cancelledAfter, (index) =>
    shop.control(dealer, `orders/${orders[index * 20 + 1] ?? ""}/cancel`),
  );
  await rounds();
  expect(await countsOf(shop, dealer)).toEqual(before);
  const { data } = await dealer.asOwner.sales.list({ state: "cancelled", limit: 200 });
  expect(data).toHaveLength(cancelledBefore + cancelledAfter);
  expect(await dealer.asOwner.sales.overview()).toMatchObject({
    copies_in_review: cancelledAfter,
    to_pull: saleCount - cancelledBefore - cancelledAfter,
  });

  // No copy is lost: what there was is what is left, sold, and waiting in review.
  const [sums] = await shop.house.db.query<{ left: number; pending: number; sold: number }>(
    `select sum(c.quantity) as left, sum(c.pending_return_quantity) as pending,
       (select sum(quantity - cancelled_quantity) from marketplace_order_line where account_id = $1) as sold
     from card c where c.account_id = $1`,
    [toUuid(dealer.account.id)],
  );
  const total = listingCount + 2 * Math.ceil(listingCount / 5);
  expect((sums?.left ?? 0) + (sums?.pending ?? 0) + (sums?.sold ?? 0)).toBe(total);
}, 240_000);

/** Of these listings how many have one copy, and so are sold by one order. */
async function quantityOne(of: readonly Listed[]): Promise<number> {
  const rows = await shop.house.db.query(
    "select 1 from listing where id = any ($1::uuid[]) and quantity = 1",
    [of.map(({ listingId }) => toUuid(listingId))],
  );
  return rows.length;
}
