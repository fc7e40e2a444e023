import type { Card, Listing, ListingList } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { openMarket } from "./market.ts";
import type { MarketShop } from "./market.ts";
import { stepsOf, verified } from "./received.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });

/** The shop's own controls of the simulated marketplace, as its pages use them. */
function withControls(market: MarketShop): MarketShop {
  market.stack.services.sandboxUrl = market.stack.environment["SANDBOX_URL"];
  return market;
}

async function published(market: MarketShop, card: Card): Promise<Listing> {
  const answer = await market.shop.call("POST", `/listings/${card.id}/publish`, {});
  expect(answer.status).toBe(202);
  return untilStatus(market, card.id, "live");
}

async function untilStatus({ shop }: MarketShop, cardId: string, status: Listing["status"]) {
  return waitFor(
    async () => {
      const { body } = await shop.call<ListingList>("GET", `/listings?card=${cardId}`);
      const [listing] = body.data;
      return listing?.status === status && listing;
    },
    { deadlineMs: 60_000 },
  );
}

test("bought: listing.sold at a receiver, verified; the card is sold, and in the ledger", async (context) => {
  const market = withControls(await (await openMarket(context)).open());
  const { shop, owner } = market;
  const receiver = await startReceiver();
  context.onTestFinished(() => receiver.stop());
  const { secret } = await shop.receive(receiver.url);
  const card = await market.card();
  const live = await published(market, card);
  const { order_id: orderId } = await owner.sandbox.sell({ listing_id: live.id });
  const sold = await untilStatus(market, card.id, "sold");
  expect(sold).toMatchObject({ order_id: orderId, sold_price: usd(1_250), quantity_sold: 1 });
  const steps = await waitFor(
    async () => {
      const found = stepsOf(verified(await receiver.waitFor(6), secret), card.id).slice(-2);
      return found.some((step) => (step as { event: string }).event === "listing.sold") && found;
    },
    { deadlineMs: 60_000 },
  );
  expect(steps).toEqual([
    { event: "card.workflow_status_changed", from: "listed", to: "sold" },
    {
      event: "listing.sold",
      listing_id: live.id,
      marketplace: "ebay",
      external_listing_id: live.external_listing_id,
      sold_price: usd(1_250),
      quantity: 1,
      order_id: orderId,
      sold_at: sold.sold_at,
    },
  ]);
  const { body } = await shop.call<Card>("GET", `/cards/${card.id}`);
  expect(body).toMatchObject({ workflow_status: "sold", quantity: 0, listing_id: live.id });
  const [line] = (await owner.sales.list({})).data;
  expect(line).toMatchObject({ order_id: orderId, price: usd(1_250), state: "counted" });
  expect((await owner.sales.toPull({})).data).toMatchObject([{ card_id: card.id, quantity: 1 }]);
}, 120_000);

test("ended by the marketplace: listing.ended at a receiver, and the card is priced again", async (context) => {
  const market = withControls(await (await openMarket(context)).open());
  const { shop, owner } = market;
  const receiver = await startReceiver();
  context.onTestFinished(() => receiver.stop());
  const { secret } = await shop.receive(receiver.url);
  const card = await market.card();
  const live = await published(market, card);
  await owner.sandbox.end({ listing_id: live.id });
  const ended = await untilStatus(market, card.id, "ended");
  const steps = await waitFor(
    async () => {
      const found = stepsOf(verified(await receiver.waitFor(6), secret), card.id).slice(-2);
      return found.some((step) => (step as { event: string }).event === "listing.ended") && found;
    },
    { deadlineMs: 60_000 },
  );
  expect(steps).toEqual([
    {
      event: "listing.ended",
      listing_id: live.id,
      marketplace: "ebay",
      external_listing_id: live.external_listing_id,
      end_reason: "ended_by_marketplace",
      ended_at: ended.ended_at,
    },
    { event: "card.workflow_status_changed", from: "listed", to: "priced" },
  ]);
  const { body } = await shop.call<Card>("GET", `/cards/${card.id}`);
  expect(body).toMatchObject({ workflow_status: "priced", quantity: 1 });
}, 120_000);

test("kill -9 of the worker while it takes orders: each is counted once, and each event fired once", async (context) => {
  const market = withControls(await (await openMarket(context)).open());
  const { owner, stack } = market;
  const { db } = stack.services;
  const account = toUuid(market.shop.accountId);
  const listings: Listing[] = [];
  for (let made = 0; made < 24; made += 1) {
    const card = await market.card();
    await market.shop.call("POST", `/listings/${card.id}/publish`, {});
  }
  await waitFor(
    async () => {
      const { body } = await market.shop.call<ListingList>(
        "GET",
        "/listings?status=live&limit=200",
      );
      listings.splice(0, Infinity, ...body.data);
      return listings.length === 24;
    },
    { deadlineMs: 120_000 },
  );
  const count = async (type: string): Promise<number> => {
    const [row] = await db.query<{ count: number }>(
      "select count(*) as count from webhook_event where account_id = $1 and type = $2",
      [account, type],
    );
    return row?.count ?? 0;
  };
  await stack.worker.kill();
  for (const { id } of listings) await owner.sandbox.sell({ listing_id: id });
  // The first commit of orders gets through; the one behind it waits for the account, and dies waiting.
  await stack.worker.start();
  await waitFor(async () => (await count("listing.sold")) > 0, { deadlineMs: 60_000 });
  const released = Promise.withResolvers<void>();
  const held = db.transaction(async (tx) => {
    await tx.query("select 1 from account_clock where account_id = $1 for update", [account]);
    await released.promise;
  });
  await stack.worker.kill();
  released.resolve();
  await held;
  await stack.worker.start();
  await waitFor(
    async () => {
      const { body } = await market.shop.call<ListingList>(
        "GET",
        "/listings?status=sold&limit=200",
      );
      return body.data.length === 24;
    },
    { deadlineMs: 120_000 },
  );
  expect(await count("listing.sold")).toBe(24);
  const ledger = await owner.sales.list({ limit: 200 });
  expect(ledger.data).toHaveLength(24);
  expect(new Set(ledger.data.map(({ order_id: id }) => id)).size).toBe(24);
}, 240_000);
