import { toId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, photoUrl } from "../fixtures.ts";
import {
  countSales,
  listSales,
  listSalesListings,
  listToPull,
  matchExternalIds,
  matchSkus,
  openDatabase,
  readClosedToSync,
  readListingsToSync,
  readOrderLines,
  readSeenEnded,
  summariseSales,
} from "../index.ts";
import type { Database, Queryable } from "../index.ts";

const saleCount = 100_000;
const handCount = 20_000;
let testDatabase: TestDatabase;
let db: Database;
let large: string;
let small: string;
let cardId: string;
let batchId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  large = await newAccount(db);
  small = await newAccount(db);
  const seeding = new pg.Client({ connectionString: testDatabase.url });
  await seeding.connect();
  for (const [account, count] of [
    [large, saleCount],
    [small, 300],
  ] as const) {
    await seed(seeding, toUuid(account), count);
  }
  await seeding.query("vacuum analyze");
  await seeding.end();
  const [card] = await db.query<{ id: string; batch_id: string }>(
    "select id, batch_id from card where account_id = $1 and sku = 'S500'",
    [toUuid(large)],
  );
  cardId = toId("card", card?.id ?? "");
  batchId = toId("batch", card?.batch_id ?? "");
}, 240_000);
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

async function seed(seeding: pg.Client, account: string, count: number): Promise<void> {
  await seeding.query(
    `insert into batch (id, account_id, code, name, status, created_at, updated_at)
     select uuidv7(), $1, 'B' || n, 'Batch ' || n, 'open', now(), now() from generate_series(1, 200) n`,
    [account],
  );
  await seeding.query(
    `insert into card (id, account_id, batch_id, sku, status, workflow_status, title, purchase_price, location,
       created_at, updated_at)
     select uuidv7(), $1, b.ids[1 + n % 200], 'S' || n, 'identified', 'sold', 'Serpent ' || n,
       case when n % 9 > 0 then 50 end, 'A-' || n % 1000, now(), now()
     from generate_series(1, $2::int) n, (select array_agg(id order by id) as ids from batch where account_id = $1) b`,
    [account, count],
  );
  await seeding.query(
    `insert into listing (id, account_id, card_id, marketplace, status, external_listing_id, title, price, quantity,
       quantity_sold, ended_at, sold_at, sold_price, last_synced_at, created_at, updated_at)
     select uuidv7(), $1, id, 'ebay', (array['live', 'sold', 'sold', 'ended', 'failed'])[1 + n % 5], 'X' || n, title, 100, 1,
       1, now() - n * interval '1 min', now() - n * interval '1 min', 100, now() - n * interval '1 s',
       now() - n * interval '1 min', now()
     from (select *, row_number() over (order by id) as n from card where account_id = $1) c`,
    [account],
  );
  await seeding.query(
    "update card c set listing_id = l.id from listing l where l.card_id = c.id and c.account_id = $1",
    [account],
  );
  await seeding.query(
    `insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id, unmatched, title,
       quantity, total, currency, cancelled_quantity, cancelled_total, fee, cost_each, sold_at, modified_at, recorded_at, pulled_at)
     select uuidv7(), $1, 'ebay', 'O-' || n, '1', case when n % 500 > 0 then id end, case when n % 500 > 0 then card_id end,
       case when n % 500 = 0 then 'no_listing' end, title, 1, 100, 'USD', (n % 100 = 1)::int, (n % 100 = 1)::int * 100, 13,
       case when n % 9 > 0 then 50 end, sold_at, sold_at, sold_at, case when n % 400 > 0 then sold_at end
     from (select *, row_number() over (order by id) as n from listing where account_id = $1) l`,
    [account],
  );
  await seeding.query(
    `insert into hand_sale (id, account_id, card_id, quantity, price, place, sold_at, created_at, cost_each)
     select uuidv7(), $1, id, 1, 200, 'Show ' || n % 7, now() - n * interval '7 min', now(), 50
     from (select *, row_number() over (order by id) as n from card where account_id = $1) c where n <= $2`,
    [account, handCount],
  );
  await seeding.query(
    `insert into listing_publication (listing_id, account_id, sku, step, deadline_at, seen_ended_at)
     select id, $1, 'S', 'done', now(), case when n % 1000 = 0 then now() end
     from (select id, row_number() over (order by id) as n from listing where account_id = $1) l`,
    [account],
  );
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Rows of tables that a read looked at, whether or not it kept them. */
async function rowsRead(read: (queryable: Queryable) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const add = (plan: Plan): void => {
    if (plan["Relation Name"] !== undefined) {
      const each = (plan["Actual Rows"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0);
      rows += each * (plan["Actual Loops"] ?? 1);
    }
    plan.Plans?.forEach(add);
  };
  await read({
    async query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
      const [row] = await db.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      if (row !== undefined) add(row["QUERY PLAN"][0].Plan);
      return db.query<Row>(text, values, name);
    },
  });
  return rows;
}

const limit = 50;
const ledgerReads: [string, number, Parameters<typeof listSales>[2]][] = [
  ["all of it", 600, { limit }],
  ["a period", 600, { limit, from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }],
  ["by hand", 600, { limit, kind: "by_hand" }],
  ["what counts", 600, { limit, state: "counted" }],
  ["what matched nothing", 1_500, { limit, state: "unmatched" }],
];
describe.each([
  ["a large account", () => large],
  ["a small one beside it", () => small],
])("the ledger of %s", (_, account) => {
  test.each(ledgerReads)(
    "%s: a page looks at few rows, the next one too",
    async (__, most, query) => {
      expect(await rowsRead((on) => listSales(on, account(), query))).toBeLessThanOrEqual(most);
      const { next_cursor: cursor } = await listSales(db, account(), query);
      if (cursor === null) return;
      const next = await rowsRead((on) => listSales(on, account(), { ...query, cursor }));
      expect(next).toBeLessThanOrEqual(most);
    },
  );
});

test("a card's sales and a batch's are found by their cards", async () => {
  expect(await rowsRead((on) => listSales(on, large, { limit, card: cardId }))).toBeLessThan(50);
  expect(await rowsRead((on) => listSales(on, large, { limit, batch: batchId }))).toBeLessThan(
    6_000,
  );
});

test("what there is to pull, the listings of a tab, and the counts", async () => {
  const some = { limit: 500 };
  expect(await rowsRead((on) => listToPull(on, large, some, photoUrl))).toBeLessThan(2_000);
  const live = { status: ["live" as const], sort: "-created_at" as const, limit };
  expect(await rowsRead((on) => listSalesListings(on, large, live, photoUrl))).toBeLessThan(700);
  const ended = { status: ["ended" as const], sort: "-ended_at" as const, limit };
  expect(await rowsRead((on) => listSalesListings(on, large, ended, photoUrl))).toBeLessThan(700);
  expect(await rowsRead((on) => countSales(on, large))).toBeLessThan(5 * 10_100);
});

test("what the sync asks for in each round", async () => {
  const closedAfter = new Date(Date.now() - 30 * 86_400_000);
  expect(await rowsRead((on) => readListingsToSync(on, large, 100))).toBeLessThan(1_000);
  expect(
    await rowsRead((on) => readClosedToSync(on, large, { closedAfter, limit: 20 })),
  ).toBeLessThan(1_000);
  expect(await rowsRead((on) => readSeenEnded(on, large, new Date(8.64e15), 20))).toBeLessThan(
    1_500,
  );
  const ids = Array.from({ length: 50 }, (_, n) => `${n}`);
  const of = (prefix: string) => ids.map((id) => prefix + id);
  expect(await rowsRead((on) => readOrderLines(on, large, "ebay", of("O-")))).toBeLessThan(300);
  expect(await rowsRead((on) => matchExternalIds(on, large, "ebay", of("X")))).toBeLessThan(500);
  expect(await rowsRead((on) => matchSkus(on, large, of("S")))).toBeLessThan(500);
});

test("the sums agree with the rows, in all groupings", async () => {
  const zone = { time_zone: "America/New_York" };
  const month = await summariseSales(db, large, { ...zone, by: "month" }, "USD");
  const [exact] = await db.query<{ sales: number; revenue: number; cost: number; fees: number }>(
    `select count(*) as sales, sum(total) as revenue, sum(fee) as fees, sum(cost_each) as cost from marketplace_order_line
     where account_id = $1 and unmatched is null and cancelled_quantity = 0`,
    [toUuid(large)],
  );
  expect(month.totals).toMatchObject({
    sales: (exact?.sales ?? 0) + handCount,
    revenue: { amount: (exact?.revenue ?? 0) + handCount * 200 },
    cost: { amount: (exact?.cost ?? 0) + handCount * 50 },
    fees: { amount: exact?.fees },
  });
  for (const by of ["day", "month", "batch", "place"] as const) {
    const { groups, has_more_groups } = await summariseSales(db, large, { ...zone, by }, "USD");
    const sum = groups.reduce((all, { profit }) => all + profit.amount, 0);
    if (!has_more_groups) expect(sum).toBe(month.totals.profit.amount);
  }
});
