import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  appRouter,
  createCallerFactory,
  createServices,
  operatorAccess,
  restoreAccount,
  suspendAccount,
} from "@cardvault/core";
import { newId, systemClock, toId, toUuid } from "@cardvault/kit";
import { waitFor } from "@cardvault/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { createInstallation, silent, spawnWorker } from "./fixtures.ts";
import type { Installation, WorkerProcess } from "./fixtures.ts";

const createCaller = createCallerFactory(appRouter);
const cardCount = 600;

/** An installation whose account has cards without a price, and the account's owner. */
async function setUp(kind: "mongodb" | "postgres") {
  const installation = await createInstallation(kind);
  onTestFinished(() => installation.remove());
  const { db, config } = installation;
  const photoFolder = await mkdtemp(join(tmpdir(), "cardvault-bulk-"));
  onTestFinished(() => rm(photoFolder, { recursive: true, force: true }));
  const services = await createServices({
    db,
    databaseUrl: config.databaseUrl,
    clock: systemClock,
    logger: silent,
    encryptionKeys: config.encryptionKeys,
    config: {
      publicUrl: config.publicUrl,
      photoFolder,
      isPlainHttp: true,
      allowsLoopbackReceivers: true,
    },
  });
  onTestFinished(() => services.close());
  const [account] = await db.query<{ id: string }>("select id from account");
  const accountId = toId("acc", account?.id ?? "");
  await db.query(
    `insert into card (id, account_id, status, workflow_status, title, created_at, updated_at)
     select uuidv7(), $1, 'identified', 'identified', 'T ' || n, now(), now() from generate_series(1, $2::int) n`,
    [toUuid(accountId), cardCount],
  );
  const owner = createCaller({
    services,
    requestId: newId("req"),
    principal: {
      kind: "session",
      userId: "owner",
      userName: "Owner",
      userEmail: "owner@example.com",
      accountId,
      environment: "test",
      currency: "USD",
      role: "owner",
      isOperator: false,
      isSuspended: false,
    },
  });
  return { installation, accountId, owner, services };
}

async function work(installation: Installation): Promise<WorkerProcess> {
  const worker = await spawnWorker(installation.config);
  onTestFinished(() => worker.kill());
  return worker;
}

describe.each(["mongodb", "postgres"] as const)("with the queue in %s", (kind) => {
  test("workers are killed in the middle of a job, again and again: each card is priced once, with its events once", async () => {
    const { installation, owner } = await setUp(kind);
    const { db } = installation;
    let worker = await work(installation);
    const { id } = await owner.bulk.start({
      selection: { filter: { workflow_status: ["identified"] }, except: [] },
      action: { type: "set_price", price: { amount: 500, currency: "USD" } },
    });
    const job = () => owner.jobs.get({ id });
    let kills = 0;
    for (const done of [1, 120, 320]) {
      await waitFor(
        async () => {
          const { progress, finished_at } = await job();
          return finished_at !== null || progress.done >= done;
        },
        { deadlineMs: 60_000 },
      );
      if ((await job()).finished_at !== null) break;
      await worker.kill();
      kills += 1;
      worker = await work(installation);
    }
    await waitFor(async () => (await job()).finished_at !== null, { deadlineMs: 60_000 });
    expect(kills).toBeGreaterThan(0);
    expect(await job()).toMatchObject({
      status: "done",
      progress: { total: cardCount, done: cardCount, changed: cardCount, failed: 0 },
    });
    const [entries] = await db.query(
      `select count(*) as entries, count(distinct card_id) as cards, max(version) as version
       from card_change where job_id = $1`,
      [toUuid(id)],
    );
    expect(entries).toEqual({ entries: cardCount, cards: cardCount, version: 2 });
    const events = await db.query(
      `select type, count(*) as events, count(distinct subject_id) as cards from webhook_event
       group by 1 order by 1`,
    );
    expect(events).toEqual(
      ["card.priced", "card.workflow_status_changed"].map((type) => ({
        type,
        events: cardCount,
        cards: cardCount,
      })),
    );
  }, 240_000);

  test("a suspended account's job stands still, and goes on once the account is restored", async () => {
    const { installation, accountId, owner, services } = await setUp(kind);
    const access = await operatorAccess(services.db, accountId, "operator");
    const { id } = await owner.bulk.start({
      selection: { filter: {}, except: [] },
      action: { type: "move", location: "A" },
    });
    await suspendAccount(services, access, "Unpaid");
    await work(installation);
    await waitFor(async () => (await owner.jobs.get({ id })).status === "paused");
    expect((await owner.jobs.get({ id })).progress.done).toBe(0);
    // By hand it is not started: it is the suspension that holds it.
    expect(await owner.jobs.pause({ id })).toMatchObject({ status: "paused" });
    expect(await owner.jobs.resume({ id })).toMatchObject({ status: "paused" });
    await restoreAccount(services, access);
    await waitFor(async () => (await owner.jobs.get({ id })).status === "done", {
      deadlineMs: 60_000,
    });
    expect((await owner.jobs.get({ id })).progress.changed).toBe(cardCount);
  }, 120_000);
});

test("a batch is processing while a job puts cards into it, and open once that has ended", async () => {
  const { installation, owner } = await setUp("postgres");
  const batch = await owner.batches.create({ name: "Harbour" });
  const { id } = await owner.bulk.start({
    selection: { filter: {}, except: [] },
    action: { type: "put_in_batch", batch_id: batch.id },
  });
  expect((await owner.batches.get({ id: batch.id })).status).toBe("processing");
  await work(installation);
  await waitFor(async () => (await owner.jobs.get({ id })).status === "done", {
    deadlineMs: 60_000,
  });
  await waitFor(async () => (await owner.batches.get({ id: batch.id })).status === "open");
  expect((await owner.batches.get({ id: batch.id })).card_count).toBe(cardCount);
}, 120_000);
