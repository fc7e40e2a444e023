import {
  batchSorts,
  batchListQuery,
  cardList,
  cardListQuery,
  cardSorts,
  listingSorts,
  listingListQuery,
} from "@cardvault/contract";
import type { Card, CardSort } from "@cardvault/contract";
import { newId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  getBatch,
  getCard,
  getEvent,
  getListing,
  listBatchCards,
  listBatches,
  listCards,
  listDropped,
  listEvents,
  listListings,
  openDatabase,
  readOverview,
} from "../index.ts";
import type { Database } from "../index.ts";
import { addCard, newAccount, photoUrl } from "../fixtures.ts";
import { afterPrefix } from "./statement.ts";

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

const read = (accountId: string, query: object) =>
  listCards(db, accountId, cardListQuery.parse(query), photoUrl);

interface SeedCard {
  title: string | null;
  price: number | null;
  at: number;
}

/** Few values, so that there are ties, and nulls. */
const seedCard = fc.record({
  title: fc.option(fc.constantFrom("a", "B", "ä", "zz", "\u{10ffff}"), { nil: null }),
  price: fc.option(fc.constantFrom(0, 5, 900_000_000_000), { nil: null }),
  at: fc.integer({ min: 0, max: 3 }),
});

async function seed(accountId: string, cards: readonly SeedCard[]): Promise<void> {
  await db.query(
    `insert into card (id, account_id, status, workflow_status, title, asking_price, created_at, updated_at)
     select uuidv7(), $1, 'imported', 'imported', t, p, c, c
     from unnest($2::text[], $3::bigint[], $4::timestamptz[]) as n (t, p, c)`,
    [
      toUuid(accountId),
      cards.map((card) => card.title),
      cards.map((card) => card.price),
      cards.map((card) => new Date(Date.UTC(2026, 0, 1) + card.at)),
    ],
  );
}

/** The whole order as the contract has it, without any index or SQL. */
function sorted(cards: readonly Card[], sort: CardSort): string[] {
  const isDescending = sort.startsWith("-");
  const name = sort.replace("-", "") as "created_at" | "updated_at" | "asking_price" | "title";
  const valueOf = (card: Card): number | Buffer | null => {
    const value = name === "asking_price" ? (card.asking_price?.amount ?? null) : card[name];
    return typeof value === "string" ? Buffer.from(value) : value;
  };
  const compare = (left: number | Buffer | string, right: number | Buffer | string): number => {
    if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return Buffer.compare(left, right);
    return left < right ? -1 : Number(left > right);
  };
  return [...cards]
    .sort((left, right) => {
      const [a, b] = [valueOf(left), valueOf(right)];
      const turn = isDescending ? -1 : 1;
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
      } else if (compare(a, b) !== 0) return turn * compare(a, b);
      return turn * compare(left.id, right.id);
    })
    .map((card) => card.id);
}

describe("paging", () => {
  test("gives every card once, in the order of the sort, whatever the page's size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(seedCard, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (cards, limit) => {
          const accountId = await newAccount(db);
          await seed(accountId, cards);
          const all = (await read(accountId, { limit: 200 })).data;
          expect(all).toHaveLength(cards.length);
          for (const sort of cardSorts) {
            const seen: string[] = [];
            let cursor: string | undefined;
            do {
              const page = await read(accountId, { sort, limit, cursor });
              seen.push(...page.data.map((card) => card.id));
              expect(page.has_more).toBe(page.next_cursor !== null);
              cursor = page.next_cursor ?? undefined;
            } while (cursor !== undefined);
            expect({ sort, seen }).toEqual({ sort, seen: sorted(all, sort) });
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test("every sort of batches and listings pages through all of them", async () => {
    const accountId = await newAccount(db);
    const account = toUuid(accountId);
    await db.query(
      `insert into batch (id, account_id, code, name, status, created_at, updated_at)
       select uuidv7(), $1, 'C' || n, 'Name ' || n % 2, 'open', now(), now() from generate_series(1, 7) n`,
      [account],
    );
    const card = await addCard(db, accountId, { title: "T" });
    await db.query(
      `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
       select uuidv7(), $1, $2, 'ebay', 'ended', 'T', 1 + n % 2, 1, now(), now() from generate_series(1, 7) n`,
      [account, toUuid(card.id)],
    );
    type Read = (
      sort: string,
      cursor?: string,
    ) => Promise<{
      data: { id: string }[];
      next_cursor: string | null;
    }>;
    const reads: [readonly string[], Read][] = [
      [
        batchSorts,
        (sort, cursor) =>
          listBatches(db, accountId, batchListQuery.parse({ sort, cursor, limit: 2 })),
      ],
      [
        listingSorts,
        (sort, cursor) =>
          listListings(db, accountId, listingListQuery.parse({ sort, cursor, limit: 2 })),
      ],
    ];
    for (const [sorts, page] of reads) {
      for (const sort of sorts) {
        const ids: string[] = [];
        let cursor: string | undefined;
        do {
          const answer = await page(sort, cursor);
          ids.push(...answer.data.map((row) => row.id));
          cursor = answer.next_cursor ?? undefined;
        } while (cursor !== undefined);
        expect({ sort, size: new Set(ids).size }).toEqual({ sort, size: 7 });
        expect(ids).toHaveLength(7);
      }
    }
  });

  test("refuses a cursor of other filters, of another account, or with a changed letter", async () => {
    const accountId = await newAccount(db);
    await seed(
      accountId,
      [1, 2, 3].map((at) => ({ title: null, price: null, at })),
    );
    const { next_cursor } = await read(accountId, { limit: 1, status: ["imported"] });
    const cursor = next_cursor ?? "";
    const refused = { code: "invalid_cursor" };
    await expect(read(accountId, { limit: 1, cursor })).rejects.toMatchObject(refused);
    const other = await newAccount(db);
    const status = ["imported"];
    await expect(read(other, { limit: 1, status, cursor })).rejects.toMatchObject(refused);
    await expect(
      read(accountId, { limit: 1, status, cursor, sort: "title" }),
    ).rejects.toMatchObject(refused);
    const content = Buffer.from(cursor, "base64url").toString();
    for (let at = 0; at < content.length; at += 1) {
      const letter = content[at] === "1" ? "2" : "1";
      const changed = Buffer.from(content.slice(0, at) + letter + content.slice(at + 1));
      const tampered = { limit: 1, status, cursor: changed.toString("base64url") };
      await expect(read(accountId, tampered)).rejects.toMatchObject(refused);
    }
    await expect(read(accountId, { limit: 1, status, cursor: "€" })).rejects.toMatchObject(refused);
    // The page's size is no filter.
    expect((await read(accountId, { limit: 2, status, cursor })).data).toHaveLength(2);
  });
});

describe("filters", () => {
  test("each finds what it names, and nothing else", async () => {
    const accountId = await newAccount(db);
    const serpent = await addCard(db, accountId, {
      title: "Charged Serpent",
      set: "Storm Harbour",
      setCode: "STH",
      number: "12/180",
      game: "Runes",
      location: "A-03-12",
      askingPrice: { amount: 5, currency: "USD" },
    });
    const slab = await addCard(db, accountId, {
      title: "Ärger",
      grading: { grader: "PSA", grade: "9", certNumber: null, qualifier: null },
      location: "A-04",
    });
    const blank = await addCard(db, accountId, { location: "a-03" });
    const photoId = newId("img");
    await db.query(
      `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       values ($1, $2, $3, 'front', '\\x00', 7, 8, now())`,
      [toUuid(photoId), toUuid(accountId), toUuid(serpent.id)],
    );
    const cases: [object, { id: string }[]][] = [
      [{}, [serpent, slab, blank]],
      [{ status: ["imported"] }, [blank]],
      [{ status: ["imported", "identified"] }, [serpent, slab, blank]],
      [{ workflow_status: ["priced"] }, [serpent]],
      [{ set: ["storm HARBOUR"] }, [serpent]],
      [{ set: ["sth"] }, [serpent]],
      [{ set: ["STH", "nothing"] }, [serpent]],
      [{ game: ["Runes"] }, [serpent]],
      [{ game: ["runes"] }, []],
      [{ graded: true }, [slab]],
      [{ graded: false }, [serpent, blank]],
      [{ needs_review: true }, []],
      [{ needs_review: false }, [serpent, slab, blank]],
      [{ location: ["A-03-12"] }, [serpent]],
      [{ location: ["A-*"] }, [serpent, slab]],
      [{ location: ["*"] }, [serpent, slab, blank]],
      [{ location: ["A-04", "a*"] }, [slab, blank]],
      [{ sku: [slab.sku] }, [slab]],
      [{ q: "serpent, CHARGED" }, [serpent]],
      [{ q: "12/180" }, [serpent]],
      [{ q: "ärger" }, [slab]],
      [{ q: "!!!" }, []],
      [{ batch: ["B404"] }, []],
      [{ batch: ["B404", newId("batch")] }, []],
    ];
    for (const [query, expected] of cases) {
      const page = await read(accountId, { sort: "created_at", ...query });
      const found = page.data.map((card) => card.id);
      expect({ query, found }).toEqual({ query, found: expected.map((card) => card.id) });
      expect(cardList.parse(page)).toEqual(page);
    }
    const { photos } = await getCard(db, accountId, serpent.id, photoUrl);
    expect(photos).toEqual([
      {
        id: photoId,
        side: "front",
        url: photoUrl(photoId, "full"),
        thumbnail_url: photoUrl(photoId, "thumbnail"),
        width: 7,
        height: 8,
      },
    ]);
  });

  test("the end of a prefix comes after all that begins with it, and before all else", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
        fc.string({ unit: "binary", maxLength: 4 }),
        (prefix, rest) => {
          const end = afterPrefix(prefix);
          if (end === null) return;
          expect(Buffer.compare(Buffer.from(prefix + rest), Buffer.from(end))).toBe(-1);
          expect(end.startsWith(prefix)).toBe(false);
        },
      ),
    );
    expect(afterPrefix("a\u{10ffff}")).toBe("b");
    expect(afterPrefix("\u{10ffff}")).toBeNull();
    expect(afterPrefix("\ud7ff")).toBe("\ue000");
  });

  test("a poll comes in the order of changes, and says where the next begins", async () => {
    const accountId = await newAccount(db);
    const first = await addCard(db, accountId, { title: "1" });
    const second = await addCard(db, accountId, { title: "2" });
    const since = (await getCard(db, accountId, first.id, photoUrl)).updated_at;
    const page = await read(accountId, { updated_since: since, limit: 1 });
    expect(page.data.map((card) => card.id)).toEqual([first.id]);
    expect(page).not.toHaveProperty("next_updated_since");
    const last = await read(accountId, {
      updated_since: since,
      limit: 1,
      cursor: page.next_cursor ?? "",
    });
    expect(last.data.map((card) => card.id)).toEqual([second.id]);
    expect(last.next_updated_since).toBe(last.data[0]?.updated_at);
    const later = "2099-01-01T00:00:00+01:00";
    expect(await read(accountId, { updated_since: later })).toMatchObject({
      data: [],
      next_updated_since: later,
    });
  });
});

test("another account's ids read like ids that never existed", async () => {
  const owner = await newAccount(db);
  const other = await newAccount(db);
  const card = await addCard(db, owner, { title: "Mine" });
  const batchId = newId("batch");
  const listingId = newId("lst");
  await db.query(
    `insert into batch (id, account_id, code, name, status, created_at, updated_at)
     values ($1, $2, 'MINE', 'Mine', 'open', now(), now())`,
    [toUuid(batchId), toUuid(owner)],
  );
  await db.query("update card set batch_id = $1 where id = $2", [toUuid(batchId), toUuid(card.id)]);
  await db.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
     values ($1, $2, $3, 'ebay', 'live', 'T', 1, 1, now(), now())`,
    [toUuid(listingId), toUuid(owner), toUuid(card.id)],
  );
  const [event] = (await listEvents(db, owner, { limit: 1 })).data;
  const page = { limit: 50 };
  const reads: [theirs: string, never: string, read: (id: string) => Promise<unknown>][] = [
    [card.id, newId("card"), (id) => getCard(db, other, id, photoUrl)],
    [batchId, newId("batch"), (id) => getBatch(db, other, id)],
    [listingId, newId("lst"), (id) => getListing(db, other, id)],
    [event?.id ?? "", newId("evt"), (id) => getEvent(db, other, id)],
    [batchId, newId("batch"), (id) => listBatchCards(db, other, { id, ...page }, photoUrl)],
    [batchId, newId("batch"), (id) => listCards(db, other, { batch: [id], ...page }, photoUrl)],
    [
      batchId,
      newId("batch"),
      (id) => listCards(db, other, { batch: [id, "MINE"], ...page }, photoUrl),
    ],
    ["MINE", "NONE", (code) => listCards(db, other, { batch: [code], ...page }, photoUrl)],
    [card.sku ?? "", "none", (sku) => listCards(db, other, { sku: [sku], ...page }, photoUrl)],
    ["mine", "none", (q) => listCards(db, other, { q, ...page }, photoUrl)],
    [card.id, newId("card"), (id) => listListings(db, other, { card: [id], ...page })],
    [card.id, newId("card"), () => listBatches(db, other, page)],
    [card.id, newId("whe"), (id) => listDropped(db, other, { endpoint_id: id, ...page })],
    ["", "", () => listEvents(db, other, page)],
  ];
  const outcome = async (answer: Promise<unknown>): Promise<unknown> =>
    answer.catch((error: unknown) => String(error));
  for (const [theirs, never, answer] of reads) {
    expect(await outcome(answer(theirs))).toEqual(await outcome(answer(never)));
    expect(await outcome(answer("no id"))).toEqual(await outcome(answer(never)));
  }
  // The owner does see them, so the above is no accident.
  expect(await getCard(db, owner, card.id, photoUrl)).toMatchObject({ batch_id: batchId });
  expect((await listListings(db, owner, { card: [card.id], ...page })).data).toHaveLength(1);
  expect((await listBatchCards(db, owner, { id: batchId, ...page }, photoUrl)).data).toHaveLength(
    1,
  );
  expect((await getEvent(db, owner, event?.id ?? "")).envelope.account_id).toBe(owner);
  expect(await readOverview(db, other)).toMatchObject({ open_batches: 0, needs_review: 0 });
  expect(await readOverview(db, owner)).toMatchObject({
    open_batches: 1,
    counts: { identified: 1 },
  });
});
