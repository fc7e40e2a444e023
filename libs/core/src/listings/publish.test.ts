import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorAccess } from "../accounts/operator-access.ts";
import { restoreAccount, suspendAccount } from "../accounts/suspend-account.ts";
import { codeFrom, errorFrom, tokenOf } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { openMarket } from "./test-market.ts";
import type { Market } from "./test-market.ts";

let market: Market;
let dealer: Dealer;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());
let serial = 0;
beforeEach(async () => {
  serial += 1;
  dealer = await market.dealer(`Harbour ${serial}`);
});
afterEach(() => market.clearFaults());

const publish = (cardId: string, given = {}) =>
  dealer.asOwner.listings.publish({ cardId, ...given });
async function begin(given = {}, own = {}) {
  const card = await market.card(dealer, given);
  const answer = await publish(card.id, own);
  if (!("status" in answer)) throw new Error("A dry run");
  return { card, listing: answer };
}
const detail = (id: string) => dealer.asOwner.listings.get({ id });
const publishPath = "POST /sell/inventory/v1/offer/*/publish";

describe("publishing", () => {
  test("is accepted, and the listing goes live with its events in their order", async () => {
    const { card, listing } = await begin({ quantity: 2 });
    expect(listing).toMatchObject({
      card_id: card.id,
      status: "publishing",
      title: "Storm Harbour Charged Serpent #12/180 NM",
      category_id: "183454",
      price: { amount: 1_250, currency: "USD" },
      quantity: 2,
      external_listing_id: null,
    });
    expect((await dealer.asOwner.cards.get({ id: card.id })).listing_id).toBe(listing.id);
    await market.work();
    const [made] = await market.listings(dealer);
    expect(made).toMatchObject({ sku: card.sku, offers_made: 1, listings_made: 1, quantity: 2 });
    const live = await detail(listing.id);
    expect(live).toMatchObject({
      listing: { status: "live", external_listing_id: made?.listing_id, error: null },
      publication: { step: "done", tries: 0, pending: [] },
    });
    expect(live.listing.published_at).not.toBeNull();
    expect((await dealer.asOwner.cards.get({ id: card.id })).workflow_status).toBe("listed");
    expect((await market.events(dealer, live)).slice(-2)).toEqual([
      "listing.published",
      "card.workflow_status_changed",
    ]);
  });

  test("with its own price, title and description", async () => {
    const own = { price: { amount: 999, currency: "USD" }, title: "My words", description: "A\nB" };
    const { listing } = await begin({}, own);
    expect(listing).toMatchObject(own);
    await market.work();
    expect((await market.listings(dealer))[0]?.price).toEqual({ value: "9.99", currency: "USD" });
  });

  test("a second time is 409 while the first is publishing or live, a dry run too", async () => {
    const { card } = await begin();
    for (const again of [{}, { dry_run: true }]) {
      expect(await codeFrom(publish(card.id, again))).toBe("already_listed");
    }
    await market.work();
    expect(await codeFrom(publish(card.id))).toBe("already_listed");
    expect(await codeFrom(publish(card.id, { dry_run: true }))).toBe("already_listed");
  });

  test("says every failed rule at once, and a dry run says the same and changes nothing", async () => {
    const { id } = await dealer.asOwner.cards.create({
      title: "Bare",
      price_floor: { amount: 500, currency: "USD" },
    });
    const price = { amount: 400, currency: "USD" };
    const error = await errorFrom(publish(id, { price }));
    expect(error.code).toBe("card_not_publishable");
    const paths = (error.details ?? []).map(({ path }) => path);
    expect(paths).toEqual(["price", "photos", "category_id", "condition"]);
    const dry = await publish(id, { price, dry_run: true });
    expect(dry).toEqual({ card_id: id, publishable: false, problems: error.details });
    expect((await dealer.asOwner.listings.list({ card: [id] })).data).toEqual([]);
    const fits = await market.card(dealer);
    expect(await publish(fits.id, { dry_run: true })).toEqual({
      card_id: fits.id,
      publishable: true,
      problems: [],
    });
  });

  test("another currency, a card that is not there, a token without the scope", async () => {
    const card = await market.card(dealer);
    const euro = { price: { amount: 1, currency: "EUR" } };
    expect(await codeFrom(publish(card.id, euro))).toBe("validation_failed");
    expect(await codeFrom(publish(card.id, { ...euro, dry_run: true }))).toBe("validation_failed");
    expect(await codeFrom(publish("card_00000000000000000000000000"))).toBe("card_not_found");
    expect(await codeFrom(publish("nothing"))).toBe("card_not_found");
    const reader = market.house.caller(tokenOf(dealer, ["listings:read"]));
    expect(await codeFrom(reader.listings.publish({ cardId: card.id }))).toBe("insufficient_scope");
    const writer = market.house.caller(tokenOf(dealer, ["listings:write"]));
    expect(await writer.listings.publish({ cardId: card.id })).toMatchObject({
      status: "publishing",
    });
  });

  test("costs the database so many statements and no more", async () => {
    const card = await market.card(dealer);
    await publish(card.id, { dry_run: true });
    const statements = await countStatements(() => publish(card.id));
    // Five before the change, which has the connection; one beside it, to tell the queue.
    expect(statements).toBeLessThanOrEqual(20);
  });
});

/** Counts what is sent to the database, by the driver's own door. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { Client } = createRequire(import.meta.resolve("@cardvault/db"))("pg") as {
    Client: { prototype: { query: (...args: unknown[]) => unknown } };
  };
  const { query } = Client.prototype;
  let count = 0;
  Client.prototype.query = function counted(...args) {
    count += 1;
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return count;
}

describe("what passes", () => {
  test("is waited for, said on the listing, and goes on by itself", async () => {
    const { listing } = await begin();
    await market.fault(dealer, { fault: "unavailable", on: publishPath });
    await market.work();
    const waiting = await detail(listing.id);
    expect(waiting).toMatchObject({
      listing: { status: "publishing", error: { code: "unavailable", field: null } },
      publication: { step: "publish", tries: 1 },
    });
    await market.work();
    expect((await detail(listing.id)).listing.updated_at).toBe(waiting.listing.updated_at);
    await market.clearFaults();
    await market.work();
    expect((await detail(listing.id)).listing).toMatchObject({ status: "live", error: null });
  });

  test("an answer that was lost after it took effect is found, and nothing is there twice", async () => {
    const { listing } = await begin();
    await market.fault(dealer, { fault: "dropped", when: "after", on: publishPath });
    await market.work();
    await market.clearFaults();
    await market.work();
    const { listing: live } = await detail(listing.id);
    expect(live.status).toBe("live");
    const [made] = await market.listings(dealer);
    expect(made).toMatchObject({ listings_made: 1, listing_id: live.external_listing_id });
    expect(
      (await market.events(dealer, { listing })).filter((one) => one === "listing.published"),
    ).toHaveLength(1);
  });

  test("a sale that was made before we knew that it is live: published, and then sold", async () => {
    const { card, listing } = await begin();
    await market.fault(dealer, { fault: "dropped", when: "after", on: publishPath });
    await market.work();
    await market.clearFaults();
    await market.control(dealer, "/orders", { lines: [{ sku: card.sku }] });
    await market.work();
    expect((await detail(listing.id)).listing.status).toBe("live");
    expect((await market.listings(dealer))[0]?.listings_made).toBe(1);
  });

  test("after 24 hours it fails, once the marketplace shows that nothing is published", async () => {
    const { card, listing } = await begin();
    await market.fault(dealer, { fault: "unavailable" });
    await market.work();
    market.house.clock.advance(24 * 3_600_000 + 1);
    await market.work();
    expect((await detail(listing.id)).listing.status).toBe("publishing");
    await market.clearFaults();
    await market.work();
    expect((await detail(listing.id)).listing).toMatchObject({
      status: "failed",
      error: { code: "timed_out" },
    });
    expect((await dealer.asOwner.cards.get({ id: card.id })).workflow_status).toBe("priced");
  });
});

test("a suspended account publishes nothing, and its 24 hours stand still", async () => {
  const { listing } = await begin();
  const { services, db, clock } = market.house;
  const access = await operatorAccess(db, dealer.account.id, "operator");
  await suspendAccount(services, access, "Unpaid");
  market.requests.length = 0;
  await market.work();
  expect(market.requests).toEqual([]);
  clock.advance(30 * 3_600_000);
  await restoreAccount(services, access);
  await market.work();
  expect((await detail(listing.id)).listing.status).toBe("live");
});

describe("a refusal", () => {
  test("is the listing's, in a dealer's words, and publishing again makes another listing", async () => {
    const { card, listing } = await begin({}, { title: "My words" });
    await market.fault(dealer, {
      fault: "refused",
      error_id: 25_019,
      on: publishPath,
      remaining: 5,
    });
    await market.work();
    await market.clearFaults();
    const failed = await detail(listing.id);
    expect(failed.listing.status).toBe("failed");
    expect(failed.listing.error?.message).not.toMatch(/internal|Simulated/);
    expect(await codeFrom(dealer.asOwner.listings.cancelPublishing({ id: listing.id }))).toBe(
      "invalid_transition",
    );
    const again = await dealer.asOwner.listings.retry({ id: listing.id });
    expect(again.listing).toMatchObject({ status: "publishing", title: "My words" });
    expect(again.listing.id).not.toBe(listing.id);
    await market.work();
    expect((await detail(again.listing.id)).listing.status).toBe("live");
    expect(await market.listings(dealer)).toMatchObject([{ offers_made: 1, listings_made: 1 }]);
    expect((await dealer.asOwner.cards.get({ id: card.id })).listing_id).toBe(again.listing.id);
    expect(await codeFrom(dealer.asOwner.listings.retry({ id: again.listing.id }))).toBe(
      "invalid_transition",
    );
  });

  test("whose outcome cannot be looked at yet stays publishing, and says so", async () => {
    const { listing } = await begin();
    await market.fault(dealer, { fault: "refused", error_id: 25_019, on: publishPath });
    await market.work();
    const { listing: at } = await detail(listing.id);
    expect(at.status).toBe("failed");
    const second = await begin();
    await market.control(dealer, "/consent", { state: "revoked" });
    await market.clearFaults();
    market.house.clock.advance(3 * 3_600_000);
    await market.work();
    expect((await detail(second.listing.id)).listing).toMatchObject({
      status: "publishing",
      error: { code: "consent_revoked" },
    });
    await market.work();
    const cancelled = await dealer.asOwner.listings.cancelPublishing({ id: second.listing.id });
    expect(cancelled.publication?.is_cancelling).toBe(true);
    await market.work();
    expect((await detail(second.listing.id)).listing.status).toBe("publishing");
  });
});

describe("cancelling", () => {
  test("fails the listing where nothing is published", async () => {
    const { listing } = await begin();
    await market.fault(dealer, {
      fault: "unavailable",
      on: "PUT /sell/inventory/v1/inventory_item/*",
    });
    await market.work();
    await dealer.asOwner.listings.cancelPublishing({ id: listing.id });
    await dealer.asOwner.listings.cancelPublishing({ id: listing.id });
    await market.work();
    expect((await detail(listing.id)).listing).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
    });
    expect((await market.listings(dealer))[0]?.listings_made ?? 0).toBe(0);
  });

  test("waits where a call may yet take effect, and withdraws what is live by then", async () => {
    const { listing } = await begin();
    await market.fault(dealer, { fault: "dropped", when: "before", on: publishPath });
    await market.work();
    await dealer.asOwner.listings.cancelPublishing({ id: listing.id });
    await market.work();
    expect((await detail(listing.id)).listing.status).toBe("publishing");
    market.house.clock.advance(3 * 60_000);
    await market.work();
    expect((await detail(listing.id)).listing.status).toBe("failed");
    await market.clearFaults();

    const other = await begin();
    await market.fault(dealer, { fault: "dropped", when: "after", on: publishPath });
    await market.work();
    await market.clearFaults();
    await dealer.asOwner.listings.cancelPublishing({ id: other.listing.id });
    await market.work();
    const found = await detail(other.listing.id);
    expect(found.publication?.is_withdrawing).toBe(true);
    const events = await market.events(dealer, found);
    expect(events.filter((one) => one === "listing.published")).toHaveLength(1);
    const sku = (await dealer.asOwner.cards.get({ id: other.card.id })).sku;
    expect((await market.listings(dealer)).find((one) => one.sku === sku)?.withdrawn).toBe(1);
  });
});
