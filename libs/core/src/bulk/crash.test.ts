import type { Database } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";
import { bulkHandler } from "./bulk-handler.ts";
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
  dealer = await house.dealer(`Crash ${serial}`);
  house.clock.set(new Date());
});
afterAll(() => house.close());

const limits = { size: 5, least: 5, most: 5 };

class Death extends Error {}

/**
 * A database whose user dies at its nth transaction: with it, so that nothing of it is there, or right
 * behind its commit, so that nobody has heard of it.
 */
function mortal(db: Database, at: number, when: "before" | "after") {
  const seen = { transactions: 0 };
  const requireAlive = (): void => {
    if (seen.transactions >= at) throw new Death();
  };
  const dying: Database = {
    ...db,
    query: (...statement) => {
      requireAlive();
      return db.query(...statement);
    },
    transaction: async (work) => {
      requireAlive();
      seen.transactions += 1;
      const isLast = seen.transactions === at;
      const result = await db.transaction(async (tx) => {
        const answer = await work(tx);
        if (isLast && when === "before") throw new Death();
        return answer;
      });
      if (isLast) throw new Death();
      return result;
    },
  };
  return dying;
}

const handlerOf = (db: Database) => {
  const [first] = bulkHandlers({ db, clock: house.clock, limits });
  if (first === undefined) throw new Error("There is no bulk handler");
  return first[1];
};

/** Runs a job with a worker that dies at that point, and then with one that lives. False where it came to its end first. */
async function runWithDeath(jobId: string, at: number, when: "before" | "after") {
  const died = await runToEnd(house, handlerOf(mortal(house.db, at, when)), jobId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Death) return true;
      throw error;
    },
  );
  if (died) {
    // Nobody else has it before its lease has run out.
    house.clock.advance(31_000);
    await runToEnd(house, handlerOf(house.db), jobId);
  }
  return died;
}

async function entriesOf(jobId: string) {
  return house.db.query<{ entries: number; cards: number }>(
    "select count(*) as entries, count(distinct card_id) as cards from card_change where job_id = $1",
    [toUuid(jobId)],
  );
}

test.each(["before", "after"] as const)(
  "a worker that dies %s any commit: each card is worked on once, with its events once, and so is its undo",
  async (when) => {
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const ids = await stock(house, dealer, 12, () => ({ title: "T" }));
      const [before] = await house.db.query<{ events: number }>(
        "select count(*) as events from webhook_event where type = 'card.priced'",
      );
      const job = await dealer.asOwner.bulk.start({
        selection: { filter: { workflow_status: ["identified"], has_price: false }, except: [] },
        action: { type: "set_price", price: usd(500) },
      });
      const hasDied = await runWithDeath(job.id, at, when);
      const ended = await dealer.asOwner.jobs.get({ id: job.id });
      expect(ended).toMatchObject({
        status: "done",
        progress: { total: 12, done: 12, changed: 12, skipped: 0, failed: 0 },
      });
      expect(await entriesOf(job.id)).toEqual([{ entries: 12, cards: 12 }]);
      const [after] = await house.db.query<{ events: number }>(
        "select count(*) as events from webhook_event where type = 'card.priced'",
      );
      expect((after?.events ?? 0) - (before?.events ?? 0)).toBe(12);
      for (const card of await cardsOf(dealer, ids)) {
        expect(card).toMatchObject({ version: 2, asking_price: usd(500) });
      }
      const undo = await dealer.asOwner.bulk.undo({ id: job.id });
      await runWithDeath(undo.id, at, when);
      expect(await entriesOf(undo.id)).toEqual([{ entries: 12, cards: 12 }]);
      // They are to be none of the next round's.
      const archive = await dealer.asOwner.bulk.start({
        selection: { ids },
        action: { type: "set_status", workflow_status: "archived" },
      });
      await runToEnd(house, handlerOf(house.db), archive.id);
      if (!hasDied) break;
      deaths += 1;
    }
    // The selection, and chunks of five, five and two.
    expect(deaths).toBeGreaterThanOrEqual(4);
  },
  60_000,
);

test("a card that the database refuses is kept with its reason, and keeps no other one back", async () => {
  const ids = await stock(house, dealer, 8, () => ({ title: "T" }));
  const { id } = await dealer.asOwner.bulk.start({
    selection: { ids },
    action: { type: "move", location: "A" },
  });
  // One SKU for all of them: only the first can have it.
  const handler = bulkHandler({
    db: house.db,
    clock: house.clock,
    limits,
    workOf: () => ({
      begin: (unit) =>
        Promise.resolve((card) => {
          const command = { type: "edit", patch: { sku: "ONE" }, accountCurrency: "USD" } as const;
          return { type: "apply", outcome: decideCard(card, command, unit.stamp) };
        }),
    }),
  });
  const ended = await runToEnd(house, handler, id);
  expect(ended).toMatchObject({ status: "done", progress: { done: 8, changed: 1, failed: 7 } });
  const { data } = await dealer.asOwner.jobs.items({ id, outcome: ["failed"] });
  expect(data.map(({ card }) => card.id)).toEqual(ids.slice(1));
  expect(data[0]).toMatchObject({ code: "conflict", message: "Another card has this SKU." });
});

test("a run that has lost its lease writes nothing more", async () => {
  const ids = await stock(house, dealer, 10, () => ({ title: "T" }));
  const { id } = await dealer.asOwner.bulk.start({
    selection: { ids },
    action: { type: "move", location: "A" },
  });
  const handler = handlerOf(house.db);
  const lost = {
    ...handler,
    run: (context: Parameters<typeof handler.run>[0]) =>
      handler.run({
        ...context,
        saveProgress: () => Promise.reject(new Death("The lease of this run has been lost.")),
      }),
  };
  await expect(runChunk(house, lost, id)).rejects.toThrow(Death);
  for (const card of await cardsOf(dealer, ids)) expect(card.location).toBeNull();
});
