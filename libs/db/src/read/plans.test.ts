import { batchSorts, cardListQuery, cardSorts, listingSorts } from "@cardvault/contract";
import { newId, toId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  getCard,
  listBatches,
  listCards,
  listDropped,
  listEvents,
  listListings,
  openDatabase,
} from "../index.ts";
import type { Database, Queryable } from "../index.ts";
import { newAccount, photoUrl } from "../fixtures.ts";

const cardCount = 100_000;
let testDatabase: TestDatabase;
let db: Database;
let accountId: string;
let batchId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  accountId = await newAccount(db);
  const account = toUuid(accountId);
  // A connection without our time limits: a hundred thousand rows are no request.
  const seeding = new pg.Client({ connectionString: testDatabase.url });
  await seeding.connect();
  await seeding.query(
    `insert into batch (id, account_id, code, name, status, created_at, updated_at)
     select uuidv7(), $1, 'B' || n, 'Batch ' || n, 'open', now() - n * interval '1 hour', now() - n * interval '1 hour'
     from generate_series(1, 5000) n`,
    [account],
  );
  const [batch] = await db.query<{ id: string }>("select id from batch where code = 'B7'");
  batchId = toId("batch", batch?.id ?? "");
  await seeding.query(
    `insert into card (id, account_id, batch_id, sku, status, workflow_status, title, set_name, set_code,
       game, asking_price, location, grader, grade, needs_review, review_reason, created_at, updated_at)
     select uuidv7(), $1, b.ids[1 + n % 500], 'S' || n,
       case when n % 10 = 0 then 'imported' else 'identified' end,
       (array['imported', 'identified', 'priced', 'photographed', 'sold', 'archived'])[1 + n % 6],
       'Charged Serpent ' || n % 5000, 'Set ' || n % 300, 'ST' || n % 300, 'Game ' || n % 4,
       case when n % 3 = 0 then null else n % 900 end, 'A-' || n % 1000,
       case when n % 50 = 0 then 'PSA' end, case when n % 50 = 0 then '9' end,
       n % 100 = 0, case when n % 100 = 0 then 'ambiguous' end,
       now() - n * interval '1 s', now() - n * interval '1 s'
     from generate_series(1, ${cardCount}) n, (select array_agg(id order by id) as ids from batch) b`,
    [account],
  );
  await seeding.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
     select uuidv7(), $1, id, 'ebay', (array['live', 'sold', 'ended'])[1 + (row_number() over ()) % 3], 'T', 100, 1, created_at, updated_at
     from card limit 30000`,
    [account],
  );
  await seeding.query(
    `insert into webhook_endpoint (id, account_id, url, secret, created_at, updated_at)
     values ($2, $1, 'https://receiver.example', 's', now(), now())`,
    [account, toUuid(newId("whe"))],
  );
  await seeding.query(
    `with e as (insert into webhook_event (id, account_id, type, body, created_at)
       select uuidv7(), $1, 'card.priced', '{}', now() - n * interval '1 s' from generate_series(1, 30000) n
       returning id, created_at)
     insert into webhook_delivery (account_id, event_id, endpoint_id, status, drop_reason, deadline_at, created_at, finished_at)
     select $1, e.id, w.id, 'dropped', 'deadline', now(), e.created_at, e.created_at from e, webhook_endpoint w`,
    [account],
  );
  await seeding.query(
    `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
     select uuidv7(), $1, id, 'front', '\\x00', 10, 10, created_at from card limit 20000`,
    [account],
  );
  await seeding.query("vacuum analyze");
  await seeding.end();
}, 120_000);

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Plan Rows"?: number;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  Plans?: Plan[];
}

/** The statements of a read and their plans, as they are when prepared for any values. */
async function plansOf(read: (queryable: Queryable) => Promise<unknown>): Promise<Plan[]> {
  const statements: { text: string; values: readonly unknown[] }[] = [];
  const recorder: Queryable = {
    query: (text, values = [], name) => {
      statements.push({ text, values });
      expect(name, "a list is a prepared statement").toBeDefined();
      return db.query(text, values, name);
    },
  };
  await read(recorder);
  expect(statements, "a list is one statement").toHaveLength(1);
  const plans: Plan[] = [];
  for (const { text, values } of statements) {
    const rows = await db.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    const [row] = rows;
    if (row !== undefined) plans.push(row["QUERY PLAN"][0].Plan);
    // After five uses PostgreSQL may keep a plan that knows no values.
    const [kept] = await db.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    if (kept !== undefined) plans.push(kept["QUERY PLAN"][0].Plan);
  }
  return plans;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

const bigTables = ["card", "listing", "batch", "webhook_event", "webhook_delivery", "photo"];

function expectIndexed(plans: Plan[], mostSorted: number): void {
  const nodes = plans.flatMap(nodesOf);
  const scanned = nodes.filter(
    (node) => node["Node Type"] === "Seq Scan" && bigTables.includes(node["Relation Name"] ?? ""),
  );
  expect(scanned).toEqual([]);
  const sorted = nodes
    .filter((node) => node["Node Type"].includes("Sort"))
    .map((node) => node.Plans?.[0]?.["Actual Rows"] ?? 0);
  for (const rows of sorted) expect(rows).toBeLessThanOrEqual(mostSorted);
}

/** Holds the first and the second page of a list to their indexes. Returns how many plans it saw. */
async function twoPages(
  list: (queryable: Queryable, cursor?: string) => Promise<{ next_cursor: string | null }>,
): Promise<number> {
  const first = await list(db);
  expect(first.next_cursor).not.toBeNull();
  const plans = [
    ...(await plansOf((queryable) => list(queryable))),
    ...(await plansOf((queryable) => list(queryable, first.next_cursor ?? ""))),
  ];
  // Nulls are a second range: their first page beside the last of the values is all that is sorted.
  expectIndexed(plans, 102);
  return plans.length;
}

describe(`at ${cardCount} cards`, () => {
  for (const sort of cardSorts) {
    test(`cards by ${sort}`, async () => {
      const plans = await twoPages((queryable, cursor) =>
        listCards(queryable, accountId, { limit: 50, sort, cursor }, photoUrl),
      );
      expect(plans).toBe(4);
    });
  }
  for (const sort of batchSorts) {
    test(`batches by ${sort}`, async () => {
      const plans = await twoPages((queryable, cursor) =>
        listBatches(queryable, accountId, { limit: 50, sort, cursor }),
      );
      expect(plans).toBe(4);
    });
  }
  for (const sort of listingSorts) {
    test(`listings by ${sort}`, async () => {
      const plans = await twoPages((queryable, cursor) =>
        listListings(queryable, accountId, { limit: 50, sort, cursor }),
      );
      expect(plans).toBe(4);
    });
  }
  test("events", async () => {
    const plans = await twoPages((queryable, cursor) =>
      listEvents(queryable, accountId, { limit: 50, cursor }),
    );
    expect(plans).toBe(4);
  });
  test("dropped deliveries", async () => {
    const plans = await twoPages((queryable, cursor) =>
      listDropped(queryable, accountId, { limit: 50, cursor }),
    );
    expect(plans).toBe(4);
  });

  // How many rows a filter may sort: those that it lets through, never the account's.
  const filters: [name: string, query: object, mostSorted: number][] = [
    ["updated_since", { updated_since: new Date(Date.now() - 3_600_000).toISOString() }, 0],
    ["workflow status", { workflow_status: ["priced"] }, 0],
    ["two workflow statuses", { workflow_status: ["priced", "sold"] }, 0],
    ["status", { status: ["imported"] }, 0],
    ["needs review", { needs_review: true }, 0],
    ["graded", { graded: true }, 0],
    ["a location", { location: ["A-17"] }, 0],
    ["locations by prefix", { location: ["A-17*"] }, 2_000],
    ["a set", { set: ["SET 17"] }, 1_000],
    ["a SKU", { sku: ["S4711"] }, 1],
    ["words", { q: "serpent 4711" }, 100],
    ["a batch by code", { batch: ["B7"] }, 0],
    ["two batches", { batch: ["B7", "B8"] }, 1_000],
    ["a game", { game: ["Game 1"] }, 0],
  ];
  for (const [name, query, mostSorted] of filters) {
    test(`cards by ${name}`, async () => {
      const parsed = cardListQuery.parse(query);
      const list = (queryable: Queryable) => listCards(queryable, accountId, parsed, photoUrl);
      expect((await list(db)).data.length).toBeGreaterThan(0);
      expectIndexed(await plansOf(list), mostSorted);
    });
  }

  test("cards of a batch by its id, and one card", async () => {
    const list = (queryable: Queryable) =>
      listCards(queryable, accountId, { limit: 50, batch: [batchId] }, photoUrl);
    const page = await list(db);
    expect(page.data).toHaveLength(50);
    expectIndexed(await plansOf(list), 0);
    const id = page.data[0]?.id ?? "";
    expectIndexed(await plansOf((queryable) => getCard(queryable, accountId, id, photoUrl)), 0);
  });
});
