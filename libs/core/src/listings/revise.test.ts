import { toUuid } from "@cardvault/kit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorAccess } from "../accounts/operator-access.ts";
import { suspendAccount } from "../accounts/suspend-account.ts";
import { pictureBytes, upload } from "../photos/test-pictures.ts";
import { codeFrom, errorFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { tendListings } from "./tend-listings.ts";
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
  dealer = await market.dealer(`Quay ${serial}`);
});
afterEach(() => market.clearFaults());

const usd = (amount: number) => ({ amount, currency: "USD" });
const detail = (id: string) => dealer.asOwner.listings.get({ id });
const itemPath = "PUT /sell/inventory/v1/inventory_item/*";
const offerPath = "PUT /sell/inventory/v1/offer/*";

async function live(given = {}) {
  const card = await market.card(dealer, given);
  await dealer.asOwner.listings.publish({ cardId: card.id });
  await market.work();
  const { data } = await dealer.asOwner.listings.list({ card: [card.id] });
  const [listing] = data;
  if (listing?.status !== "live") throw new Error("It is not live");
  return { card, listing };
}
const shown = async (sku: string | null) =>
  (await market.listings(dealer)).find((one) => one.sku === sku);

describe("revising", () => {
  test("a new asking price follows by a job, and the listing has it once the marketplace has", async () => {
    const { card, listing } = await live();
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(900) });
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(800) });
    expect(await detail(listing.id)).toMatchObject({
      listing: { price: usd(1_250) },
      publication: { pending: ["price"] },
    });
    await market.work();
    expect(await detail(listing.id)).toMatchObject({
      listing: { price: usd(800), error: null },
      publication: { pending: [] },
    });
    expect((await shown(card.sku))?.price).toEqual({ value: "8.00", currency: "USD" });
    expect((await market.events(dealer, { listing })).filter((one) => /listing/.test(one))).toEqual(
      ["listing.published"],
    );
  });

  test("copies sold elsewhere lower it, and the last one withdraws it", async () => {
    const { card, listing } = await live({ quantity: 3 });
    const sale = { id: card.id, price: usd(500), place: "Show" };
    await dealer.asOwner.cards.recordSale(sale);
    await market.work();
    expect((await shown(card.sku))?.quantity).toBe(2);
    expect((await detail(listing.id)).listing).toMatchObject({ quantity: 2, quantity_sold: 0 });
    await dealer.asOwner.cards.recordSale({ ...sale, quantity: 2 });
    await market.work();
    expect(await shown(card.sku)).toMatchObject({ listing_id: null, withdrawn: 1 });
  });

  test("title, description, photos and condition at the dealer's wish, and only those", async () => {
    const { card, listing } = await live();
    const photo = await upload(market.house, dealer, await pictureBytes(900 + serial));
    await dealer.asOwner.photos.attach({
      card_id: card.id,
      photos: [{ photo_id: photo.id, side: "back" }],
    });
    await dealer.asOwner.cards.update({ id: card.id, condition: "lightly_played" });
    await dealer.asOwner.listings.revise({ id: listing.id, title: "New words" });
    await market.work();
    const asked = await askedOf(listing.id);
    expect(asked).toMatchObject({ title: "New words", condition: "near_mint" });
    expect(asked.photoIds).toHaveLength(1);
    await dealer.asOwner.listings.revise({
      id: listing.id,
      refresh: ["photos", "condition", "title", "description"],
    });
    await market.work();
    const fresh = await askedOf(listing.id);
    expect(fresh.title).toBe("Storm Harbour Charged Serpent #12/180 LP");
    expect(fresh.condition).toBe("lightly_played");
    expect(fresh.photoIds).toHaveLength(2);
    expect((await detail(listing.id)).listing.title).toBe(fresh.title);
  });

  test("a rule that it would fail is said before anything is asked", async () => {
    const { card, listing } = await live({ price_floor: usd(1_000) });
    const revise = (given: object) => dealer.asOwner.listings.revise({ id: listing.id, ...given });
    const error = await errorFrom(revise({ price: usd(999) }));
    expect(error).toMatchObject({ code: "card_not_publishable", details: [{ path: "price" }] });
    expect(await codeFrom(revise({ price: { amount: 1, currency: "EUR" } }))).toBe(
      "validation_failed",
    );
    expect(await codeFrom(revise({}))).toBe("validation_failed");
    expect(await codeFrom(revise({ title: "x", refresh: ["title"] }))).toBe("validation_failed");
    expect((await detail(listing.id)).publication?.pending).toEqual([]);
    expect((await shown(card.sku))?.price?.value).toBe("12.50");
  });

  test("an error stands on the listing; what passes is tried again, and a refusal is not", async () => {
    const { card, listing } = await live();
    await market.fault(dealer, { fault: "unavailable", on: offerPath });
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(700) });
    await market.work();
    expect(await detail(listing.id)).toMatchObject({
      listing: { status: "live", price: usd(1_250), error: { code: "unavailable" } },
      publication: { pending: ["price"], tries: 1 },
    });
    await market.clearFaults();
    await market.work();
    expect((await detail(listing.id)).listing).toMatchObject({ price: usd(700), error: null });
    await market.fault(dealer, { fault: "refused", error_id: 25_019, on: itemPath });
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(600) });
    await market.work();
    const refused = await detail(listing.id);
    expect(refused).toMatchObject({
      listing: { price: usd(700) },
      publication: { pending: [], tries: 0 },
    });
    expect(refused.listing.error).not.toBeNull();
  });

  test("copies that the marketplace has sold are not put up again: the orders are read first", async () => {
    const { card, listing } = await live({ quantity: 3 });
    await market.control(dealer, "/orders", { lines: [{ sku: card.sku, quantity: 1 }] });
    market.house.clock.advance(1_000);
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(1_100) });
    await market.work();
    expect(await shown(card.sku)).toMatchObject({
      quantity: 2,
      price: { value: "11.00", currency: "USD" },
    });
    expect((await detail(listing.id)).listing).toMatchObject({ quantity: 3, quantity_sold: 1 });
    expect((await dealer.asOwner.cards.get({ id: card.id })).quantity).toBe(2);
  });

  test("what is asked for while it publishes follows once it is live", async () => {
    const card = await market.card(dealer, { quantity: 3 });
    await dealer.asOwner.listings.publish({ cardId: card.id });
    await market.fault(dealer, { fault: "unavailable" });
    await market.work();
    await dealer.asOwner.cards.update({ id: card.id, asking_price: usd(500), quantity: 2 });
    await market.clearFaults();
    await market.work();
    await market.work();
    expect(await shown(card.sku)).toMatchObject({
      quantity: 2,
      price: { value: "5.00", currency: "USD" },
      listings_made: 1,
    });
  });
});

async function askedOf(id: string) {
  const [row] = await market.house.db.query<{
    asked: { title: string; condition: string; photoIds: string[] };
  }>("select asked from listing_publication where listing_id = $1", [toUuid(id)]);
  if (row === undefined) throw new Error("It was never published");
  return row.asked;
}

describe("ending", () => {
  test("is asked once, and withdraws; meanwhile nothing else is asked of it", async () => {
    const { card, listing } = await live();
    const ending = await dealer.asOwner.listings.end({ id: listing.id });
    expect(ending).toMatchObject({
      listing: { status: "live" },
      publication: { is_withdrawing: true },
    });
    await dealer.asOwner.listings.end({ id: listing.id });
    const revise = dealer.asOwner.listings.revise({ id: listing.id, title: "Late" });
    expect(await codeFrom(revise)).toBe("invalid_transition");
    await market.work();
    expect(await shown(card.sku)).toMatchObject({ listing_id: null, withdrawn: 1 });
    expect(await codeFrom(dealer.asOwner.listings.cancelPublishing({ id: listing.id }))).toBe(
      "invalid_transition",
    );
  });

  test("goes on while the account is suspended, and through what passes", async () => {
    const { card, listing } = await live();
    await market.fault(dealer, { fault: "unavailable" });
    await dealer.asOwner.listings.end({ id: listing.id });
    await market.work();
    expect((await detail(listing.id)).listing.error?.code).toBe("unavailable");
    const access = await operatorAccess(market.house.db, dealer.account.id, "operator");
    await suspendAccount(market.house.services, access, "Unpaid");
    await market.clearFaults();
    await market.work();
    expect(await shown(card.sku)).toMatchObject({ listing_id: null, withdrawn: 1 });
  });

  test("a job that was given up is made again; by hand none is cancelled or paused", async () => {
    const { card, listing } = await live();
    await dealer.asOwner.listings.end({ id: listing.id });
    const { data } = await dealer.asOwner.jobs.list({ subject_id: listing.id, status: ["queued"] });
    const [job] = data;
    for (const change of ["cancel", "pause"] as const) {
      expect(await codeFrom(dealer.asOwner.jobs[change]({ id: job?.id ?? "" }))).toBe(
        "invalid_transition",
      );
    }
    await market.house.db.query(
      "update job set status = 'failed', finished_at = now() where id = $1",
      [toUuid(job?.id ?? "")],
    );
    await market.work();
    expect((await shown(card.sku))?.withdrawn).toBe(0);
    market.house.clock.advance(120_000);
    const options = { ...market.house.services };
    await tendListings(options);
    await tendListings(options);
    await market.work();
    expect((await shown(card.sku))?.withdrawn).toBe(1);
  });
});
