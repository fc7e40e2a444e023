import { randomUUID } from "node:crypto";
import type { Card, ErrorAnswer, Listing, ListingList, PublishDryRun } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { openMarket } from "./market.ts";
import type { Market, MarketShop } from "./market.ts";
import { stepsOf, verified } from "./received.ts";
import { openShop } from "./shop.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });

async function listingOf({ shop }: MarketShop, cardId: string): Promise<Listing | undefined> {
  const { body } = await shop.call<ListingList>("GET", `/listings?card=${cardId}`);
  return body.data[0];
}

async function untilStatus(market: MarketShop, cardId: string, status: Listing["status"]) {
  return waitFor(
    async () => {
      const listing = await listingOf(market, cardId);
      return listing?.status === status && listing;
    },
    { deadlineMs: 60_000 },
  );
}

test("over REST: accepted, live, told; a second time 409; a dry run with every failed rule; 404 for others", async (context) => {
  const market = await (await openMarket(context)).open();
  const { shop, stack } = market;
  const receiver = await startReceiver();
  context.onTestFinished(() => receiver.stop());
  const { secret } = await shop.receive(receiver.url);
  const card = await market.card();
  const path = `/listings/${card.id}/publish`;

  const dry = await shop.call<PublishDryRun>("POST", path, { dry_run: true });
  expect([dry.status, dry.body]).toEqual([
    200,
    { card_id: card.id, publishable: true, problems: [] },
  ]);

  const headers = {
    authorization: `Bearer ${shop.token}`,
    "idempotency-key": randomUUID(),
  };
  const once = await fetch(`${stack.url}${path}`, { method: "POST", headers });
  const accepted = (await once.json()) as Listing;
  expect([once.status, accepted.status]).toEqual([202, "publishing"]);
  const again = await fetch(`${stack.url}${path}`, { method: "POST", headers });
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, "true"]);
  expect(await again.json()).toEqual(accepted);

  const second = await shop.call("POST", path, {});
  expect([second.status, second.body]).toMatchObject([409, { error: { code: "already_listed" } }]);
  const live = await untilStatus(market, card.id, "live");
  const secondDry = await shop.call("POST", path, { dry_run: true });
  expect(secondDry.status).toBe(409);
  expect(live).toMatchObject({ id: accepted.id, price: usd(1_250), error: null });

  const received = verified(await receiver.waitFor(6), secret);
  expect(stepsOf(received, card.id).slice(-2)).toEqual([
    {
      event: "listing.published",
      listing_id: live.id,
      marketplace: "ebay",
      external_listing_id: live.external_listing_id,
      url: live.url,
      price: usd(1_250),
      published_at: live.published_at,
    },
    { event: "card.workflow_status_changed", from: "priced", to: "listed" },
  ]);

  const bare = await market.owner.cards.create({
    title: "Bare",
    price_floor: usd(500),
    asking_price: usd(400),
  });
  const rules = ["price", "photos", "category_id", "condition"];
  const barePath = `/listings/${bare.id}/publish`;
  const problems = await shop.call<PublishDryRun>("POST", barePath, { dry_run: true });
  expect(problems.body.problems.map((problem) => problem.path)).toEqual(rules);
  const refused = await shop.call<ErrorAnswer>("POST", barePath, {});
  expect([refused.status, refused.body.error.code]).toEqual([422, "card_not_publishable"]);
  expect(refused.body.error.details).toEqual(problems.body.problems);

  const other = await openShop(stack);
  const foreign = await other.call<ErrorAnswer>("POST", path, {});
  const never = await other.call<ErrorAnswer>(
    "POST",
    "/listings/card_00000000000000000000000000/publish",
    {},
  );
  expect(foreign.status).toBe(404);
  expect({ ...foreign.body.error, request_id: "" }).toEqual({
    ...never.body.error,
    request_id: "",
  });
  expect((await listingOf(market, card.id))?.status).toBe("live");
}, 120_000);

test("ended by hand: withdrawn, looked at once more, told; the card is priced again", async (context) => {
  const market = await (await openMarket(context)).open();
  const { shop, owner } = market;
  const card = await market.card();
  await shop.call("POST", `/listings/${card.id}/publish`, {});
  const live = await untilStatus(market, card.id, "live");
  await owner.listings.end({ id: live.id });
  const ended = await untilStatus(market, card.id, "ended");
  expect(ended).toMatchObject({ end_reason: "withdrawn", quantity_sold: 0 });
  expect(await market.simulated(card)).toMatchObject({ listing_id: null, withdrawn: 1 });
  const { body } = await shop.call<Card>("GET", `/cards/${card.id}`);
  expect(body).toMatchObject({ workflow_status: "priced", listing_id: live.id });
  expect(await eventsOf(market, card)).toEqual([
    "listing.published",
    "card.workflow_status_changed",
    "listing.ended",
    "card.workflow_status_changed",
  ]);
}, 120_000);

/** The card's events from its listing's first one on, in the order in which they were fired. */
async function eventsOf({ stack }: MarketShop, card: Card): Promise<string[]> {
  const rows = await stack.services.db.query<{ type: string }>(
    "select type from webhook_event where body::jsonb -> 'data' ->> 'card_id' = $1 order by id",
    [card.id],
  );
  const types = rows.map(({ type }) => type);
  return types.slice(Math.max(0, types.indexOf("listing.published")));
}

/** The calls of one publication, in their order, as the marketplace is asked. */
const calls = {
  look: "GET /sell/inventory/v1/offer",
  item: "PUT /sell/inventory/v1/inventory_item/*",
  offer: "POST /sell/inventory/v1/offer",
  publish: "POST /sell/inventory/v1/offer/*/publish",
} as const;

/** When the worker dies in a call; `never` is an answer that is lost without anybody dying. */
const moments = {
  /** The call is made, and does nothing. */
  before_it_takes_effect: { fault: { fault: "dropped", when: "before" }, kills: "on_call" },
  /** It takes effect, and nobody hears of it. */
  after_it_takes_effect: { fault: { fault: "dropped", when: "after" }, kills: "on_call" },
  /** Its answer is there, and cannot be written down any more. */
  before_its_answer_is_written: {
    fault: { fault: "slow", delay_ms: 700, when: "after" },
    kills: "on_write",
  },
  /** Nobody dies: the answer is lost. */
  never: { fault: { fault: "dropped", when: "after" }, kills: "never" },
} as const;

const table = Object.keys(calls).flatMap((call) =>
  Object.keys(moments).map((moment) => [call, moment] as const),
) as [keyof typeof calls, keyof typeof moments][];

test("kill -9 at each step of publishing: one offer, one listing, and live with its events once", async (context) => {
  const marketplace = await openMarket(context);
  const results: Record<string, unknown> = {};
  for (const [call, moment] of table) {
    results[`${call}, ${moment}`] = await publishAndKill(marketplace, calls[call], moment);
  }
  const expected = {
    status: 202,
    simulated: { listing_status: "ACTIVE", offers_made: 1, listings_made: 1 },
    isTheSame: true,
    events: ["listing.published", "card.workflow_status_changed"],
    rows: 1,
    card: "listed",
  };
  expect(results).toEqual(Object.fromEntries(Object.keys(results).map((one) => [one, expected])));
  expect(Object.keys(results)).toHaveLength(16);
}, 600_000);

/** One publication in whose call the worker dies at this moment, and what there is once another has gone on. */
async function publishAndKill(marketplace: Market, call: string, moment: keyof typeof moments) {
  const { stack } = marketplace;
  // A shop of its own: nobody reads the orders and offers of one that has nothing live.
  const market = await marketplace.open();
  const { shop } = market;
  const card = await market.card();
  const { fault, kills } = moments[moment];
  await market.fault({ ...fault, on: call, remaining: 1 });
  const arrived = marketplace.nextCall(call);
  const blocked = kills === "on_write" ? marketplace.blockWrites(arrived, card) : undefined;
  const killed = kills === "on_call" ? arrived.then(() => stack.worker.kill()) : undefined;
  const { status } = await shop.call("POST", `/listings/${card.id}/publish`, {});
  await arrived;
  await killed;
  if (blocked !== undefined) {
    await blocked.waiting();
    await stack.worker.kill();
    await blocked.release();
  }
  await marketplace.clearFaults();
  if (kills !== "never") await stack.worker.start();

  const live = await untilStatus(market, card.id, "live");
  const made = await market.simulated(card);
  const rows = await stack.services.db.query("select 1 from listing where card_id = $1", [
    toUuid(card.id),
  ]);
  const { body } = await shop.call<Card>("GET", `/cards/${card.id}`);
  const events = await eventsOf(market, card);
  await waitFor(async () => (await openJobs(market)) === 0, { deadlineMs: 30_000 });
  return {
    status,
    simulated: {
      listing_status: made?.listing_status,
      offers_made: made?.offers_made,
      listings_made: made?.listings_made,
    },
    isTheSame: made?.listing_id === live.external_listing_id && body.listing_id === live.id,
    events,
    rows: rows.length,
    card: body.workflow_status,
  };
}

/** Jobs of listings that have something to do. */
async function openJobs({ stack }: MarketShop): Promise<number> {
  const rows = await stack.services.db.query(
    "select 1 from job where kind like '%_listing' and status in ('queued', 'running')",
  );
  return rows.length;
}
