import { cardFilterSchema, exampleId } from "@cardvault/contract";
import type { CardSelection } from "@cardvault/contract";
import { toId } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCard, newAccount } from "../fixtures.ts";
import { openDatabase } from "../index.ts";
import type { Database } from "../index.ts";
import { readSelectedIds, selectedCards } from "./selection.ts";
import { StatementParts } from "./statement.ts";

let testDatabase: TestDatabase;
let db: Database;
let accountId: string;
let ids: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url });
  accountId = await newAccount(db);
  ids = [];
  for (let n = 0; n < 9; n += 1) {
    const price = n % 2 === 0 ? { amount: 100 * (n + 1), currency: "USD" } : null;
    const fields = { title: `Serpent ${n}`, askingPrice: price, location: n < 3 ? "A" : null };
    ids.push((await addCard(db, accountId, fields)).id);
  }
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

const byFilter = (filter: object, except: string[] = []): CardSelection => ({
  filter: cardFilterSchema.parse(filter),
  except,
});
const all = (selection: CardSelection) =>
  readSelectedIds(db, accountId, selection, { limit: 1_000 });

test("a filter selects what it lets through, less the exceptions, by id", async () => {
  expect(await all(byFilter({}))).toEqual(ids);
  expect(await all(byFilter({ has_price: true, price_max: 500 }, [ids[2] ?? ""]))).toEqual([
    ids[0],
    ids[4],
  ]);
});

test("named cards, each once, in the order of their ids", async () => {
  const named = [ids[5], ids[1], ids[5], exampleId("card")] as string[];
  expect(await all({ ids: named })).toEqual([ids[1], ids[5]]);
});

test("page by page there is every card once", async () => {
  const seen: string[] = [];
  for (;;) {
    const page = { after: seen.at(-1), limit: 2 };
    const found = await readSelectedIds(db, accountId, byFilter({ has_location: false }), page);
    if (found.length === 0) break;
    seen.push(...found);
  }
  expect(seen).toEqual(ids.slice(3));
});

test("another account's cards are in no selection", async () => {
  const other = await newAccount(db);
  for (const selection of [byFilter({}), { ids }]) {
    expect(await readSelectedIds(db, other, selection, { limit: 10 })).toEqual([]);
  }
});

test("as a query it stands in a statement with other values", async () => {
  const parts = new StatementParts();
  const cards = await selectedCards(db, accountId, byFilter({ location: ["A"] }), parts);
  const rows = await db.query<{ id: string; note: string }>(
    `select s.id, ${parts.bind("kept", "text")} as note from (${cards}) s order by s.id`,
    parts.values,
  );
  expect(rows.map(({ id, note }) => [toId("card", id), note])).toEqual(
    ids.slice(0, 3).map((id) => [id, "kept"]),
  );
});
