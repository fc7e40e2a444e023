import type { CardChange } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { waitFor } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createHousekeeping } from "../work/housekeeping.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";
import { bulkHandler } from "./bulk-handler.ts";
import { actionWork } from "./card-actions.ts";
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
  dealer = await house.dealer(`Together ${serial}`);
  house.clock.set(new Date());
});
afterAll(() => house.close());

/** The real handler, whose nth chunk waits in the middle of its change until it is let go. */
function gated(chunk: number, size: number) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let chunks = 0;
  const handler = bulkHandler({
    ...house.services,
    limits: { size, least: size, most: size },
    workOf: (_, { work }) => {
      if (work.type !== "move" && work.type !== "set_price" && work.type !== "put_in_batch") {
        throw new Error("Not of this test");
      }
      const inner = actionWork(work);
      return {
        begin: async (unit, ids, prepared) => {
          chunks += 1;
          if (chunks === chunk) {
            reached.resolve();
            await gate.promise;
          }
          return inner.begin(unit, ids, prepared);
        },
      };
    },
  });
  return { handler, reached: reached.promise, letGo: gate.resolve };
}

const plain = (size = 7) => gated(0, size).handler;

/** The stamps of a job's chunks, in their order. */
async function stampsOf(jobId: string): Promise<string[]> {
  const rows = await house.db.query<{ at: Date }>(
    "select distinct changed_at as at from card_change where job_id = $1 order by 1",
    [toUuid(jobId)],
  );
  return rows.map(({ at }) => at.toISOString());
}

async function waiters(): Promise<number> {
  const rows = await house.db.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

const start = (ids: string[], location = "B") =>
  dealer.asOwner.bulk.start({ selection: { ids }, action: { type: "move", location } });

describe("a bulk job and others", () => {
  test("a writer that comes during a chunk is served before the next one", async () => {
    const ids = await stock(house, dealer, 20, () => ({ title: "T" }));
    const other = await dealer.asOwner.cards.create({ title: "Other" });
    const job = await start(ids);
    const { handler, reached, letGo } = gated(2, 5);
    const running = runToEnd(house, handler, job.id);
    await reached;
    const writing = dealer.asOwner.cards.update({ id: other.id, location: "now" });
    await waitFor(async () => (await waiters()) > 0);
    letGo();
    const [{ updated_at }] = await Promise.all([writing, running]);
    const [, second = "", third = ""] = await stampsOf(job.id);
    expect(updated_at > second).toBe(true);
    expect(updated_at < third).toBe(true);
  });

  test("two jobs and ten writers at once: all end, and no update is lost", async () => {
    const ids = await stock(house, dealer, 60, () => ({ title: "T" }));
    const moving = await start(ids);
    const pricing = await dealer.asOwner.bulk.start({
      selection: { ids },
      action: { type: "set_price", price: usd(500) },
    });
    const writer = async (number: number): Promise<void> => {
      for (let index = 0; index < 12; index += 1) {
        const id = ids[(number * 7 + index * 11) % ids.length] ?? "";
        await dealer.asOwner.cards.update({ id, notes: `${number} ${index}` });
      }
    };
    await Promise.all([
      runToEnd(house, plain(), moving.id),
      runToEnd(house, plain(), pricing.id),
      ...Array.from({ length: 10 }, (_, number) => writer(number)),
    ]);
    for (const id of [moving.id, pricing.id]) {
      expect(await dealer.asOwner.jobs.get({ id })).toMatchObject({
        status: "done",
        progress: { total: 60, changed: 60 },
      });
    }
    let edits = 0;
    for (const card of await cardsOf(dealer, ids)) {
      expect(card).toMatchObject({ location: "B", asking_price: usd(500) });
      const { data } = await dealer.asOwner.cards.history({ id: card.id, limit: 200 });
      edits += data.filter(({ via }) => via === "web").length - 1;
      expect(card.version).toBe(data.length);
      expectChain(data);
    }
    expect(edits).toBe(120);
  }, 60_000);
});

/** Each change began with what the one before it had left. */
function expectChain(latestFirst: readonly CardChange[]): void {
  const values = new Map<string, unknown>();
  for (const { changes } of latestFirst.toReversed()) {
    for (const { field, from, to } of changes) {
      if (values.has(field)) expect(from).toEqual(values.get(field));
      values.set(field, to);
    }
  }
}

describe("asked for by hand", () => {
  test("a pause acts after the chunk, and the job goes on where it stopped", async () => {
    const ids = await stock(house, dealer, 20, () => ({ title: "T" }));
    const job = await start(ids);
    const { handler, reached, letGo } = gated(2, 5);
    const running = runChunk(house, handler, job.id).catch(() => undefined);
    await reached;
    expect(await dealer.asOwner.jobs.pause({ id: job.id })).toMatchObject({ status: "paused" });
    letGo();
    await running;
    const paused = await dealer.asOwner.jobs.get({ id: job.id });
    expect(paused).toMatchObject({ status: "paused", progress: { total: 20, done: 10 } });
    expect((await runToEnd(house, plain(), job.id).catch(() => null)) ?? null).toBeNull();
    await dealer.asOwner.jobs.resume({ id: job.id });
    await runToEnd(house, plain(), job.id);
    const done = await dealer.asOwner.jobs.get({ id: job.id });
    expect(done).toMatchObject({ status: "done", progress: { done: 20, changed: 20 } });
    for (const card of await cardsOf(dealer, ids)) expect(card.version).toBe(2);
  });

  test("a cancellation keeps what was committed, which can be undone", async () => {
    const ids = await stock(house, dealer, 20, () => ({ title: "T" }));
    const job = await start(ids);
    const { handler, reached, letGo } = gated(2, 5);
    const running = runChunk(house, handler, job.id).catch(() => undefined);
    await reached;
    const asked = await dealer.asOwner.jobs.cancel({ id: job.id });
    expect(asked).toMatchObject({ status: "running", is_cancelling: true });
    letGo();
    await running;
    const cancelled = await dealer.asOwner.jobs.get({ id: job.id });
    expect(cancelled).toMatchObject({ status: "cancelled", progress: { done: 10, changed: 10 } });
    const moved = (await cardsOf(dealer, ids)).filter(({ location }) => location === "B");
    expect(moved).toHaveLength(10);
    const undo = await dealer.asOwner.bulk.undo({ id: job.id });
    const [undoing] = bulkHandlers(house.services);
    if (undoing === undefined) throw new Error("There is no bulk handler");
    await runToEnd(house, undoing[1], undo.id);
    for (const card of await cardsOf(dealer, ids)) expect(card.location).toBeNull();
  });

  test("a job that failed is tried again, and goes on where it stopped", async () => {
    const ids = await stock(house, dealer, 20, () => ({ title: "T" }));
    const { id } = await start(ids);
    const { handler, reached, letGo } = gated(2, 5);
    const running = runChunk(house, handler, id).catch(() => undefined);
    await reached;
    await dealer.asOwner.jobs.pause({ id });
    letGo();
    await running;
    // As a job ends that kills whoever runs it.
    await house.db.query(
      `update job set status = 'failed', paused_by_hand = false, finished_at = now(),
         error = '{"code": "no_progress", "message": "The job failed."}' where id = $1`,
      [toUuid(id)],
    );
    expect(await dealer.asOwner.jobs.retry({ id })).toMatchObject({
      status: "queued",
      error: null,
    });
    await runToEnd(house, plain(), id);
    const done = await dealer.asOwner.jobs.get({ id });
    expect(done).toMatchObject({ status: "done", progress: { done: 20, changed: 20 } });
    for (const card of await cardsOf(dealer, ids)) expect(card.version).toBe(2);
  });

  test("a batch whose job ended when its worker died is opened by housekeeping", async () => {
    const ids = await stock(house, dealer, 2, () => ({ title: "T" }));
    const batch = await dealer.asOwner.batches.create({ name: "Harbour" });
    const { id } = await dealer.asOwner.bulk.start({
      selection: { ids },
      action: { type: "put_in_batch", batch_id: batch.id },
    });
    const silent = { ...plain(), ended: undefined };
    await runToEnd(house, silent, id);
    expect((await dealer.asOwner.batches.get({ id: batch.id })).status).toBe("processing");
    const housekeeping = createHousekeeping({ ...house.services, sendsMail: false });
    await housekeeping.once();
    expect((await dealer.asOwner.batches.get({ id: batch.id })).status).toBe("open");
  });

  test("a batch is open again after its job was cancelled before it began", async () => {
    const ids = await stock(house, dealer, 2, () => ({ title: "T" }));
    const batch = await dealer.asOwner.batches.create({ name: "Harbour" });
    const job = await dealer.asOwner.bulk.start({
      selection: { ids },
      action: { type: "put_in_batch", batch_id: batch.id },
    });
    expect(await dealer.asOwner.jobs.cancel({ id: job.id })).toMatchObject({ status: "cancelled" });
    expect((await dealer.asOwner.batches.get({ id: batch.id })).status).toBe("open");
  });
});
