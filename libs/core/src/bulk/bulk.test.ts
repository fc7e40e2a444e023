import type { BulkAction } from "@cardvault/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exportJobItems } from "../jobs/items-csv.ts";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runToEnd } from "../work/test-run.ts";
import { bulkHandlers } from "./handler.ts";
import { cardsOf, stock, usd } from "./test-stock.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Bulk ${serial}`);
  house.clock.set(new Date());
});
afterAll(() => house.close());

const handler = (size = 7) => {
  const [first] = bulkHandlers({ ...house.services, limits: { size, least: size, most: size } });
  if (first === undefined) throw new Error("There is no bulk handler");
  return first[1];
};

/** Does something to cards, and answers the job as it ended. */
async function did(ids: string[], action: BulkAction) {
  const job = await dealer.asOwner.bulk.start({ selection: { ids }, action });
  await runToEnd(house, handler(), job.id);
  return dealer.asOwner.jobs.get({ id: job.id });
}

async function undid(id: string) {
  const job = await dealer.asOwner.bulk.undo({ id });
  await runToEnd(house, handler(), job.id);
  return dealer.asOwner.jobs.get({ id: job.id });
}

const remarks = async (id: string) =>
  (await dealer.asOwner.jobs.items({ id, remarked: true })).data.map(
    ({ card, outcome, code }) => [card.id, outcome, code] as const,
  );

const eventsOf = async (type: "card.priced" | "card.workflow_status_changed") =>
  (await dealer.asOwner.events.list({ event: [type], limit: 200 })).data.length;

describe("bulk.start", () => {
  test("200: sets a price with the events that each card has coming, and says what it did", async () => {
    const ids = await stock(house, dealer, 20, (index) => ({
      title: `Card ${index}`,
      ...(index < 5 ? { askingPrice: usd(900) } : {}),
    }));
    const [before, moves] = [
      await eventsOf("card.priced"),
      await eventsOf("card.workflow_status_changed"),
    ];
    const job = await did(ids, { type: "set_price", price: usd(900) });
    expect(job).toMatchObject({
      kind: "bulk.set_price",
      status: "done",
      progress: { total: 20, done: 20, changed: 15, skipped: 0, failed: 0 },
    });
    expect(await eventsOf("card.priced")).toBe(before + 15);
    expect(await eventsOf("card.workflow_status_changed")).toBe(moves + 15);
    for (const card of await cardsOf(dealer, ids)) {
      expect(card).toMatchObject({ asking_price: usd(900), workflow_status: "priced" });
    }
  });

  test("200: prices by a rule on the market price, and skips what has none", async () => {
    const ids = await stock(house, dealer, 10, (index) => ({
      title: `Card ${index}`,
      priceFloor: index === 1 ? usd(5000) : null,
      market: index === 0 ? undefined : 1000 + index,
    }));
    const rule = { percent: 110, rounding: "end_99", floor: "price_floor", minimum: null } as const;
    const preview = await dealer.asOwner.bulk.previewPrices({ selection: { ids }, rule, rows: 3 });
    const job = await did(ids, { type: "price_rule", rule });
    expect(job.progress).toMatchObject({ total: 10, changed: 9, skipped: 1 });
    expect(await remarks(job.id)).toEqual([[ids[0], "skipped", "no_market_price"]]);
    const cards = await cardsOf(dealer, ids);
    expect(cards.map((card) => card.asking_price?.amount)).toEqual([
      undefined,
      5099,
      ...Array.from({ length: 8 }, () => 1099),
    ]);
    // The preview had said so.
    expect(preview.rows.map((row) => row.after?.amount)).toEqual([undefined, 5099, 1099]);
    expect(preview.totals).toMatchObject({
      cards: 10,
      changed: 9,
      skipped: { no_market_price: 1 },
      before: usd(0),
      after: usd(5099 + 8 * 1099),
    });
  });

  test("200: sets fields, adds and removes tags, moves, archives", async () => {
    const ids = await stock(house, dealer, 4, () => ({ title: "T", tags: ["a", "b"] }));
    await did(ids, {
      type: "set_fields",
      fields: { condition: "near_mint", notes: null },
      add_tags: ["c", "a"],
      remove_tags: ["b"],
    });
    await did(ids, { type: "move", location: "B-2" });
    const job = await did(ids, { type: "set_status", workflow_status: "archived" });
    expect(job.progress).toMatchObject({ changed: 4 });
    for (const card of await cardsOf(dealer, ids)) {
      expect(card).toMatchObject({
        tags: ["a", "c"],
        condition: "near_mint",
        location: "B-2",
        workflow_status: "archived",
      });
    }
  });

  test("200: a card that the rules refuse is kept with its reason, and the others are done", async () => {
    const ids = await stock(house, dealer, 9, (index) => ({ title: index % 3 === 0 ? null : "T" }));
    const job = await did(ids, { type: "set_status", workflow_status: "identified" });
    expect(job.status).toBe("done");
    expect(job.progress).toMatchObject({ total: 9, done: 9, changed: 0, failed: 3 });
    const refused = await dealer.asOwner.jobs.items({ id: job.id, outcome: ["failed"], limit: 2 });
    expect(refused.data[0]).toMatchObject({
      code: "invalid_transition",
      card: { id: ids[0], sku: expect.any(String) },
    });
    const rest = { id: job.id, outcome: ["failed" as const], cursor: refused.next_cursor ?? "" };
    expect((await dealer.asOwner.jobs.items({ ...rest, limit: 2 })).data).toHaveLength(1);
    const pieces: string[] = [];
    await exportJobItems(house, dealer.access, job.id, async (text) => void pieces.push(text));
    expect(pieces.join("").split("\r\n")).toHaveLength(5);
  });

  test("200: each card once, although the job takes its cards out of its own filter", async () => {
    const ids = await stock(house, dealer, 25, () => ({ title: "T" }));
    const { asOwner } = dealer;
    const job = await asOwner.bulk.start({
      selection: { filter: { workflow_status: ["identified"] }, except: ids.slice(0, 2) },
      action: { type: "set_price", price: usd(5) },
    });
    // Made after it was asked for: not meant.
    const [late] = await stock(house, dealer, 1, () => ({ title: "Late" }));
    await runToEnd(house, handler(), job.id);
    const { progress } = await asOwner.jobs.get({ id: job.id });
    expect(progress).toMatchObject({ total: 23, done: 23, changed: 23 });
    expect(await eventsOf("card.priced")).toBe(23);
    for (const card of await cardsOf(dealer, ids.slice(2))) expect(card.version).toBe(2);
    expect(await asOwner.cards.get({ id: late ?? "" })).toMatchObject({ asking_price: null });
  });

  test("200: the same key starts one job; 422 idempotency_key_reused for another order", async () => {
    const ids = await stock(house, dealer, 2, () => ({ title: "T" }));
    const order = {
      selection: { ids },
      action: { type: "move" as const, location: "A" },
      idempotency_key: "once",
    };
    const { bulk } = dealer.asOwner;
    const jobs = await Promise.all([bulk.start(order), bulk.start(order), bulk.start(order)]);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    const other = { ...order, action: { type: "move" as const, location: "B" } };
    expect(await codeFrom(bulk.start(other))).toBe("idempotency_key_reused");
  });

  test("400 validation_failed for an action that contradicts itself", async () => {
    const ids = await stock(house, dealer, 1, () => ({ title: "T" }));
    const start = (action: unknown) =>
      codeFrom(dealer.asOwner.bulk.start({ selection: { ids }, action: action as BulkAction }));
    expect(await start({ type: "set_fields", fields: {} })).toBe("validation_failed");
    expect(await start({ type: "set_fields", fields: { sku: "X" } })).toBe("validation_failed");
    expect(await start({ type: "set_fields", fields: { tags: ["a"] }, add_tags: ["b"] })).toBe(
      "validation_failed",
    );
    expect(await start({ type: "delete" })).toBe("validation_failed");
  });
});

describe("batches", () => {
  test("200: cards are put into a batch and taken out; it is processing meanwhile, and cannot be completed", async () => {
    const ids = await stock(house, dealer, 10, () => ({ title: "T" }));
    const { asOwner } = dealer;
    const batch = await asOwner.batches.create({ name: "Harbour" });
    const job = await asOwner.bulk.start({
      selection: { ids },
      action: { type: "put_in_batch", batch_id: batch.id },
    });
    expect(job.subject_id).toBe(batch.id);
    expect((await asOwner.batches.get({ id: batch.id })).status).toBe("processing");
    expect(await codeFrom(asOwner.batches.complete({ id: batch.id, acknowledged: true }))).toBe(
      "conflict",
    );
    await runToEnd(house, handler(), job.id);
    expect(await asOwner.batches.get({ id: batch.id })).toMatchObject({
      status: "open",
      card_count: 10,
    });
    const out = await asOwner.bulk.start({
      selection: { filter: { batch: [batch.code] }, except: ids.slice(0, 3) },
      action: { type: "remove_from_batch", batch_id: batch.id },
    });
    await runToEnd(house, handler(), out.id);
    expect((await asOwner.batches.get({ id: batch.id })).card_count).toBe(3);
    await asOwner.batches.complete({ id: batch.id, acknowledged: true });
    const again = {
      selection: { ids },
      action: { type: "put_in_batch", batch_id: batch.id },
    } as const;
    expect(await codeFrom(asOwner.bulk.start(again))).toBe("batch_complete");
  });

  test("200: a job that works on a batch's cards does not keep it from being completed, nor reopens it", async () => {
    const { asOwner } = dealer;
    const batch = await asOwner.batches.create({ name: "Harbour" });
    await asOwner.cards.create({ title: "T", batch_id: batch.id });
    const job = await asOwner.bulk.start({
      selection: { filter: { batch: [batch.id] } },
      action: { type: "move", location: "A" },
    });
    expect((await asOwner.batches.get({ id: batch.id })).status).toBe("processing");
    expect((await asOwner.batches.complete({ id: batch.id, acknowledged: true })).status).toBe(
      "complete",
    );
    const ended = await runToEnd(house, handler(), job.id);
    expect(ended.progress).toMatchObject({ changed: 1 });
    expect((await asOwner.batches.get({ id: batch.id })).status).toBe("complete");
  });
});

describe("bulk.undo", () => {
  test("200: gives back what the job replaced; what changed since is skipped and named; an undo is undone", async () => {
    const ids = await stock(house, dealer, 12, (index) => ({
      title: "T",
      ...(index < 4 ? { askingPrice: usd(100 + index) } : {}),
    }));
    const { asOwner } = dealer;
    const job = await did(ids, { type: "set_price", price: usd(700) });
    expect(job.can_undo).toBe(true);
    await asOwner.cards.update({ id: ids[0] ?? "", asking_price: usd(1) });
    await asOwner.cards.update({ id: ids[1] ?? "", location: "Z" });
    const undone = await undid(job.id);
    expect(undone).toMatchObject({
      kind: "bulk.undo",
      subject_id: job.id,
      progress: { total: 12, changed: 11, skipped: 1, failed: 0 },
    });
    expect(await remarks(undone.id)).toEqual([[ids[0], "skipped", "changed_since"]]);
    const cards = await cardsOf(dealer, ids);
    expect(cards.map((card) => card.asking_price?.amount ?? null)).toEqual([
      1,
      101,
      102,
      103,
      ...Array.from({ length: 8 }, () => null),
    ]);
    // A price that is cleared takes its stage with it.
    expect(cards.at(-1)?.workflow_status).toBe("identified");
    expect(cards[1]?.location).toBe("Z");

    const again = await undid(undone.id);
    expect(again.progress).toMatchObject({ total: 11, changed: 11 });
    const prices = (await cardsOf(dealer, ids)).map((card) => card.asking_price?.amount);
    expect(prices).toEqual([1, ...Array.from({ length: 11 }, () => 700)]);
    // Priced once in a life, whatever is undone.
    expect(await eventsOf("card.priced")).toBe(12);
  });

  test("200: fields and membership come back; a move only where the rules allow it", async () => {
    const ids = await stock(house, dealer, 3, () => ({ title: "T", tags: ["a"], location: "A" }));
    const { asOwner } = dealer;
    const batch = await asOwner.batches.create({ name: "Harbour" });
    const fields = await did(ids, {
      type: "set_fields",
      fields: { grading: { grader: "PSA", grade: "9", cert_number: null, qualifier: null } },
      add_tags: ["b"],
    });
    const membership = await did(ids, { type: "put_in_batch", batch_id: batch.id });
    const archived = await did(ids, { type: "set_status", workflow_status: "archived" });
    await undid(fields.id);
    await undid(membership.id);
    await undid(archived.id);
    for (const card of await cardsOf(dealer, ids)) {
      expect(card).toMatchObject({
        tags: ["a"],
        grading: null,
        batch_id: null,
        workflow_status: "identified",
      });
    }
    expect((await asOwner.batches.get({ id: batch.id })).card_count).toBe(0);
  });

  test("409 conflict while the job works; 409 invalid_transition for a job of another kind", async () => {
    const ids = await stock(house, dealer, 2, () => ({ title: "T" }));
    const { asOwner } = dealer;
    const job = await asOwner.bulk.start({
      selection: { ids },
      action: { type: "move", location: "A" },
    });
    expect(job.can_undo).toBe(false);
    expect(await codeFrom(asOwner.bulk.undo({ id: job.id }))).toBe("conflict");
    expect((await errorFrom(asOwner.bulk.undo({ id: "job_nonsense" }))).status).toBe(404);
  });
});
