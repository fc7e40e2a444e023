import { attemptListInput, deliveryListInput } from "@cardvault/contract";
import { newId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listAttempts, listDeliveries, listMissing, openDatabase } from "../index.ts";
import type { Database } from "../index.ts";
import { newAccount } from "../fixtures.ts";

// A million attempts is the goal, which `npm run bench -- log` measures; this size shows the same plans.
const attemptCount = 100_000;
/** A small part of the log, which has tens of thousands. */
const mostBlocks = 2_000;
const healthy = newId("whe");
const dead = newId("whe");
let testDatabase: TestDatabase;
let db: Database;
let accountId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  accountId = await newAccount(db);
  const account = toUuid(accountId);
  const seeding = new pg.Client({ connectionString: testDatabase.url });
  await seeding.connect();
  await seeding.query(
    `insert into webhook_endpoint (id, account_id, url, secret, created_at, updated_at)
     select id, $1, 'https://receiver.example/' || id, 's', now() - interval '40 days', now() from unnest($2::uuid[]) id`,
    [account, [toUuid(healthy), toUuid(dead)]],
  );
  // One delivery an event, one attempt a delivery. Of a hundred attempts one fails; some kinds of event,
  // answers and errors are rare, and some stand only at the far end of the log.
  await seeding.query(
    `insert into webhook_event (id, account_id, type, body, created_at)
     select uuidv7(n * interval '-1 s'), $1,
       case when n % 5000 = 0 then 'batch.completed' when n % 2 = 0 then 'card.priced' else 'card.workflow_status_changed' end,
       '{}', date_trunc('milliseconds', now() - n * interval '1 s')
     from generate_series(1, ${attemptCount}) n`,
    [account],
  );
  await seeding.query(
    `insert into webhook_delivery (id, account_id, event_id, endpoint_id, status, drop_reason, next_attempt_at,
       deadline_at, created_at, finished_at, attempts, enqueued_at)
     select uuidv7(n * interval '-1 s'), $1, e.id, case when n % 100 = 0 then $3::uuid else $2::uuid end,
       s.status, case when s.status = 'dropped' then 'deadline' end,
       case when s.status = 'retrying' then e.created_at end, e.created_at + interval '2 days', e.created_at,
       case when s.status <> 'retrying' then e.created_at end, 1, e.created_at
     from (select *, row_number() over (order by created_at desc) n from webhook_event) e
     cross join lateral (select case when n % 1000 = 0 then 'dropped' when n % 100 = 0 then 'retrying' else 'delivered' end as status) s`,
    [account, toUuid(healthy), toUuid(dead)],
  );
  await seeding.query(
    `insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, error_code,
       total_ms, response_headers, response_body, event_type)
     select uuidv7(n * interval '-1 s'), $1, d.id, d.endpoint_id, 1, d.created_at,
       case when n % 100 <> 0 then 200 when n % 300 = 0 then null when n > ${attemptCount} - 300 then 418 else 503 end,
       case when n % 300 = 0 then case when n % 30000 = 0 then 'tls' else 'timeout' end end,
       12, '{}', '\\x6f6b', d.type
     from (select d.*, e.type, row_number() over (order by d.created_at desc) n
       from webhook_delivery d join webhook_event e on e.id = d.event_id) d`,
    [account],
  );
  await seeding.query("vacuum analyze");
  await seeding.end();
}, 300_000);

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

/** What a page's statements read, in blocks of 8 KiB: the same on every machine, unlike their time. */
async function blocksRead(read: (on: Database) => Promise<unknown>): Promise<number> {
  const statements: [string, readonly unknown[]][] = [];
  const recording: Database = {
    ...db,
    query: (text, values = [], name) => {
      statements.push([text, values]);
      return db.query(text, values, name);
    },
  };
  await read(recording);
  let blocks = 0;
  for (const [text, values] of statements) {
    const [row] = await db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    const plan = row?.["QUERY PLAN"][0].Plan ?? {};
    blocks += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  }
  return blocks;
}

/** The time that lies so far back in the log. */
const back = (share: number): string =>
  new Date(Date.now() - share * attemptCount * 1_000).toISOString();

describe(`a page of ${attemptCount} attempts`, () => {
  test.each<[string, object, boolean]>([
    ["all", {}, true],
    ["an endpoint", { endpoint_id: healthy }, true],
    ["another endpoint", { endpoint_id: dead }, true],
    ["a common event", { event: ["card.priced"] }, true],
    ["a rare event", { event: ["batch.completed"] }, true],
    ["an event that there is none of", { event: ["listing.sold"] }, false],
    ["delivered", { delivered: true }, true],
    ["failed", { delivered: false }, true],
    ["failed at an endpoint", { delivered: false, endpoint_id: dead }, true],
    ["failed at an endpoint that never failed", { delivered: false, endpoint_id: healthy }, false],
    ["5xx", { outcome: ["5xx"] }, true],
    ["4xx, only far back", { outcome: ["4xx"] }, true],
    ["3xx, of which there are none", { outcome: ["3xx"] }, false],
    ["no answer or 4xx", { outcome: ["no_answer", "4xx"] }, true],
    ["2xx", { outcome: ["2xx"] }, true],
    ["503", { status_code: [503] }, true],
    ["418, only far back", { status_code: [418] }, true],
    ["500, of which there are none", { status_code: [500] }, false],
    ["a rare error", { error: ["tls"] }, true],
    ["a time far back", { since: back(0.91), until: back(0.9) }, true],
    ["failed, far back", { delivered: false, since: back(0.92), until: back(0.9) }, true],
    ["a rare event at an endpoint", { event: ["batch.completed"], endpoint_id: dead }, true],
    ["a rare event that was delivered", { event: ["batch.completed"], delivered: true }, false],
    ["503 of an event", { status_code: [503], event: ["card.priced"] }, true],
  ])("%s", async (_name, filter, isFull) => {
    const query = attemptListInput.parse(filter);
    const first = await listAttempts(db, accountId, query);
    expect(first.data.length > 0).toBe(isFull);
    expect(await blocksRead((on) => listAttempts(on, accountId, query))).toBeLessThan(mostBlocks);
    if (first.next_cursor === null) return;
    const second = { ...query, cursor: first.next_cursor };
    expect(await blocksRead((on) => listAttempts(on, accountId, second))).toBeLessThan(mostBlocks);
  });
});

describe(`a page of ${attemptCount} deliveries`, () => {
  test.each<[string, object, boolean]>([
    ["all", {}, true],
    ["an endpoint", { endpoint_id: dead }, true],
    ["delivered", { status: ["delivered"] }, true],
    ["pending, of which there are none", { status: ["pending"] }, false],
    ["undelivered", { status: ["pending", "retrying"] }, true],
    ["dropped", { status: ["dropped"] }, true],
    ["cancelled, of which there are none", { status: ["cancelled"] }, false],
    ["dropped at an endpoint", { status: ["dropped"], endpoint_id: dead }, true],
    ["dropped at another", { status: ["dropped"], endpoint_id: healthy }, false],
    ["a common event", { event: ["card.priced"] }, true],
    ["a rare event", { event: ["batch.completed"] }, true],
    ["an event that there is none of", { event: ["listing.sold"] }, false],
    ["a time far back", { since: back(0.91), until: back(0.9) }, true],
  ])("%s", async (_name, filter, isFull) => {
    const query = deliveryListInput.parse(filter);
    const first = await listDeliveries(db, accountId, query);
    expect(first.data.length > 0).toBe(isFull);
    expect(await blocksRead((on) => listDeliveries(on, accountId, query))).toBeLessThan(mostBlocks);
  });
});

test("a look at what is missing is bounded, however much was delivered", async () => {
  const query = {
    accountId,
    endpointId: healthy,
    events: ["card.priced", "batch.completed"] as const,
    since: new Date(Date.now() - 2 * attemptCount * 1_000),
    limit: 50,
  };
  const page = await listMissing(db, query);
  expect(page.has_more).toBe(true);
  // It looks at 5,000 events, and at a delivery of each.
  expect(await blocksRead((on) => listMissing(on, query))).toBeLessThan(5_000);
});
