import {
  cardAnchorsInput,
  cardFilterSchema,
  cardIdsInput,
  inventorySorts,
  openPackedIds,
} from "@cardvault/contract";
import type { CardIds } from "@cardvault/contract";
import type { CardPatch } from "@cardvault/domain";
import { toId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addCard, newAccount, photoUrl } from "../fixtures.ts";
import {
  listCardAnchors,
  listCardIds,
  listCardRows,
  openDatabase,
  readDashboard,
  readTotals,
} from "../index.ts";
import type { Database } from "../index.ts";
import { isTypoOf } from "./typos.ts";

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

const idsOf = ({ ids }: CardIds): string[] => {
  const opened = openPackedIds("card", ids);
  return Array.from({ length: opened.length }, (_, index) => opened.at(index));
};
const list = (accountId: string, input: object) =>
  listCardIds(db, accountId, cardIdsInput.parse(input));
const found = async (accountId: string, search: string, filter: object = {}) =>
  idsOf(await list(accountId, { filter: { ...filter, search } }));
const usd = (amount: number) => ({ amount, currency: "USD" });

/** Straight into the table: few values, so that there are ties and nulls. */
async function addRows(accountId: string, count: number): Promise<void> {
  await db.query(
    `insert into card (id, account_id, sku, status, workflow_status, title, set_name, number, location,
       asking_price, market_price, rarity, created_at, updated_at)
     select uuidv7(), $1, 'S' || n, 'identified', 'identified', (array['b', 'a', 'ä'])[1 + n % 3],
       (array['Set 2', 'Set 10', null])[1 + n % 3], (array['4/102', '12/102', null])[1 + n % 5 % 3],
       (array['A-2', 'A-10', 'a-3', null])[1 + n % 4], nullif(n % 4, 0) * 100, nullif(n % 3, 0) * 7,
       case when n % 2 = 0 then 'Rare' end,
       '2026-01-01T00:00:00Z'::timestamptz + n % 7 * interval '1 s', '2026-02-01T00:00:00Z'::timestamptz - n % 5 * interval '1 s'
     from generate_series(1, $2::int) n`,
    [toUuid(accountId), count],
  );
}

const orderOf: Record<string, string> = { location: "location_order", set_number: "set_order" };

describe("ordered ids", () => {
  let accountId: string;
  beforeAll(async () => {
    accountId = await newAccount(db);
    await addRows(accountId, 97);
    await addRows(await newAccount(db), 9);
  });

  describe.each(inventorySorts)("by %s", (sort) => {
    const name = sort.replace("-", "");
    const direction = sort.startsWith("-") ? "desc" : "asc";
    const expected = async (where = "true"): Promise<string[]> => {
      const rows = await db.query<{ id: string }>(
        `select id from card where account_id = $1 and ${where}
         order by ${orderOf[name] ?? name} ${direction} nulls last, id ${direction}`,
        [toUuid(accountId)],
      );
      return rows.map(({ id }) => toId("card", id));
    };

    test("are all of them, nulls last, and page by page the same", async () => {
      const all = await expected();
      expect(idsOf(await list(accountId, { sort }))).toEqual(all);
      for (const limit of [1, 7, 24, 48, 73, 96, 97, 98]) {
        const paged: string[] = [];
        let after: string | undefined;
        do {
          const page = await list(accountId, { sort, limit, after });
          paged.push(...idsOf(page));
          expect(page.count).toBe(idsOf(page).length);
          after = page.next ?? undefined;
        } while (after !== undefined);
        expect(paged).toEqual(all);
      }
    });

    test("are those of a filter", async () => {
      const filter = { rarity: ["Rare"] };
      const rare = await expected("rarity = 'Rare'");
      expect(idsOf(await list(accountId, { sort, filter }))).toEqual(rare);
      const first = await list(accountId, { sort, filter, limit: 20 });
      const rest = await list(accountId, { sort, filter, after: first.next ?? "" });
      expect([...idsOf(first), ...idsOf(rest)]).toEqual(rare);
    });

    test("have anchors, between which every card lies in one block", async () => {
      await addRows(accountId, 0);
      const input = cardAnchorsInput.parse({ sort, every: 100 });
      const { anchors, count } = await listCardAnchors(db, accountId, { ...input, every: 10 });
      expect([anchors.length, count]).toEqual([9, 97]);
      const blocks = await Promise.all(
        [undefined, ...anchors].map((after) => list(accountId, { sort, after, limit: 10 })),
      );
      expect(blocks.flatMap(idsOf)).toEqual(await expected());
    });
  });

  test("a cursor belongs to its filter, order and account", async () => {
    const { next } = await list(accountId, { limit: 1 });
    const other = await newAccount(db);
    for (const call of [
      list(accountId, { after: next, sort: "title" }),
      list(accountId, { after: next, filter: { has_price: true } }),
      list(other, { after: next }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "invalid_cursor" });
    }
  });
});

describe("a search", () => {
  let accountId: string;
  const made: Record<string, string> = {};
  beforeAll(async () => {
    accountId = await newAccount(db);
    const cards: [string, Omit<CardPatch, "sku">][] = [
      ["serpent", { title: "Charged Serpent", set: "Storm Harbour", number: "12/180" }],
      ["serpents", { title: "Two Serpents", set: "Storm Harbour", number: "4/180" }],
      ["drake", { title: "Tidewing Drake", set: "Ember Coast", number: "99/180" }],
      [
        "graded",
        {
          title: "Serpent",
          grading: { grader: "PSA", grade: "9", certNumber: "48213377", qualifier: null },
        },
      ],
    ];
    for (const [name, fields] of cards) made[name] = (await addCard(db, accountId, fields)).id;
  });
  const names = async (search: string, filter: object = {}) => {
    const ids = await found(accountId, search, filter);
    return ids.map((id) => Object.keys(made).find((name) => made[name] === id) ?? id);
  };

  test.each([
    ["all words", "storm serpent", ["serpent", "serpents"]],
    ["an unfinished last word", "tide", ["drake"]],
    ["a finished word only where a blank follows", "serpent ", ["graded", "serpent"]],
    ["a letter too few", "serpnt", ["graded", "serpents", "serpent"]],
    ["letters in each other's place", "tidewnig", ["drake"]],
    ["letters of a short word in each other's place", "darke ", ["drake"]],
    ["an unfinished word with a slip", "tidewimg dr", ["drake"]],
    ["two words with slips", "chraged serpemt", ["serpent"]],
    ["its number first", "180", ["drake", "serpents", "serpent"]],
    ["a number as it is printed", "4/180", ["serpents"]],
    ["a certificate", "48213377", ["graded"]],
    ["a SKU's beginning", "0000", ["graded", "drake", "serpents", "serpent"]],
    ["a SKU", "00003", ["drake"]],
    ["nothing like it", "xylophone", []],
    ["signs only", "?!", []],
    ["a query's own signs", "serpent & ! | <-> ':*", ["graded", "serpent"]],
  ])("finds %s: %s", async (_, search, expected) => {
    expect((await names(search)).toSorted()).toEqual(expected.toSorted());
  });

  test("puts the title itself before words of it, and words before what begins so", async () => {
    expect(await names("serpent")).toEqual(["graded", "serpent", "serpents"]);
  });

  test("narrows a filter, and is one in any order", async () => {
    expect(await names("serp", { graded: true })).toEqual(["graded"]);
    const input = { filter: { search: "serp" }, sort: "title" };
    expect(idsOf(await list(accountId, input))).toEqual(
      ["serpent", "graded", "serpents"].map((name) => made[name]),
    );
  });

  test("knows nothing of another account's words", async () => {
    const other = await newAccount(db);
    await addCard(db, other, { title: "Lantern" });
    expect(await found(other, "serpent")).toEqual([]);
    expect(await found(other, "lantrn")).toHaveLength(1);
  });

  test("a word that no card has any more is a slip again", async () => {
    const other = await newAccount(db);
    const { id } = await addCard(db, other, { title: "Serpant" });
    expect(await found(other, "serpant")).toEqual([id]);
    await db.query("update card set title = 'Serpent' where account_id = $1", [toUuid(other)]);
    expect(await found(other, "serpant ")).toEqual([id]);
  });
});

test.each([
  ["drke", "drake", false, true],
  ["drka", "drake", false, false],
  ["serpenttt", "serpent", false, true],
  ["charizrad", "charizard", false, true],
  ["char", "charizard", false, false],
  ["chraiz", "charizard", true, true],
  ["12", "13", false, false],
  ["ab", "abc", false, false],
])("%s for %s (unfinished: %s): %s", (typed, known, isUnfinished, isTypo) => {
  expect(isTypoOf(typed, known, isUnfinished)).toBe(isTypo);
});

describe("every filter", () => {
  let accountId: string;
  beforeAll(async () => {
    accountId = await newAccount(db);
    await addCard(db, accountId, { title: "Bare" });
    const full = await addCard(db, accountId, {
      title: "Full",
      game: "Runes",
      year: 1999,
      rarity: "Rare",
      language: "de",
      condition: "near_mint",
      quantity: 4,
      askingPrice: usd(500),
      purchasePrice: usd(200),
      location: "A-1",
      tags: ["show", "binder"],
    });
    await db.query(
      `update card set market_price = 700, market_price_currency = 'USD', market_price_source = 'guide',
         market_price_as_of = now(), needs_review = true, review_reason = 'high_value',
         batch_id = null where id = $1`,
      [toUuid(full.id)],
    );
    await db.query(
      `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       values (uuidv7(), $1, $2, 'front', '\\x00', 10, 10, now())`,
      [toUuid(accountId), toUuid(full.id)],
    );
    await addCard(db, accountId, {
      title: "Graded",
      grading: { grader: "PSA", grade: "9", certNumber: "1", qualifier: null },
    });
  });

  const later = "2999-01-01T00:00:00Z";
  test.each<[given: object, titles: string[]]>([
    [{ price_min: 500 }, ["Full"]],
    [{ price_max: 499 }, []],
    [{ market_price_min: 700, market_price_max: 700 }, ["Full"]],
    [{ cost_min: 1, cost_max: 200 }, ["Full"]],
    [{ quantity_min: 2 }, ["Full"]],
    [{ quantity_max: 3 }, ["Bare", "Graded"]],
    [{ year_min: 1999, year_max: 2000 }, ["Full"]],
    [{ year_max: 1998 }, []],
    [{ year_min: 2000, year_max: 1999 }, []],
    [{ has_price: false }, ["Bare", "Graded"]],
    [{ has_market_price: true }, ["Full"]],
    [{ has_photo: true }, ["Full"]],
    [{ has_photo: false }, ["Bare", "Graded"]],
    [{ has_location: true }, ["Full"]],
    [{ has_batch: true }, []],
    [{ condition: ["near_mint", "damaged"] }, ["Full"]],
    [{ grader: ["PSA"], grade: ["9"] }, ["Graded"]],
    [{ language: ["de"], rarity: ["Rare"], game: ["Runes"] }, ["Full"]],
    [{ tag: ["binder", "vault"] }, ["Full"]],
    [{ review_reason: ["high_value"] }, ["Full"]],
    [{ sku_prefix: "0000" }, ["Bare", "Full", "Graded"]],
    [{ sku_prefix: "00002" }, ["Full"]],
    [{ created_since: later }, []],
    [{ created_until: later, graded: true }, ["Graded"]],
    [{ q: "full", search: "full" }, ["Full"]],
  ])("%j lets through %j", async (given, titles) => {
    const filter = cardFilterSchema.parse(given);
    const ids = idsOf(await list(accountId, { filter, sort: "title" }));
    const rows = await listCardRows(db, accountId, ids, photoUrl);
    expect(rows.map(({ title }) => title)).toEqual(titles);
    const totals = await readTotals(db, accountId, "USD", filter);
    expect([totals.count, totals.has_more]).toEqual([titles.length, false]);
    expect(totals.quantity).toBe(rows.reduce((sum, row) => sum + row.quantity, 0));
    expect(totals.asking_value).toEqual(usd(titles.includes("Full") ? 2000 : 0));
    expect(totals.market_value).toEqual(usd(titles.includes("Full") ? 2800 : 0));
  });

  test("rows come in the order of the ids, with the first picture; others' ids have none", async () => {
    const [bare = "", full = "", graded = ""] = idsOf(await list(accountId, { sort: "title" }));
    const other = await addCard(db, await newAccount(db), { title: "Other" });
    const rows = await listCardRows(db, accountId, [graded, other.id, full, bare], photoUrl);
    expect(rows.map(({ id, photo_count: photos }) => [id, photos])).toEqual([
      [graded, 0],
      [full, 1],
      [bare, 0],
    ]);
    expect(rows[1]?.thumbnail_url).toMatch(/thumbnail$/u);
  });
});

test("beyond ten thousand a count says that there are more, except where it is kept", async () => {
  const accountId = await newAccount(db);
  await addRows(accountId, 20_010);
  const totals = (filter: object) =>
    readTotals(db, accountId, "USD", cardFilterSchema.parse(filter));
  expect(await totals({ rarity: ["Rare"] })).toMatchObject({
    count: 10_000,
    has_more: true,
    quantity: null,
  });
  expect(await totals({})).toMatchObject({ count: 20_010, has_more: false, quantity: 20_010 });
  expect(await totals({ workflow_status: ["identified"] })).toMatchObject({ count: 20_010 });
  const best = await list(accountId, { filter: { search: "a" } });
  expect(best.is_cut).toBe(false);
  await db.query("update card set title = 'a' where account_id = $1", [toUuid(accountId)]);
  const many = await list(accountId, { filter: { search: "a" } });
  expect([many.count, many.next, many.is_cut]).toEqual([10_000, null, true]);
  const sku = await db.query<{ id: string }>(
    "select id from card where account_id = $1 and sku = 'S1'",
    [toUuid(accountId)],
  );
  const exact = await list(accountId, { filter: { search: "s1" }, limit: 3 });
  expect(idsOf(exact)[0]).toBe(toId("card", sku[0]?.id ?? ""));
}, 60_000);

describe("what the database keeps count of", () => {
  const columns = "cards, in_review, copies, asking, cost, market";

  /** What is kept, and the same counted anew. */
  async function keptAndCounted(accountId: string): Promise<[unknown[], unknown[]]> {
    const kept = await db.query(
      `select batch_id, workflow_status, ${columns} from card_count
       where account_id = $1 and (cards, in_review, copies, asking, cost, market) <> (0, 0, 0, 0, 0, 0) order by 1, 2`,
      [toUuid(accountId)],
    );
    const counted = await db.query(
      `select c.batch_id, c.workflow_status, count(*) as cards, count(*) filter (where needs_review) as in_review,
         sum(quantity) as copies, coalesce(sum(asking_price * quantity), 0) as asking,
         coalesce(sum(purchase_price * quantity), 0) as cost,
         coalesce(sum(market_price * quantity) filter (where coalesce(market_price_currency, 'USD') = 'USD'), 0) as market
       from card c where account_id = $1 group by 1, 2 order by 1, 2`,
      [toUuid(accountId)],
    );
    return [kept, counted];
  }

  async function wordsAndCounted(accountId: string): Promise<[unknown[], unknown[]]> {
    const kept = await db.query(
      "select word, cards from card_word where account_id = $1 and cards <> 0 order by word",
      [toUuid(accountId)],
    );
    const counted = await db.query(
      `select t.word collate "C" as word, count(*) as cards from card c, unnest(tsvector_to_array(c.search)) as t (word)
       where c.account_id = $1 group by 1 order by 1`,
      [toUuid(accountId)],
    );
    return [kept, counted];
  }

  const amount = fc.option(fc.constantFrom(0, 5, 1_250, 900_000_000_000), { nil: null });
  const change = fc.record({
    which: fc.integer({ min: 0, max: 5 }),
    kind: fc.constantFrom("insert", "update", "delete", "batch"),
    status: fc.constantFrom("imported", "identified", "priced", "sold"),
    quantity: fc.constantFrom(0, 1, 9_999),
    asking: amount,
    cost: amount,
    market: amount,
    currency: fc.constantFrom("USD", "EUR", null),
    review: fc.boolean(),
    title: fc.constantFrom(null, "Charged Serpent", "Serpent Serpent 4/102", "Drake of the Storm"),
  });

  test("is what a recount says, whatever several writers do at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 4 }),
        async (writers) => {
          const accountId = await newAccount(db);
          const account = toUuid(accountId);
          const [batch] = await db.query<{ id: string }>(
            `insert into batch (id, account_id, code, name, status, created_at, updated_at)
           values (uuidv7(), $1, 'B1', 'One', 'open', now(), now()) returning id`,
            [account],
          );
          const values =
            "$2::text, $3::int, $4::bigint, $5::bigint, $6::bigint, $7::text, $8::boolean";
          await Promise.all(
            writers.map(async (changes) => {
              for (const one of changes) {
                const { kind, status, quantity, asking, cost, market, currency, review, title } =
                  one;
                const bound = [
                  account,
                  status,
                  quantity,
                  asking,
                  cost,
                  market,
                  currency,
                  review,
                  title,
                ];
                // Two statements of one commit, as a change of an account makes them, under its clock.
                await db.transaction(async (tx) => {
                  await tx.query("select 1 from account_clock where account_id = $1 for update", [
                    account,
                  ]);
                  if (kind === "insert") {
                    await tx.query(
                      `insert into card (id, account_id, status, workflow_status, quantity, asking_price, purchase_price,
                       market_price, market_price_currency, needs_review, review_reason, title, created_at, updated_at)
                     select uuidv7(), $1, 'imported', v.*, case when $8::boolean then 'ambiguous' end, $9::text, now(), now()
                     from (select ${values}) v, generate_series(1, 3)`,
                      bound,
                    );
                  } else if (kind === "update") {
                    await tx.query(
                      `update card set workflow_status = $2, quantity = $3, asking_price = $4, purchase_price = $5,
                       market_price = $6, market_price_currency = $7, needs_review = $8,
                       review_reason = case when $8 then 'ambiguous' end, title = $9
                     where account_id = $1 and id in (select id from card where account_id = $1 order by id limit 2)`,
                      bound,
                    );
                  } else if (kind === "batch") {
                    await tx.query(
                      `update card set batch_id = case when batch_id is null then $2::uuid end where account_id = $1`,
                      [account, batch?.id],
                    );
                  } else {
                    await tx.query(
                      "delete from card where id in (select id from card where account_id = $1 order by id desc limit $2)",
                      [account, one.which],
                    );
                  }
                });
              }
            }),
          );
          for (const [kept, counted] of [
            await keptAndCounted(accountId),
            await wordsAndCounted(accountId),
          ]) {
            expect(kept).toEqual(counted);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  test("says whether a card has a photo, whichever way photos come and go", async () => {
    const accountId = await newAccount(db);
    const { id } = await addCard(db, accountId, { title: "Pictured" });
    const hasPhoto = async () =>
      (await list(accountId, { filter: { has_photo: true } })).count === 1;
    const [one] = await db.query<{ id: string }>(
      `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       select uuidv7(), $1, $2, side, '\\x00', 1, 1, now() from unnest(array['front', 'back']) side returning id`,
      [toUuid(accountId), toUuid(id)],
    );
    expect(await hasPhoto()).toBe(true);
    await db.query("delete from photo where id = $1", [one?.id]);
    expect(await hasPhoto()).toBe(true);
    await db.query("update photo set card_id = null where account_id = $1", [toUuid(accountId)]);
    expect(await hasPhoto()).toBe(false);
    await db.query("update photo set card_id = $2 where account_id = $1", [
      toUuid(accountId),
      toUuid(id),
    ]);
    expect(await hasPhoto()).toBe(true);
    await db.query("delete from photo where account_id = $1", [toUuid(accountId)]);
    expect(await hasPhoto()).toBe(false);
  });

  test("goes with its account", async () => {
    const accountId = await newAccount(db);
    const { id } = await addCard(db, accountId, { title: "Gone", askingPrice: usd(5) });
    await db.query(
      `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       values (uuidv7(), $1, $2, 'front', '\\x00', 1, 1, now())`,
      [toUuid(accountId), toUuid(id)],
    );
    await db.query("delete from account where id = $1", [toUuid(accountId)]);
    expect(await keptAndCounted(accountId)).toEqual([[], []]);
    expect(await wordsAndCounted(accountId)).toEqual([[], []]);
  });
});

describe("the dashboard", () => {
  test("counts what is in stock", async () => {
    const accountId = await newAccount(db);
    await addCard(db, accountId, {
      title: "A",
      askingPrice: usd(100),
      purchasePrice: usd(30),
      quantity: 3,
    });
    await addCard(db, accountId, { title: "B", askingPrice: usd(50), workflowStatus: "archived" });
    const now = new Date("2026-03-10T12:00:00Z");
    const read = () => readDashboard(db, accountId, { timeZone: "America/New_York", now });
    expect(await read()).toMatchObject({
      copies: 3,
      asking_value: usd(300),
      cost: usd(90),
      counts: { priced: 1, archived: 1 },
      needs_review: 0,
      open_batches: 0,
    });
  });

  test("puts a sale into its day of the time zone, also where the clock is changed", async () => {
    const accountId = await newAccount(db);
    const { id } = await addCard(db, accountId, { title: "Sold" });
    // On 8 March 2026 New York has 23 hours: it ends at 04:00 UTC, the day before at 05:00.
    for (const at of [
      "2026-03-08T04:59:59.999Z",
      "2026-03-08T05:00:00Z",
      "2026-03-09T03:59:59Z",
      "2026-03-09T04:00:00Z",
    ]) {
      await db.query(
        `with sold as (insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity,
             created_at, updated_at)
           values (uuidv7(), $1, $2, 'ebay', 'sold', 'Sold', 100, 1, now(), now()) returning id)
         insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id, title,
           quantity, total, currency, sold_at, modified_at, recorded_at)
         select uuidv7(), $1, 'ebay', $3::timestamptz::text, '1', sold.id, $2, 'Sold', 1, 250, 'USD', $3::timestamptz, $3, $3
         from sold`,
        [toUuid(accountId), toUuid(id), at],
      );
    }
    const now = new Date("2026-03-10T03:00:00Z");
    const inZone = (timeZone: string) => readDashboard(db, accountId, { timeZone, now });
    const days = (await inZone("America/New_York")).sales_by_day;
    expect(days).toHaveLength(30);
    expect(days.slice(-3).map(({ day, sales, amount }) => [day, sales, amount.amount])).toEqual([
      ["2026-03-07", 1, 250],
      ["2026-03-08", 2, 500],
      ["2026-03-09", 1, 250],
    ]);
    expect((await inZone("UTC")).sales_by_day.at(-2)).toMatchObject({
      day: "2026-03-09",
      sales: 2,
    });
    expect((await inZone("UTC")).recent_sales.map((sale) => sale.sold_at.slice(0, 16))).toEqual([
      "2026-03-09T04:00",
      "2026-03-09T03:59",
      "2026-03-08T05:00",
      "2026-03-08T04:59",
    ]);
    await db.query(
      `insert into hand_sale (id, account_id, card_id, quantity, price, place, sold_at, created_at, voided_at)
       select uuidv7(), $1, $2, 2, 700, 'Show', '2026-03-09T05:00:00Z', now(), voided
       from unnest(array[null, now()]) as voided`,
      [toUuid(accountId), toUuid(id)],
    );
    const withHand = await inZone("UTC");
    expect(withHand.sales_by_day.at(-2)).toMatchObject({ sales: 3, copies: 4, amount: usd(1200) });
    expect(withHand.recent_sales[0]).toMatchObject({ listing_id: null, card_id: id, quantity: 2 });
    await expect(inZone("Middle/Earth")).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "time_zone" }],
    });
  });
});
