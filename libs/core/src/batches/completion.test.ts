import { afterAll, beforeAll, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const batches = () => dealer.asOwner.batches;
const cards = () => dealer.asOwner.cards;

/** A batch with a cost, and in it one card of each kind. */
async function mixedBatch() {
  const { id } = await batches().create({ name: "Mixed", cost_basis: usd(1_000) });
  const inBatch = { batch_id: id };
  const blank = await cards().create(inBatch);
  const priced = { ...inBatch, title: "Serpent", asking_price: usd(500) };
  await cards().create({ ...priced, quantity: 3 });
  await cards().create({ ...priced, location: "A", purchase_price: usd(100) });
  const sold = await cards().create(priced);
  await cards().recordSale({ id: sold.id, price: usd(700), place: "Show" });
  const archived = await cards().create(inBatch);
  await cards().update({ id: archived.id, workflow_status: "archived" });
  return { id, blank };
}

const left = [
  { kind: "not_identified", cards: 1 },
  { kind: "without_price", cards: 1 },
  { kind: "without_photo", cards: 3 },
  { kind: "without_location", cards: 2 },
  { kind: "without_cost", cards: 2 },
];

test("progress: how far the cards are, what they lack, what they are worth", async () => {
  const { id } = await mixedBatch();
  expect(await batches().progress({ id })).toEqual({
    card_count: 5,
    counts: expect.objectContaining({ imported: 1, priced: 2, sold: 1, archived: 1 }),
    left,
    asking_value: usd(2_000),
    cost: usd(100),
  });
});

test("completing names what is left, and needs that to be acknowledged", async () => {
  const { id, blank } = await mixedBatch();
  expect(await batches().completionCheck({ id })).toEqual({
    left,
    blocked_by: null,
    running_jobs: 0,
  });
  const error = await errorFrom(batches().complete({ id }));
  expect(error.code).toBe("conflict");
  expect(error.details).toContainEqual({ path: "without_photo", message: "Cards: 3" });
  expect(await batches().get({ id })).toMatchObject({ status: "open" });

  expect(await batches().complete({ id, acknowledged: true })).toMatchObject({
    status: "complete",
  });
  expect(await batches().completionCheck({ id })).toMatchObject({ blocked_by: "batch_complete" });
  // Its cards live on, its membership does not change.
  await cards().update({ id: blank.id, title: "Lantern" });
  expect(await codeFrom(cards().create({ batch_id: id }))).toBe("batch_complete");
});

test("a batch without cards, or with finished ones, needs no acknowledgement", async () => {
  const { id } = await batches().create({ name: "Empty" });
  expect(await batches().complete({ id })).toMatchObject({ status: "complete" });
  expect(await batches().reopen({ id })).toMatchObject({ status: "open", completed_at: null });
});

test("a change of membership that runs blocks, other work does not", async () => {
  const { id } = await batches().create({ name: "Busy" });
  const { id: other } = await batches().create({ name: "Other", cost_basis: usd(100) });
  const card = await cards().create({ batch_id: other });
  await dealer.asOwner.bulk.start({
    selection: { ids: [card.id] },
    action: { type: "put_in_batch", batch_id: id },
  });
  expect(await batches().completionCheck({ id })).toMatchObject({
    blocked_by: "membership_job",
    running_jobs: 1,
  });
  expect(await codeFrom(batches().complete({ id, acknowledged: true }))).toBe("conflict");

  await batches().spreadCost({ id: other });
  expect(await batches().get({ id: other })).toMatchObject({ status: "processing" });
  expect(await batches().complete({ id: other, acknowledged: true })).toMatchObject({
    status: "complete",
  });
});

test("defaults fill what a new card does not say, its SKU's parts too", async () => {
  const { id } = await batches().create({
    name: "Defaults",
    code: "DEF",
    defaults: {
      set: "Storm Harbour",
      game: "Runes",
      condition: "near_mint",
      language: "en",
      location: "A/1",
      price_floor: usd(50),
    },
  });
  await dealer.asOwner.accounts.settings.update({ sku_format: "{batch}-{game}-{n:4}" });
  const inherited = await cards().create({ batch_id: id });
  expect(inherited).toMatchObject({
    set: "Storm Harbour",
    game: "Runes",
    condition: "near_mint",
    language: "en",
    location: "A/1",
    price_floor: usd(50),
    sku: expect.stringMatching(/^DEF-Runes-\d{4}$/),
  });
  const own = await cards().create({
    batch_id: id,
    game: "Dragons",
    location: null,
    grading: { grader: "PSA", grade: "9" },
    price_floor: usd(0),
  });
  expect(own).toMatchObject({
    game: "Dragons",
    location: null,
    condition: null,
    price_floor: usd(0),
    sku: expect.stringMatching(/^DEF-Dragons-\d{4}$/),
  });
  await dealer.asOwner.accounts.settings.update({ sku_format: "{batch}-{n:5}" });
});
