import { changeJob, enqueueJob, insertAccount, openDatabase, readJob } from "@cardvault/db";
import type { Database, JobRow } from "@cardvault/db";
import { createLogger, newId, toId, toUuid } from "@cardvault/kit";
import { createTestDatabase, ManualClock, mongoUrlForTest, waitFor } from "@cardvault/testkit";
import { MongoClient } from "mongodb";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createJobs } from "./create-jobs.ts";
import type { Jobs, JobsOptions, StoreSettings } from "./create-jobs.ts";

interface QueuedJob {
  name: string;
  data: unknown;
}

/** A look into the queue itself, by another client than ours. */
interface QueueView {
  all(): Promise<QueuedJob[]>;
  drop(): Promise<void>;
  /** Makes every job what a crash at the worst moment leaves: no next run, and no lock. */
  killAll(): Promise<void>;
}

interface Setup {
  readonly db: Database;
  readonly clock: ManualClock;
  readonly jobs: Jobs;
  readonly queue: QueueView;
  readonly accountId: string;
  readonly another: () => Jobs;
  readonly enqueue: (payload?: unknown) => Promise<string>;
  readonly job: (id: string) => Promise<JobRow>;
}

async function viewMongo(url: string): Promise<QueueView> {
  const client = await new MongoClient(url).connect();
  onTestFinished(() => client.close());
  const collection = client.db().collection("agendaJobs");
  return {
    all: async () => (await collection.find().toArray()) as unknown as QueuedJob[],
    drop: async () => {
      await collection.drop();
    },
    killAll: async () => {
      await collection.updateMany({}, { $set: { nextRunAt: null, lockedAt: null } });
    },
  };
}

function viewPostgres(url: string): QueueView {
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => undefined);
  onTestFinished(() => pool.end());
  return {
    all: async () => (await pool.query<QueuedJob>("select * from agenda.agenda_jobs")).rows,
    drop: async () => {
      await pool.query("truncate agenda.agenda_jobs");
    },
    killAll: async () => {
      await pool.query("update agenda.agenda_jobs set next_run_at = null, locked_at = null");
    },
  };
}

async function setUp(
  kind: "mongodb" | "postgres",
  options: Partial<JobsOptions> = {},
): Promise<Setup> {
  const database = await createTestDatabase();
  const logger = createLogger({ name: "test", level: "silent" });
  const db = await openDatabase({ url: database.url, poolSize: 5, logger });
  onTestFinished(async () => {
    await db.close();
    await database.drop();
  });
  const clock = new ManualClock();
  const url = kind === "postgres" ? database.url : await mongoUrlForTest();
  const store: StoreSettings = { kind, url };
  const another = (): Jobs => {
    const jobs = createJobs({
      db,
      clock,
      logger,
      store,
      processEveryMs: 20,
      relayEveryMs: 50,
      reconcile: { everyMs: 3_600_000, enqueuedMs: 0, overdueMs: 0 },
      ...options,
    });
    onTestFinished(() => jobs.stop());
    return jobs;
  };
  const accountId = newId("acc");
  const account = { id: accountId, name: "Shop", currency: "USD", liveAccountId: null } as const;
  await insertAccount(db, { ...account, environment: "live", createdAt: clock.now() });
  return {
    db,
    clock,
    jobs: another(),
    another,
    queue: kind === "mongodb" ? await viewMongo(url) : viewPostgres(url),
    accountId,
    enqueue: (payload = {}) =>
      db.transaction((tx) => enqueueJob(tx, { kind: "count", accountId, payload }, clock.now())),
    job: async (id) => {
      const row = await readJob(db, id);
      if (row === undefined) throw new Error("There is no such job.");
      return row;
    },
  };
}

describe.each(["mongodb", "postgres"] as const)("with the queue in %s", (kind) => {
  test("the queue holds the id of the work and nothing else, and once however often it is relayed", async () => {
    const { jobs, queue, enqueue, db } = await setUp(kind);
    const id = await enqueue({ private: "payload" });
    expect(await jobs.relayOnce()).toBe(1);
    // As after a crash between the queue's answer and the mark.
    await db.query("update job set enqueued_at = null");
    expect(await jobs.relayOnce()).toBe(1);
    expect(await queue.all()).toMatchObject([{ name: "job", data: { jobId: id } }]);
    expect(Object.keys((await queue.all())[0]?.data as object)).toEqual(["jobId"]);
    expect(await jobs.relayOnce()).toBe(0);
    const status = await jobs.status();
    expect(status.lanes.find(({ lane }) => lane === "job")?.jobs).toBe(1);
    expect(status.work.find(({ source }) => source === "job")).toMatchObject({
      due: 1,
      unrelayed: 0,
    });
  });

  test("two relays at once enqueue each row once", async () => {
    const { jobs, another, queue, enqueue } = await setUp(kind);
    for (let count = 0; count < 40; count += 1) await enqueue();
    const relayed = await Promise.all([jobs.relayOnce(), another().relayOnce()]);
    expect(relayed[0] + relayed[1]).toBe(40);
    expect(await queue.all()).toHaveLength(40);
  });

  test("what works on a row that is gone is forgotten, and nothing else", async () => {
    const { jobs, queue, enqueue, db } = await setUp(kind);
    const [kept, lost] = [await enqueue(), await enqueue()];
    await jobs.relayOnce();
    await db.query("delete from job where id = $1", [toUuid(lost)]);
    expect(await jobs.forgetLost()).toBe(1);
    expect(await queue.all()).toMatchObject([{ data: { jobId: kept } }]);
    expect(await jobs.forgetLost()).toBe(0);
  });

  test("chunk after chunk runs until it is done, with its progress, and leaves the queue empty", async () => {
    const { jobs, queue, enqueue, job, db } = await setUp(kind);
    jobs.register("count", {
      run: async ({ job: { progress }, saveProgress }) => {
        const done = ((progress as { done?: number }).done ?? 0) + 1;
        await db.transaction((tx) => saveProgress(tx, { done }));
        return done === 3 ? { type: "done", progress: { done } } : { type: "chunk" };
      },
    });
    await jobs.start();
    const id = await enqueue();
    await waitFor(async () => (await job(id)).status === "done");
    expect((await job(id)).progress).toEqual({ done: 3 });
    await waitFor(async () => (await queue.all()).length === 0);
  });

  test.each(["drop", "killAll"] as const)(
    "a queue that lost its jobs (%s) is filled again, and nothing is lost",
    async (loss) => {
      const { jobs, queue, enqueue, job, clock } = await setUp(kind);
      jobs.register("count", { run: () => Promise.resolve({ type: "done" }) });
      const ids = [await enqueue(), await enqueue(), await enqueue()];
      await jobs.relayOnce();
      await queue[loss]();
      await jobs.start();
      // Relayed already, so the relay never looks at them again: this is the reconciler's.
      expect(await jobs.relayOnce()).toBe(0);
      clock.advance(1);
      expect(await jobs.reconcileOnce()).toBe(3);
      for (const id of ids) await waitFor(async () => (await job(id)).status === "done");
      clock.advance(60_000);
      expect(await jobs.reconcileOnce()).toBe(0);
    },
  );

  test("a job that throws is run again, and after ten claims without progress it has failed, visibly", async () => {
    const { jobs, enqueue, job, clock, db } = await setUp(kind);
    let runs = 0;
    jobs.register("count", {
      run: () => {
        runs += 1;
        throw new Error("always");
      },
    });
    await jobs.start();
    const id = await enqueue();
    // Not waiting for the five seconds: as if the queue had lost it and it was made again. On a slow
    // machine those seconds pass by themselves, so nothing here counts the runs in between.
    await waitFor(
      async () => {
        const { status, leaseUntil } = await job(id);
        if (status === "failed") return true;
        if (leaseUntil === null) {
          await db.query("update job set enqueued_at = null");
          clock.advance(5_000);
          await jobs.relayOnce();
        }
        return false;
      },
      { deadlineMs: 15_000, everyMs: 50 },
    );
    expect(await job(id)).toMatchObject({ status: "failed", error: { code: "no_progress" } });
    expect(runs).toBe(10);
  });

  test("cancelling acts between chunks, and what was committed stays", async () => {
    const { jobs, enqueue, job, clock, db, accountId } = await setUp(kind);
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    jobs.register("count", {
      run: async ({ saveProgress }) => {
        await db.transaction((tx) => saveProgress(tx, { done: 1 }));
        entered.resolve();
        await leave.promise;
        return { type: "chunk" };
      },
    });
    await jobs.start();
    const id = await enqueue();
    await entered.promise;
    const cancel = { jobId: id, accountId, command: { type: "cancel" }, now: clock.now() } as const;
    expect((await db.transaction((tx) => changeJob(tx, cancel))).status).toBe("running");
    leave.resolve();
    await waitFor(async () => (await job(id)).status === "cancelled");
    expect((await job(id)).progress).toEqual({ done: 1 });
  });

  test("a suspended account's job stands still where its kind says so", async () => {
    const { jobs, enqueue, job, db, clock, accountId, queue } = await setUp(kind);
    let runs = 0;
    jobs.register("count", {
      pausesWhenSuspended: true,
      run: () => {
        runs += 1;
        return Promise.resolve({ type: "done" });
      },
    });
    await db.query("update account set suspended_at = now() where id = $1", [toUuid(accountId)]);
    await jobs.start();
    const id = await enqueue();
    await waitFor(async () => (await job(id)).status === "paused");
    await waitFor(async () => (await queue.all()).length === 0);
    expect(runs).toBe(0);
    const resume = {
      jobId: id,
      command: { type: "resume", by: "suspension" },
      now: clock.now(),
    } as const;
    await db.query("update account set suspended_at = null");
    await db.transaction((tx) => changeJob(tx, resume));
    await waitFor(async () => (await job(id)).status === "done");
    expect(runs).toBe(1);
  });
});

async function addEndpoint({ db, accountId, clock }: Setup): Promise<string> {
  const [endpoint] = await db.query<{ id: string }>(
    `insert into webhook_endpoint (id, account_id, url, secret, created_at, updated_at)
     values (uuidv7(), $1, 'https://receiver.example', 'sealed', $2, $2) returning id`,
    [toUuid(accountId), clock.now()],
  );
  return endpoint?.id ?? "";
}

async function addDeliveries(
  { db, accountId, clock }: Setup,
  endpointUuid: string,
  count: number,
  attempts = 0,
): Promise<void> {
  await db.query(
    `with event as (insert into webhook_event (id, account_id, type, body, created_at)
       select uuidv7(), $1, 'card.priced', '{}', $2 from generate_series(1, $4::int) returning id)
     insert into webhook_delivery (account_id, event_id, endpoint_id, next_attempt_at, deadline_at, created_at, attempts)
     select $1, id, $3, $2, $2::timestamptz + interval '48 hours', $2, $5 from event`,
    [toUuid(accountId), clock.now(), endpointUuid, count, attempts],
  );
}

const open = "status in ('pending', 'retrying')";

test("deliveries go by the lane of their endpoint, and to their own one when they are late", async () => {
  const setup = await setUp("postgres");
  const { jobs, queue, db } = setup;
  const endpoints = await Promise.all([1, 2, 3, 4, 5, 6].map(() => addEndpoint(setup)));
  for (const endpoint of endpoints) await addDeliveries(setup, endpoint, 10);
  const [first = ""] = endpoints;
  await addDeliveries(setup, first, 5, 5);
  expect(await jobs.relayOnce()).toBe(65);
  const queued = await queue.all();
  expect(queued.filter(({ name }) => name === "delivery-late")).toHaveLength(5);
  for (const shard of [0, 1, 2, 3]) {
    const there = endpoints.filter((id) => Number.parseInt(id.slice(-6), 16) % 4 === shard);
    const jobsThere = queued.filter(({ name }) => name === `delivery-${shard}`);
    expect(jobsThere).toHaveLength(there.length * 10);
  }
  const ids = await db.query<{ id: string }>("select id from webhook_delivery");
  const named = new Set(queued.map(({ data }) => (data as { deliveryId: string }).deliveryId));
  expect(ids.every(({ id }) => named.has(toId("dlv", id)))).toBe(true);
});

test("of a flood at one endpoint fifty are in the queue; the next follow, and others do not wait", async () => {
  const setup = await setUp("postgres");
  const { jobs, db } = setup;
  const [flooded, quiet] = [await addEndpoint(setup), await addEndpoint(setup)];
  await addDeliveries(setup, flooded, 550);
  expect(await jobs.relayOnce()).toBe(50);
  await addDeliveries(setup, quiet, 3);
  expect(await jobs.relayOnce()).toBe(3);
  let rounds = 0;
  for (; rounds < 30; rounds += 1) {
    await db.query(
      `update webhook_delivery set status = 'delivered', finished_at = now(), next_attempt_at = null where enqueued_at is not null and ${open}`,
    );
    const relayed = await jobs.relayOnce();
    expect(relayed).toBeLessThanOrEqual(50);
    if (relayed === 0) break;
  }
  expect(rounds).toBe(10);
  expect(await db.query(`select 1 from webhook_delivery where ${open}`)).toHaveLength(0);
});

test("an account with many flooded endpoints has few of each in the queue", async () => {
  const setup = await setUp("postgres");
  const endpoints = await Promise.all(Array.from({ length: 10 }, () => addEndpoint(setup)));
  for (const endpoint of endpoints) await addDeliveries(setup, endpoint, 60);
  expect(await setup.jobs.relayOnce()).toBe(150);
});

test("of an endpoint whose breaker is open nothing goes into the queue before it is time to probe", async () => {
  const setup = await setUp("postgres");
  const { jobs, db, clock } = setup;
  const endpoint = await addEndpoint(setup);
  await addDeliveries(setup, endpoint, 300);
  await db.query(
    "insert into webhook_endpoint_health (endpoint_id, phase, failures, probe_at) values ($1, 'open', 10, $2)",
    [endpoint, new Date(clock.now().getTime() + 5_000)],
  );
  expect(await jobs.relayOnce()).toBe(0);
  clock.advance(5_000);
  expect(await jobs.relayOnce()).toBe(2);
  await db.query("update webhook_endpoint_health set phase = 'closed', probe_at = null");
  expect(await jobs.relayOnce()).toBe(48);
});

test("a retry that stands outside the queue is there before it is due", async () => {
  const setup = await setUp("postgres");
  const { jobs, clock } = setup;
  const endpoint = await addEndpoint(setup);
  clock.advance(60_000);
  await addDeliveries(setup, endpoint, 1);
  clock.set(new Date(clock.now().getTime() - 60_000));
  expect(await jobs.relayOnce()).toBe(0);
  clock.advance(59_950);
  expect(await jobs.relayOnce()).toBe(1);
});
