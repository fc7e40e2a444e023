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

/** Cards that are identified in the past and wait because of their value. */
const worthALook = 2;

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
    // A card of the queue is identified: only its value is to be looked at.
    imported: wanted.filter((card) => card.title === null).length - worthALook,
    odd: 0,
  });
  expect(cards?.["listed"]).toBeGreaterThan(6);
  expect(cards?.["days"]).toBeGreaterThan(40);
  expect(cards?.["asking"]).toBeGreaterThan((cards?.["cost"] ?? 0) * 1.3);

  const events = await db.query<{ type: string; count: number; odd: number }>(
    `select type, count(*), count(*) filter (where (body::jsonb ->> 'created_at')::timestamptz <> created_at) as odd
     from webhook_event group by type`,
  );
  const countOf = (type: string) => events.find((event) => event.type === type)?.count;
  expect(countOf("card.identified")).toBe(
    wanted.filter((card) => card.title !== null).length + worthALook,
  );
  expect(countOf("card.priced")).toBe(
    wanted.filter((card) => card.askingPriceCents !== null).length,
  );
  expect(events.every((event) => event.odd === 0)).toBe(true);
  expect(countOf("identify.failed")).toBe(1);

  const [first] = await db.query(
    "select 1 from card where id = $1 and workflow_status = 'identified' and first_priced_at is null",
    [toUuid(demo.cardId)],
  );
  expect(first).toBeDefined();
}, 60_000);

test("its past has sales, a queue of reviews, a refused publish and two dropped events, and is over", async () => {
  const { db, options } = await place();
  await seedDemo(options);
  const [past] = await db.query<Record<string, number>>(
    `select
       (select count(*) from hand_sale where sold_at > now() - interval '30 days') as sales,
       (select count(distinct sold_at::date) from hand_sale) as days,
       (select count(*) from card where workflow_status = 'sold') as sold,
       (select count(*) from card where needs_review) as reviews,
       (select count(distinct review_reason) from card where needs_review) as reasons,
       (select count(*) from listing where status = 'failed' and error is not null) as refused,
       (select count(*) from webhook_delivery where status = 'dropped' and attempts = 7) as dropped,
       (select count(*) from webhook_delivery where status not in ('dropped', 'delivered')) as open,
       (select count(*) from price_quote) as quotes,
       (select count(*) from card where market_price is not null) as valued,
       (select count(*) from member) as members,
       (select count(*) from job) as jobs`,
  );
  expect(past).toMatchObject({ refused: 1, dropped: 2, open: 0, members: 2, jobs: 1 });
  expect(past?.["sales"]).toBeGreaterThan(20);
  expect(past?.["days"]).toBeGreaterThan(12);
  expect(past?.["sold"]).toBeGreaterThan(20);
  expect(past?.["reviews"]).toBeGreaterThanOrEqual(9);
  expect(past?.["reasons"]).toBeGreaterThanOrEqual(3);
  expect(past?.["quotes"]).toBeGreaterThan(300);
  expect(past?.["valued"]).toBeGreaterThanOrEqual(50);
  // Nothing of it happened just now, or is still to come.
  const [young] = await db.query<Record<string, number>>(
    `select (select count(*) from card_change where changed_at > now() - interval '20 minutes') as changes,
       (select count(*) from webhook_event where created_at > now() - interval '20 minutes') as events,
       (select count(*) from webhook_attempt where started_at > now()) as attempts,
       (select count(*) from card where updated_at < created_at) as odd`,
  );
  expect(young).toEqual({ changes: 0, events: 0, attempts: 0, odd: 0 });
}, 60_000);

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
