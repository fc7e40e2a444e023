import type { Job } from "@cardvault/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { suspendAccount } from "../accounts/suspend-account.ts";
import { operatorAccess } from "../accounts/operator-access.ts";
import type { Dealer } from "../test-house.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";
import { providerHandlers } from "./bulk/handlers.ts";
import { openSandbox } from "./test-sandbox.ts";
import type { Sandbox } from "./test-sandbox.ts";

let sandbox: Sandbox;
let dealer: Dealer;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
let serial = 0;
beforeEach(async () => {
  serial += 1;
  dealer = await sandbox.house.dealer(`Bulk ${serial}`, { environment: "test" });
});
afterEach(() => sandbox.clearFaults());

function handlerOf(kind: string) {
  const handler = new Map(providerHandlers(sandbox.house.services)).get(kind);
  if (handler === undefined) throw new Error(`Nobody runs ${kind}`);
  return handler;
}
const start = (ids: string[], type: "identify" | "lookup_prices"): Promise<Job> =>
  dealer.asOwner.bulk.start({ selection: { ids }, action: { type } });
const toEnd = async (job: Job): Promise<Job> => {
  await runToEnd(sandbox.house, handlerOf(job.kind), job.id);
  return dealer.asOwner.jobs.get({ id: job.id });
};
async function marks(job: Job) {
  const { data } = await dealer.asOwner.jobs.items({ id: job.id, limit: 200 });
  return new Map(data.map(({ card, outcome, code }) => [card.id, [outcome, code]]));
}
const statusOf = async (id: string) => (await dealer.asOwner.cards.get({ id })).status;

describe("identification of many cards", () => {
  test("each card comes to its own end, and the job says which", async () => {
    const cards = {
      applied: await sandbox.card(dealer, "applied"),
      model: await sandbox.card(dealer, "generative_only", { cardId: "EMC-20" }),
      review: await sandbox.card(dealer, "low_confidence", { cardId: "EMC-21" }),
      failed: await sandbox.card(dealer, "both_failed", { cardId: "EMC-22" }),
      known: await dealer.asOwner.cards.create({ title: "By hand" }),
      blank: await dealer.asOwner.cards.create({}),
    };
    const ids = Object.values(cards).map(({ id }) => id);
    sandbox.requests.length = 0;
    const job = await toEnd(await start(ids, "identify"));
    expect(job).toMatchObject({
      kind: "bulk.identify",
      status: "done",
      progress: { total: 6, done: 6, changed: 2, skipped: 2, failed: 2, waiting: null },
    });
    const found = await marks(job);
    expect(found.get(cards.applied.id)).toEqual(["changed", null]);
    expect(found.get(cards.model.id)).toEqual(["changed", null]);
    expect(found.get(cards.review.id)).toEqual(["skipped", "low_confidence"]);
    expect(found.get(cards.failed.id)).toEqual(["failed", "identification_failed"]);
    expect(found.get(cards.known.id)).toEqual(["skipped", "already_identified"]);
    expect(found.get(cards.blank.id)).toEqual(["failed", "photo_unavailable"]);
    expect(sandbox.requests.filter(({ protocol }) => protocol === "cardsight")).toHaveLength(4);
    const { data } = await dealer.asOwner.identifications.list({ card_id: cards.applied.id });
    expect(data).toMatchObject([{ status: "applied", job_id: job.id }]);
  });

  test("its undo makes the identified cards imported again", async () => {
    const card = await sandbox.card(dealer, "applied");
    const job = await toEnd(await start([card.id], "identify"));
    expect(await statusOf(card.id)).toBe("identified");
    const undo = await dealer.asOwner.bulk.undo({ id: job.id });
    const handler = new Map(bulkHandlers(sandbox.house.services)).get(undo.kind);
    if (handler === undefined) throw new Error("Nobody undoes");
    await runToEnd(sandbox.house, handler, undo.id);
    expect(await dealer.asOwner.cards.get({ id: card.id })).toMatchObject({
      status: "imported",
      title: null,
    });
  });

  test("providers that are away cost no card: the job waits, says so, and goes on", async () => {
    const cards = [
      await sandbox.card(dealer, "applied", { cardId: "EMC-30" }),
      await sandbox.card(dealer, "applied", { cardId: "EMC-31" }),
    ];
    const ids = cards.map(({ id }) => id);
    for (const protocol of ["cardsight", "google"]) {
      await sandbox.fault(dealer, protocol, "unauthorized");
    }
    const { id } = await start(ids, "identify");
    await runChunk(sandbox.house, handlerOf("bulk.identify"), id);
    const waiting = await dealer.asOwner.jobs.get({ id });
    expect(waiting).toMatchObject({
      status: "running",
      progress: { total: 2, done: 0, failed: 0, waiting: { code: "provider_unavailable" } },
    });
    const until = Date.parse(waiting.progress.waiting?.until ?? "");
    expect(until - sandbox.house.clock.now().getTime()).toBe(15_000);
    for (const cardId of ids) {
      expect(await dealer.asOwner.cards.get({ id: cardId })).toMatchObject({
        needs_review: false,
        version: cards.find((one) => one.id === cardId)?.version,
      });
    }
    expect((await dealer.asOwner.events.list({ event: ["identify.failed"] })).data).toEqual([]);
    await runChunk(sandbox.house, handlerOf("bulk.identify"), id);
    const longer = (await dealer.asOwner.jobs.get({ id })).progress.waiting?.until ?? "";
    expect(Date.parse(longer) - sandbox.house.clock.now().getTime()).toBe(30_000);
    await sandbox.clearFaults();
    await runToEnd(sandbox.house, handlerOf("bulk.identify"), id);
    expect(await dealer.asOwner.jobs.get({ id })).toMatchObject({
      status: "done",
      progress: { done: 2, changed: 2, failed: 0, waiting: null },
    });
  });

  test("a run that dies in the middle leaves no card done twice", async () => {
    const cards = [];
    for (let index = 0; index < 6; index += 1) {
      cards.push(await sandbox.card(dealer, "applied", { cardId: `EMC-${40 + index}` }));
    }
    const { id } = await start(
      cards.map((card) => card.id),
      "identify",
    );
    const handler = handlerOf("bulk.identify");
    // The third card's commit is the last: what a killed worker has written.
    let commits = 0;
    const dying = {
      ...handler,
      run: (context: Parameters<typeof handler.run>[0]) =>
        handler.run({
          ...context,
          saveProgress: async (tx, progress) => {
            commits += 1;
            if (commits > 3 && commits <= 20) throw new Error("The process dies here");
            await context.saveProgress(tx, progress);
          },
        }),
    };
    await expect(runChunk(sandbox.house, dying, id)).rejects.toThrow("dies here");
    sandbox.house.clock.advance(120_000);
    await runToEnd(sandbox.house, handler, id);
    expect(await dealer.asOwner.jobs.get({ id })).toMatchObject({
      status: "done",
      progress: { done: 6, changed: 6, failed: 0 },
    });
    const { data } = await dealer.asOwner.events.list({ event: ["card.identified"], limit: 200 });
    expect(data).toHaveLength(6);
  });

  test("a suspended account's job stops before the next card", async () => {
    const card = await sandbox.card(dealer, "applied", { cardId: "EMC-60" });
    const { id } = await start([card.id], "identify");
    const { house } = sandbox;
    const operator = await operatorAccess(house.db, dealer.account.id, "operator");
    await suspendAccount(house.services, operator, "Unpaid");
    sandbox.requests.length = 0;
    const job = await runChunk(house, handlerOf("bulk.identify"), id);
    expect(job.finishedAt).toBeNull();
    expect(sandbox.requests).toEqual([]);
  });
});

describe("prices of many cards", () => {
  test("each card gets its market price, and one of which nothing is known is skipped", async () => {
    const card = await sandbox.card(dealer, "applied");
    await dealer.asOwner.identifications.identify({ card_id: card.id });
    const blank = await dealer.asOwner.cards.create({});
    const job = await toEnd(await start([card.id, blank.id], "lookup_prices"));
    expect(job).toMatchObject({ status: "done", progress: { done: 2, failed: 0 } });
    expect((await marks(job)).get(blank.id)).toEqual(["skipped", "not_identified"]);
    const { market_price: price, asking_price: asking } = await dealer.asOwner.cards.get({
      id: card.id,
    });
    expect(price).toMatchObject({ currency: "USD" });
    expect(asking).toBeNull();
    const { data } = await dealer.asOwner.prices.history({ card_id: card.id });
    expect(data.length).toBeGreaterThan(0);
  });

  test("sources that are away cost no card", async () => {
    const card = await sandbox.card(dealer, "applied");
    await dealer.asOwner.identifications.identify({ card_id: card.id });
    for (const protocol of ["cardsight", "pricecharting", "ebay"]) {
      await sandbox.fault(dealer, protocol, "unauthorized");
    }
    const { id } = await start([card.id], "lookup_prices");
    await runChunk(sandbox.house, handlerOf("bulk.lookup_prices"), id);
    expect((await dealer.asOwner.jobs.get({ id })).progress).toMatchObject({
      done: 0,
      waiting: { code: "provider_unavailable" },
    });
  });
});
