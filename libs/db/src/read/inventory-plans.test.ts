import { cardFilterSchema, inventorySorts } from "@cardvault/contract";
import type { CardFilter } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, photoUrl } from "../fixtures.ts";
import {
  listCardAnchors,
  listCardIds,
  listCardRows,
  openDatabase,
  readDashboard,
  readLocationTree,
  readTotals,
  suggestLocations,
} from "../index.ts";
import type { Database, Queryable } from "../index.ts";
import { readSelectedIds } from "./selection.ts";

const cardCount = 100_000;
const accounts = 40;
const smallCards = 2_500;
/** Every card but one of eighty lies in one of a thousand. */
const placesInAccount = 1_000;
let testDatabase: TestDatabase;
let db: Database;
let large: string;
let small: string;

// One large account, and as many cards again in small ones: an index that did not begin with the account
// would have to go through everybody's cards.
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  large = await newAccount(db);
  const others: string[] = [];
  for (let n = 0; n < accounts; n += 1) others.push(await newAccount(db));
  small = others[7] ?? "";
  const seeding = new pg.Client({ connectionString: testDatabase.url });
  await seeding.connect();
  const cards = `
    insert into card (id, account_id, sku, status, workflow_status, title, set_name, number, subject, game, language,
      rarity, condition, grader, grade, cert_number, year, quantity, asking_price, purchase_price, market_price,
      market_price_currency, location, tags, has_photo, needs_review, review_reason, created_at, updated_at)
    select uuidv7(), a, 'CV-' || lpad(n::text, 6, '0'), 'identified', (array['identified', 'priced', 'sold'])[1 + n % 3],
      (array['Charged', 'Tidewing', 'Hollow', 'Ember'])[1 + n % 4] || ' ' || (array['Serpent', 'Drake', 'Stag'])[1 + n % 3] || ' word' || n % 5000,
      'Set ' || n % 300, 1 + n % 180 || '/180', 'Subject ' || n % 900, 'Game ' || n % 50, 'Language ' || n % 40,
      'Rarity ' || n % 60, case when n % 50 > 0 then (array['near_mint', 'damaged'])[1 + (n % 40 = 1)::int] end,
      case when n % 50 = 0 then 'PSA' end, case when n % 50 = 0 then (n / 50 % 10)::text end,
      case when n % 50 = 0 then (41000000 + n)::text end, 1980 + n % 45, 1 + (n % 90 = 0)::int * 4,
      case when n % 60 > 0 then n % 9000 end, n % 7000, case when n % 70 > 0 then n % 8000 end, 'USD',
      case when n % 80 > 0 then 'Shelf A-' || n % 1000 end, case when n % 200 = 0 then array['vault'] else '{}' end,
      n % 100 > 0, n % 300 = 0, case when n % 300 = 0 then 'ambiguous' end,
      now() - n * interval '1 min', now() - n * interval '1 min'
    from generate_series(1, $2::int) n, unnest($1::uuid[]) a`;
  await seeding.query(cards, [[toUuid(large)], cardCount]);
  await seeding.query(cards, [others.map((id) => toUuid(id)), smallCards]);
  await seeding.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, quantity_sold, sold_at,
       sold_price, created_at, updated_at)
     select uuidv7(), account_id, id, 'ebay', 'sold', 'T', 100, 1, 1, created_at, 100, created_at, created_at
     from card where workflow_status = 'sold'`,
  );
  await seeding.query(
    `insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id, title, quantity, total,
       currency, cost_each, sold_at, modified_at, recorded_at)
     select uuidv7(), account_id, 'ebay', id::text, '1', id, card_id, title, quantity_sold, sold_price, 'USD', 70, sold_at, sold_at,
       sold_at from listing`,
  );
  await seeding.query(
    `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
     select uuidv7(), account_id, id, 'front', '\\x00', 10, 10, created_at from card where has_photo limit 20000`,
  );
  await seeding.query("vacuum analyze");
  await seeding.end();
}, 240_000);

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Heap Fetches"?: number;
  Plans?: Plan[];
}

/** What a read does, as it is planned for its values: the nodes of all of its statements. */
async function nodesOf(
  read: (queryable: Queryable) => Promise<unknown>,
  at: Queryable = db,
): Promise<Plan[]> {
  const nodes: Plan[] = [];
  const recorder: Queryable = {
    async query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
      const [row] = await at.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      const collect = (plan: Plan): void => {
        nodes.push(plan);
        plan.Plans?.forEach(collect);
      };
      if (row !== undefined) collect(row["QUERY PLAN"][0].Plan);
      return at.query<Row>(text, values, name);
    },
  };
  await read(recorder);
  return nodes;
}

const big = ["card", "listing", "marketplace_order_line", "card_word", "photo"];

/** Rows that were looked at in large tables, whether or not they were kept. */
function readRows(nodes: Plan[]): number {
  return nodes
    .filter((node) => big.includes(node["Relation Name"] ?? ""))
    .reduce((sum, node) => {
      const loops = node["Actual Loops"] ?? 1;
      const dropped =
        (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
      return sum + ((node["Actual Rows"] ?? 0) + dropped) * loops;
    }, 0);
}

/** Rows of the places' sums that were looked at, and how. */
function placesOf(nodes: Plan[]): { rows: number; scans: Plan[] } {
  const ofPlaces = nodes.filter((node) => node["Relation Name"] === "location_total");
  const rows = ofPlaces.reduce(
    (sum, node) => sum + (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0),
    0,
  );
  return { rows, scans: ofPlaces.filter((node) => node["Node Type"].includes("Seq Scan")) };
}

/** Full scans are right where most of a table is wanted, and wrong where little of it is. */
const scans = (nodes: Plan[]): Plan[] =>
  nodes.filter(
    (node) => node["Node Type"].includes("Seq Scan") && big.includes(node["Relation Name"] ?? ""),
  );

const everything = "2000-01-01T00:00:00Z";
const filters: readonly (readonly [name: string, filter: CardFilter, matching: number])[] = [
  ["game", { game: ["Game 7"] }, 2_000],
  ["language", { language: ["Language 7"] }, 2_500],
  ["rarity", { rarity: ["Rarity 7"] }, 1_667],
  ["two rarities", { rarity: ["Rarity 7", "Rarity 8"] }, 3_334],
  ["condition", { condition: ["damaged"] }, 2_500],
  ["grader and grade", { grader: ["PSA"], grade: ["3"] }, 200],
  ["year", { year_min: 1999, year_max: 2000 }, 4_445],
  ["tag", { tag: ["vault"] }, 500],
  ["review reason", { review_reason: ["ambiguous"] }, 334],
  ["no photo", { has_photo: false }, 1_000],
  ["no location", { has_location: false }, 1_250],
  ["no price", { has_price: false }, 1_667],
  ["no market price", { has_market_price: false }, 1_429],
  ["price", { price_min: 100, price_max: 140 }, 456],
  ["market price", { market_price_min: 7_990 }, 130],
  ["cost", { cost_min: 6_990 }, 150],
  ["copies", { quantity_min: 2 }, 1_112],
  ["SKUs", { sku_prefix: "cv-0471" }, 100],
  ["created", { created_since: "{lately}" }, 121],
  ["words", { q: "serpent word17" }, 20],
  ["search", { search: "serpent word17" }, 300],
  ["search for a certificate", { search: "41000050" }, 1],
  ["search with a slip", { search: "serpnt word4711" }, 20],
  ["several at once", { game: ["Game 7"], language: ["Language 7"], has_price: true }, 500],
];

describe(`at ${cardCount} cards, and as many of ${accounts} other accounts`, () => {
  const given = (filter: CardFilter): CardFilter => {
    const { created_since: since, ...rest } = filter;
    const lately = new Date(Date.now() - 7_200_000).toISOString();
    return cardFilterSchema.parse(since === undefined ? rest : { ...rest, created_since: lately });
  };
  // Words of the account are looked at to expand a search, and a row can be read for more than one reason.
  const most = (matching: number): number => 2 * matching + 300;

  test.each(filters)(
    "ids, totals and selection by %s read what they let through",
    async (_, filter, matching) => {
      const wanted = given(filter);
      const reads = [
        (queryable: Queryable) =>
          listCardIds(queryable, large, { filter: wanted, sort: "title", limit: 1_000 }),
        (queryable: Queryable) => readTotals(queryable, large, "USD", wanted),
      ];
      for (const read of reads) {
        const nodes = await nodesOf(read);
        expect(scans(nodes)).toEqual([]);
        expect(readRows(nodes)).toBeLessThanOrEqual(most(matching));
      }
      const all = { filter: wanted, except: [] };
      const nodes = await nodesOf((queryable) =>
        readSelectedIds(queryable, large, all, { limit: 5_000 }),
      );
      expect(scans(nodes)).toEqual([]);
      expect(readRows(nodes)).toBeLessThanOrEqual(most(matching));
    },
  );

  test.each(filters)("%s in a small account reads none of the others'", async (_, filter) => {
    const wanted = given(filter);
    const nodes = await nodesOf((queryable) => readTotals(queryable, small, "USD", wanted));
    expect(scans(nodes)).toEqual([]);
    expect(readRows(nodes)).toBeLessThanOrEqual(smallCards + 300);
  });

  test.each(inventorySorts)(
    "ids by %s come from an index alone, and put nothing in order",
    async (sort) => {
      const limit = 20_000;
      const first = await listCardIds(db, large, { filter: {}, sort, limit });
      for (const after of [undefined, first.next ?? ""]) {
        const nodes = await nodesOf((queryable) =>
          listCardIds(queryable, large, { filter: {}, sort, limit, after }),
        );
        expect(nodes.filter((node) => node["Node Type"].includes("Sort"))).toEqual([]);
        const ofCards = nodes.filter((node) => node["Relation Name"] === "card");
        expect(ofCards.map((node) => node["Node Type"])).toEqual(
          ofCards.map(() => "Index Only Scan"),
        );
        expect(readRows(nodes)).toBeLessThanOrEqual(limit + 1);
      }
    },
  );

  test("a list of many is read in order until there are enough", async () => {
    const filter = given({ workflow_status: ["priced"], created_since: everything });
    const nodes = await nodesOf((queryable) =>
      listCardIds(queryable, large, { filter: { ...filter, has_photo: true }, limit: 1_000 }),
    );
    expect(readRows(nodes)).toBeLessThanOrEqual(80_000);
  });

  test("anchors come from the index of their order", async () => {
    const nodes = await nodesOf((queryable) =>
      listCardAnchors(queryable, large, { filter: {}, sort: "-created_at", every: 1_000 }),
    );
    const ofCards = nodes.filter((node) => node["Relation Name"] === "card");
    expect(ofCards.map((node) => node["Node Type"])).toEqual(["Index Only Scan"]);
    expect(nodes.filter((node) => node["Node Type"].includes("Sort"))).toEqual([]);
  });

  test("a window reads its own rows", async () => {
    const ids = await readSelectedIds(db, large, { filter: {}, except: [] }, { limit: 60 });
    const nodes = await nodesOf((queryable) => listCardRows(queryable, large, ids, photoUrl));
    expect(scans(nodes)).toEqual([]);
    expect(readRows(nodes)).toBeLessThanOrEqual(2 * 60);
  });

  test("a selection of everything goes on behind an id", async () => {
    const all = { filter: {}, except: [] };
    const [middle = ""] = (await readSelectedIds(db, large, all, { limit: cardCount })).slice(
      cardCount / 2,
    );
    const nodes = await nodesOf((queryable) =>
      readSelectedIds(queryable, large, all, { after: middle, limit: 500 }),
    );
    expect(readRows(nodes)).toBeLessThanOrEqual(500);
    expect(nodes.filter((node) => node["Node Type"].includes("Sort"))).toEqual([]);
  });

  test("the tree of places reads its own sums, each once, and no card", async () => {
    for (const under of [undefined, "Shelf A-7"]) {
      const nodes = await nodesOf((queryable) =>
        readLocationTree(queryable, small, { under, limit: 200 }),
      );
      expect(nodes.filter((node) => node["Relation Name"] === "card")).toEqual([]);
      expect(placesOf(nodes).scans).toEqual([]);
      expect(placesOf(nodes).rows).toBeLessThanOrEqual(placesInAccount);
    }
  });

  test("a place that is typed, right or with a slip, is looked for among the account's own", async () => {
    for (const text of ["Shelf A-99", "lf A-99", "Shlef A-99"]) {
      const nodes: Plan[] = [];
      const recorder = (at: Queryable): Queryable => ({
        async query<Row>(statement: string, values?: readonly unknown[]): Promise<Row[]> {
          let rows: Row[] = [];
          const seen = await nodesOf(async (queryable) => {
            rows = await queryable.query<Row>(statement, values);
          }, at);
          nodes.push(...seen);
          return rows;
        },
      });
      const { data } = await suggestLocations(
        {
          ...recorder(db),
          transaction: (work) =>
            db.transaction((tx) =>
              work(Object.assign(Object.create(tx) as typeof tx, recorder(tx))),
            ),
        },
        small,
        { text, limit: 12 },
      );
      expect(data.length).toBeGreaterThan(0);
      expect(nodes.filter((node) => node["Relation Name"] === "card")).toEqual([]);
      expect(placesOf(nodes).scans).toEqual([]);
      expect(placesOf(nodes).rows).toBeLessThanOrEqual(3 * placesInAccount);
    }
  });

  test("the dashboard reads no card, and the sales of its days", async () => {
    const now = new Date();
    const nodes = await nodesOf((queryable) =>
      readDashboard(queryable, large, { timeZone: "UTC", now }),
    );
    expect(scans(nodes)).toEqual([]);
    expect(readRows(nodes)).toBeLessThanOrEqual(30 * 24 * 60);
  });
});
