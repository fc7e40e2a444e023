import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const batches = () => dealer.asOwner.batches;

async function batchOf(cost: number, cards: object[]) {
  const { id } = await batches().create({ name: "Costs", cost_basis: usd(cost) });
  const made = [];
  for (const card of cards) {
    made.push(await dealer.asOwner.cards.create({ batch_id: id, title: "Serpent", ...card }));
  }
  return { id, cards: made };
}

function handlerOf(limits = {}) {
  const { db, clock } = house;
  const handler = new Map(bulkHandlers({ db, clock, limits })).get("batch.spread_cost");
  if (handler === undefined) throw new Error("No handler for the kind");
  return handler;
}

async function spread(id: string, rest: { by?: "asking_price"; only_without_cost?: boolean } = {}) {
  const { id: jobId } = await batches().spreadCost({ id, ...rest });
  return runToEnd(house, handlerOf(), jobId);
}

async function costsOf(cards: { id: string }[]) {
  const found = await Promise.all(cards.map(({ id }) => dealer.asOwner.cards.get({ id })));
  return found.map(({ purchase_price }) => purchase_price?.amount ?? null);
}

describe("a spread", () => {
  test("is what its preview shows, exact to the cent, and can be undone", async () => {
    const { id, cards } = await batchOf(1_000, [{}, {}, {}]);
    const preview = await batches().previewCost({ id });
    expect(preview).toMatchObject({
      cost_basis: usd(1_000),
      spread: usd(1_000),
      spread_cards: 3,
      unspread: usd(0),
      kept: usd(0),
      excess: usd(0),
    });
    expect(preview.rows.map(({ after }) => after.amount)).toEqual([334, 333, 333]);
    const job = await spread(id);
    expect(job).toMatchObject({ status: "done", progress: { done: 3, changed: 3 } });
    expect(await costsOf(cards)).toEqual([334, 333, 333]);
    const undo = await dealer.asOwner.bulk.undo({ id: job.id });
    const { db, clock } = house;
    const undoing = new Map(bulkHandlers({ db, clock })).get("bulk.undo");
    if (undoing === undefined) throw new Error("No handler for the kind");
    await runToEnd(house, undoing, undo.id);
    expect(await costsOf(cards)).toEqual([null, null, null]);
  });

  test("weighs by asking price; a card without one has the mean", async () => {
    const { id, cards } = await batchOf(600, [
      { asking_price: usd(100) },
      { asking_price: usd(300) },
      {},
    ]);
    expect(await batches().previewCost({ id, by: "asking_price" })).toMatchObject({
      averaged_cards: 1,
    });
    await spread(id, { by: "asking_price" });
    expect(await costsOf(cards)).toEqual([100, 300, 200]);
  });

  test("keeps a cost that was set by hand, and takes it off what the others share", async () => {
    const { id, cards } = await batchOf(1_000, [{ purchase_price: usd(400) }, {}, {}]);
    await spread(id);
    expect(await costsOf(cards)).toEqual([400, 300, 300]);
    // Its own shares it gives anew; one changed by hand since is somebody's.
    await dealer.asOwner.cards.update({ id: cards[1]?.id ?? "", purchase_price: usd(500) });
    await batches().update({ id, cost_basis: usd(1_100) });
    const job = await spread(id);
    expect(await costsOf(cards)).toEqual([400, 500, 200]);
    expect(job.progress).toMatchObject({ changed: 1, skipped: 2 });
  });

  test("counts the copies that are sold, and leaves archived cards out", async () => {
    const { id, cards } = await batchOf(1_000, [{ quantity: 3 }, {}, {}]);
    const [many, , archived] = cards;
    await dealer.asOwner.cards.recordSale({
      id: many?.id ?? "",
      quantity: 2,
      price: usd(900),
      place: "Show",
    });
    await dealer.asOwner.cards.update({ id: archived?.id ?? "", workflow_status: "archived" });
    const { rows } = await batches().previewCost({ id });
    expect(rows.map(({ copies, after }) => [copies, after.amount])).toEqual([
      [3, 250],
      [1, 250],
    ]);
  });

  test("of cards added later gives them what is left", async () => {
    const { id, cards } = await batchOf(1_000, [{}, {}]);
    await spread(id);
    await batches().update({ id, cost_basis: usd(1_300) });
    const late = await dealer.asOwner.cards.create({ batch_id: id });
    await spread(id, { only_without_cost: true });
    expect(await costsOf([...cards, late])).toEqual([500, 500, 300]);
    // All of them again: nobody has set a cost by hand.
    await spread(id);
    expect(await costsOf([...cards, late])).toEqual([434, 433, 433]);
  });

  test("gives what it meant to give, wherever the process dies", async () => {
    const { id, cards } = await batchOf(100, [
      { asking_price: usd(100) },
      { asking_price: usd(100) },
    ]);
    const { id: jobId } = await batches().spreadCost({ id, by: "asking_price" });
    const one = { size: 1, most: 1, runMs: 0 };
    await runChunk(house, handlerOf(one), jobId);
    await runChunk(house, handlerOf(one), jobId);
    expect((await costsOf(cards)).filter((cost) => cost !== null)).toHaveLength(1);
    // A plan made now would weigh otherwise.
    await dealer.asOwner.cards.update({ id: cards[1]?.id ?? "", asking_price: usd(900) });
    await runToEnd(house, handlerOf(one), jobId);
    expect(await costsOf(cards)).toEqual([50, 50]);
    expect(await batches().get({ id })).toMatchObject({ status: "open" });
  });
});

describe("409 conflict", () => {
  test("for a batch without a cost, without cards, or whose cards cost more", async () => {
    const without = await batches().create({ name: "No cost" });
    expect(await codeFrom(batches().previewCost({ id: without.id }))).toBe("conflict");
    const empty = await batches().create({ name: "No cards", cost_basis: usd(10) });
    expect(await codeFrom(batches().spreadCost({ id: empty.id }))).toBe("conflict");
    const { id } = await batchOf(100, [{ purchase_price: usd(150) }, {}]);
    expect(await batches().previewCost({ id })).toMatchObject({ excess: usd(50) });
    expect(await codeFrom(batches().spreadCost({ id }))).toBe("conflict");
  });
});
