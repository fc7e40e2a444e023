import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import { afterEach, expect, test } from "vitest";
import { drawDemoPictures } from "./draw-pictures.ts";
import { demoInventory } from "./inventory.ts";
import { seedDemo } from "./seed.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function place() {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const photoFolder = await mkdtemp(join(tmpdir(), "cardvault-demo-"));
  closers.push(() => rm(photoFolder, { recursive: true }));
  const db = await openDatabase({ url: database.url, poolSize: 1 });
  closers.push(() => db.close());
  const options = {
    databaseUrl: database.url,
    encryptionKeys: `k1:${randomBytes(32).toString("base64")}`,
    receiverUrl: "http://127.0.0.1:4000/",
    photoFolder,
  };
  return { db, options };
}

test("the shop is the same at every start", () => {
  expect(demoInventory()).toEqual(demoInventory());
});

test("the shop stands in the database as the rules would have made it, over weeks, and earns money", async () => {
  const { db, options } = await place();
  const demo = await seedDemo(options);
  const [cards] = await db.query<Record<string, number>>(
    `select count(*) as cards, count(*) filter (where status = 'imported') as imported,
       count(*) filter (where workflow_status = 'listed') as listed,
       sum(asking_price * quantity) as asking, sum(purchase_price * quantity) filter (where asking_price is not null) as cost,
       extract(day from max(created_at) - min(created_at)) as days,
       count(*) filter (where (asking_price is null) <> (first_priced_at is null)) as odd
     from card`,
  );
  const wanted = demoInventory().flatMap((batch) => batch.cards);
  expect(cards).toMatchObject({
    cards: wanted.length,
    imported: wanted.filter((card) => card.title === null).length,
    listed: 0,
    odd: 0,
  });
  expect(cards?.["days"]).toBeGreaterThan(40);
  expect(cards?.["asking"]).toBeGreaterThan((cards?.["cost"] ?? 0) * 1.3);

  const events = await db.query<{ type: string; count: number; odd: number }>(
    `select type, count(*), count(*) filter (where (body::jsonb ->> 'created_at')::timestamptz <> created_at) as odd
     from webhook_event group by type`,
  );
  const countOf = (type: string) => events.find((event) => event.type === type)?.count;
  expect(countOf("card.identified")).toBe(wanted.filter((card) => card.title !== null).length);
  expect(countOf("card.priced")).toBe(
    wanted.filter((card) => card.askingPriceCents !== null).length,
  );
  expect(events.every((event) => event.odd === 0)).toBe(true);
  // The receiver hears of what happens from now on.
  expect(await db.query("select 1 from webhook_delivery")).toEqual([]);

  const [first] = await db.query(
    "select 1 from card where id = $1 and workflow_status = 'identified' and first_priced_at is null",
    [toUuid(demo.cardId)],
  );
  expect(first).toBeDefined();
});

test("a try that was killed after its sign-in was made does not stand in the way", async () => {
  const { options } = await place();
  const first = await seedDemo(options);
  const second = await seedDemo(options);
  expect(second.email).not.toBe(first.email);
  expect(second.token).not.toBe(first.token);
}, 60_000);

test("drawing stops between two pictures, and goes on where it stopped", async () => {
  const { db, options } = await place();
  await seedDemo(options);
  const [row] = await db.query<{ count: number }>("select count(*) from photo");
  await db.query("delete from photo where id not in (select id from photo order by id limit 3)");
  expect(row?.count).toBeGreaterThan(300);
  // The front and the listing photo of a card are one picture.
  const [left] = await db.query<{ pictures: number }>(
    "select count(distinct content_hash)::int as pictures from photo",
  );
  expect(await drawDemoPictures({ ...options, signal: AbortSignal.abort() })).toBe(0);
  expect(await drawDemoPictures(options)).toBe(left?.pictures);
  expect(await drawDemoPictures(options)).toBe(0);
}, 60_000);
