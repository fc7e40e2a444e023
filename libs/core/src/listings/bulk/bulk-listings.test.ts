import type { Card, Job } from "@cardvault/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom } from "../../test-house.ts";
import type { Dealer } from "../../test-house.ts";
import { openMarket } from "../test-market.ts";
import type { Market } from "../test-market.ts";

let market: Market;
let dealer: Dealer;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());
let serial = 0;
beforeEach(async () => {
  serial += 1;
  dealer = await market.dealer(`Wharf ${serial}`);
});
afterEach(() => market.clearFaults());

const start = (cards: readonly Card[], action: object): Promise<Job> =>
  dealer.asOwner.bulk.start({
    selection: { ids: cards.map(({ id }) => id) },
    action: action as { type: "publish_listings" },
  });
const jobOf = (job: Job) => dealer.asOwner.jobs.get({ id: job.id });
async function marksOf(job: Job) {
  const { data } = await dealer.asOwner.jobs.items({ id: job.id, limit: 200 });
  return new Map(data.map((item) => [item.card.id, item]));
}
const statusesOf = async (cards: readonly Card[]) => {
  const { data } = await dealer.asOwner.listings.list({
    card: cards.map(({ id }) => id),
    limit: 200,
  });
  return data.map(({ status }) => status);
};
async function stock(count: number, given = {}): Promise<Card[]> {
  const cards: Card[] = [];
  for (let index = 0; index < count; index += 1) cards.push(await market.card(dealer, given));
  return cards;
}

describe("publishing many", () => {
  test("fifty cards, some refused by our rules and some by the marketplace", async () => {
    const fit = await stock(44);
    const floor = { amount: 2_000, currency: "USD" };
    const low = await stock(2, { price_floor: floor });
    const bare = [await dealer.asOwner.cards.create({ title: "Bare" })];
    const [listed] = await stock(1);
    if (listed === undefined) throw new Error("No card");
    await dealer.asOwner.listings.publish({ cardId: listed.id });
    await market.work();
    const wrong = await stock(2, { title: "Unlucky" });
    const cards = [...fit, ...low, ...bare, listed, ...wrong];
    expect(cards).toHaveLength(50);

    const selection = { ids: cards.map(({ id }) => id) };
    const preview = await dealer.asOwner.listings.previewPublish({ selection, rows: 5 });
    expect(preview.totals).toMatchObject({
      cards: 50,
      publishable: 46,
      already_listed: 1,
      failed: 3,
    });
    expect(preview.totals.rules.map(({ path, cards: count }) => [path, count])).toEqual([
      ["price", 2],
      ["price", 1],
      ["photos", 1],
      ["category_id", 1],
      ["condition", 1],
    ]);
    expect(preview.rows.slice(0, 3).every(({ problems }) => problems.length > 0)).toBe(true);

    const job = await start(cards, { type: "publish_listings" });
    await market.fault(dealer, {
      fault: "refused",
      error_id: 25_019,
      on: "POST /sell/inventory/v1/offer/*/publish",
      remaining: 2,
    });
    await market.work();
    expect(await jobOf(job)).toMatchObject({
      kind: "bulk.publish_listings",
      status: "done",
      progress: { total: 50, done: 50, changed: 46, skipped: 1, failed: 3 },
    });
    const marks = await marksOf(job);
    expect(marks.get(low[0]?.id ?? "")).toMatchObject({
      outcome: "failed",
      code: "card_not_publishable",
      details: [{ path: "price" }],
    });
    expect(marks.get(bare[0]?.id ?? "")?.details).toHaveLength(4);
    expect(marks.get(listed.id)).toMatchObject({ outcome: "skipped", code: "already_listed" });
    const statuses = await statusesOf(cards);
    expect(statuses.filter((one) => one === "live")).toHaveLength(45);
    expect(statuses.filter((one) => one === "failed")).toHaveLength(2);
    const made = await market.listings(dealer);
    expect(made).toHaveLength(47);
    for (const one of made) expect(one.offers_made).toBe(1);
    expect(made.filter((one) => one.listings_made === 1)).toHaveLength(45);
  }, 120_000);

  test("its undo ends what it has published, and nothing else", async () => {
    const cards = await stock(3);
    const job = await start(cards.slice(0, 2), { type: "publish_listings" });
    await market.work();
    await dealer.asOwner.listings.publish({ cardId: cards[2]?.id ?? "" });
    await market.work();
    expect(await jobOf(job)).toMatchObject({ can_undo: true });
    const undo = await dealer.asOwner.bulk.undo({ id: job.id });
    await market.work();
    expect(await jobOf(undo)).toMatchObject({
      status: "done",
      can_undo: false,
      progress: { changed: 2 },
    });
    const made = await market.listings(dealer);
    expect(made.filter(({ withdrawn }) => withdrawn === 1)).toHaveLength(2);
    expect(await codeFrom(dealer.asOwner.bulk.undo({ id: undo.id }))).toBe("invalid_transition");
  });
});

describe("ending and revising many", () => {
  test("live ones are withdrawn, publishing ones cancelled, others left alone", async () => {
    const [live, publishing, none] = await stock(3);
    if (live === undefined || publishing === undefined || none === undefined) throw new Error();
    await dealer.asOwner.listings.publish({ cardId: live.id });
    await market.work();
    await market.fault(dealer, {
      fault: "unavailable",
      on: "PUT /sell/inventory/v1/inventory_item/*",
    });
    await dealer.asOwner.listings.publish({ cardId: publishing.id });
    await market.work();
    const job = await start([live, publishing, none], { type: "end_listings" });
    await market.work();
    await market.clearFaults();
    expect(await jobOf(job)).toMatchObject({
      status: "done",
      can_undo: false,
      progress: { changed: 2, skipped: 1 },
    });
    // What is offered is what would be done.
    expect(await codeFrom(dealer.asOwner.bulk.undo({ id: job.id }))).toBe("invalid_transition");
    expect((await marksOf(job)).get(none.id)?.code).toBe("not_listed");
    expect((await statusesOf([publishing]))[0]).toBe("failed");
    const found = (await market.listings(dealer)).find(({ sku }) => sku === live.sku);
    expect(found).toMatchObject({ listing_id: null, withdrawn: 1 });
    expect(await codeFrom(dealer.asOwner.bulk.undo({ id: job.id }))).toBe("invalid_transition");
  });

  test("each live one is given what its card has now", async () => {
    const [one, other, none] = await stock(3);
    if (one === undefined || other === undefined || none === undefined) throw new Error();
    for (const { id } of [one, other]) await dealer.asOwner.listings.publish({ cardId: id });
    await market.work();
    await dealer.asOwner.cards.update({ id: one.id, variant: "Foil" });
    // A floor that came after it keeps this one's price from being asked again.
    const floor = { amount: 9_000, currency: "USD" };
    await dealer.asOwner.cards.update({ id: other.id, price_floor: floor });
    const job = await start([one, other, none], {
      type: "revise_listings",
      refresh: ["title", "price"],
    });
    await market.work();
    expect(await jobOf(job)).toMatchObject({
      status: "done",
      progress: { changed: 1, skipped: 1, failed: 1 },
    });
    const { data } = await dealer.asOwner.listings.list({ card: [one.id] });
    expect(data[0]?.title).toBe("Storm Harbour Charged Serpent Foil #12/180 NM");
    expect((await marksOf(job)).get(other.id)).toMatchObject({ code: "card_not_publishable" });
  });
});
