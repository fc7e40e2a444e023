import { enqueueJob } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { stock } from "../bulk/test-stock.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { retentionHandler, retentionKind } from "./retention.ts";
import { runToEnd } from "./test-run.ts";

const dayMs = 24 * 3_600_000;
let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Keeping");
});
afterAll(() => house.close());

/** Events with one delivery and one attempt each, made so many days ago; answers how each ended. */
const ends = ["delivered", "retrying", "dropped", "dismissed", "sent again"] as const;

async function furnish(days: number): Promise<void> {
  const account = toUuid(dealer.account.id);
  const at = new Date(house.clock.now().getTime() - days * dayMs);
  await house.db.query(
    `with made as (
       insert into webhook_event (id, account_id, type, body, created_at)
       select uuidv7($2 - clock_timestamp()), $1, 'card.priced', e || ' ' || $3, $2 from unnest($4::text[]) e returning id, body
     ), sent as (
       insert into webhook_delivery (account_id, event_id, endpoint_id, generation, status, drop_reason, next_attempt_at,
         deadline_at, created_at, finished_at, dismissed_at, attempts)
       select $1, m.id, w.id, g.n,
         case when m.body like 'retrying%' then 'retrying' when m.body like 'd%' and m.body not like 'delivered%' then 'dropped' else 'delivered' end,
         case when m.body like 'd%' and m.body not like 'delivered%' then 'deadline' end,
         case when m.body like 'retrying%' then $2 end, $2,
         case when g.n = 2 then $5 else $2 end, case when m.body not like 'retrying%' then $2 end,
         case when m.body like 'dismissed%' then $2 end, 1
       from made m cross join webhook_endpoint w join generate_series(1, 2) g (n) on g.n = 1 or m.body like 'sent again%'
       where w.account_id = $1
       returning id, endpoint_id
     )
     insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, total_ms, event_type)
     select uuidv7($2 - clock_timestamp()), $1, id, endpoint_id, 1, $2, 200, 1, 'card.priced' from sent`,
    [account, at, String(days), ends, house.clock.now()],
  );
}

const left = async (): Promise<{ events: string[]; attempts: string[] }> => {
  const events = await house.db.query<{ body: string }>(
    "select body from webhook_event order by body",
  );
  const attempts = await house.db.query<{ body: string }>(
    `select distinct e.body from webhook_attempt t join webhook_delivery d on d.id = t.delivery_id
       join webhook_event e on e.id = d.event_id order by e.body`,
  );
  return { events: events.map(({ body }) => body), attempts: attempts.map(({ body }) => body) };
};

test("old attempts go after their time, old events after theirs; what is open stays", async () => {
  // Ids carry the machine's own time.
  house.clock.set(new Date());
  const url = "https://hooks.example.com/vault";
  await dealer.asOwner.webhooks.endpoints.create({ url });
  for (const days of [1, 40, 100]) await furnish(days);
  const { db, clock, services } = house;
  const { logger } = services;
  const housekeeping = createHousekeeping({ db, clock, logger, sendsMail: false });
  await housekeeping.once();
  await housekeeping.once();
  const jobs = await db.query<{ id: string }>("select id from job where kind = $1", [
    retentionKind,
  ]);
  expect(jobs).toHaveLength(1);

  const retention = { attemptsMs: 30 * dayMs, eventsMs: 90 * dayMs, jobItemsMs: 90 * dayMs };
  const handler = retentionHandler({ db, clock, retention });
  await db.query("delete from job");
  const payload = {};
  const id = await enqueueJob(db, { kind: retentionKind, accountId: null, payload }, clock.now());
  const job = await runToEnd(house, handler, id);
  expect(job).toMatchObject({ status: "done" });
  expect(await left()).toEqual({
    events: [
      "delivered 1",
      "delivered 40",
      "dismissed 1",
      "dismissed 40",
      "dropped 1",
      "dropped 100",
      "dropped 40",
      "retrying 1",
      "retrying 100",
      "retrying 40",
      "sent again 1",
      "sent again 100",
      "sent again 40",
    ],
    attempts: [
      "delivered 1",
      "dismissed 1",
      "dropped 1",
      "dropped 100",
      "dropped 40",
      "retrying 1",
      "retrying 100",
      "retrying 40",
      "sent again 1",
    ],
  });
});

test("asked for again a day later", async () => {
  const { db, clock, services } = house;
  const { logger } = services;
  const housekeeping = createHousekeeping({ db, clock, logger, sendsMail: false });
  const count = async () =>
    (await db.query("select 1 from job where kind = $1", [retentionKind])).length;
  await house.db.query("update job set status = 'done', finished_at = $1", [clock.now()]);
  const before = await count();
  clock.advance(dayMs - 1);
  await housekeeping.once();
  expect(await count()).toBe(before);
  clock.advance(2);
  await housekeeping.once();
  expect(await count()).toBe(before + 1);
});

describe("the cards of jobs", () => {
  const jobItemsMs = 7 * dayMs;
  const retain = async (): Promise<void> => {
    const { db, clock } = house;
    const retention = { attemptsMs: 30 * dayMs, eventsMs: 90 * dayMs, jobItemsMs };
    const job = { kind: retentionKind, accountId: null, payload: {} };
    await db.query("delete from job where kind = $1", [retentionKind]);
    const id = await enqueueJob(db, job, clock.now());
    const ended = await runToEnd(house, retentionHandler({ db, clock, retention }), id);
    expect(ended.status).toBe("done");
  };
  const bulk = () => {
    const handler = new Map(bulkHandlers(house)).get("bulk.move");
    if (handler === undefined) throw new Error("Nobody moves cards");
    return handler;
  };
  const moved = async (by: Dealer, count: number): Promise<string> => {
    const ids = await stock(house, by, count, () => ({ title: "T" }));
    const action = { type: "move", location: `Box ${count}` } as const;
    return (await by.asOwner.bulk.start({ selection: { ids }, action })).id;
  };
  const itemsOf = async (by: Dealer, id: string): Promise<number> =>
    (await by.asOwner.jobs.items({ id, limit: 200 })).data.length;

  test("go so many days after its end; the job and the cards' history stay, and it is undone no more", async () => {
    const ben = await house.dealer("Ben");
    const [old, theirs] = [await moved(dealer, 3), await moved(ben, 2)];
    for (const id of [old, theirs]) await runToEnd(house, bulk(), id);
    house.clock.advance(jobItemsMs - 1_000);
    const young = await moved(dealer, 4);
    const waiting = await moved(dealer, 5);
    await runToEnd(house, bulk(), young);
    await retain();
    expect(await itemsOf(dealer, old)).toBe(3);
    house.clock.advance(2_000);
    await retain();
    expect(await itemsOf(dealer, old)).toBe(0);
    expect(await itemsOf(ben, theirs)).toBe(0);
    expect(await itemsOf(dealer, young)).toBe(4);
    expect(await dealer.asOwner.jobs.get({ id: old })).toMatchObject({
      status: "done",
      can_undo: false,
      progress: { changed: 3 },
    });
    expect(await codeFrom(dealer.asOwner.bulk.undo({ id: old }))).toBe("invalid_transition");
    // A job that has not ended loses nothing, however long it waits.
    house.clock.advance(30 * dayMs);
    await retain();
    await runToEnd(house, bulk(), waiting);
    expect(await itemsOf(dealer, waiting)).toBe(5);
  });

  test("that an undo is still to read stay until it has ended", async () => {
    const id = await moved(dealer, 3);
    await runToEnd(house, bulk(), id);
    const undo = await dealer.asOwner.bulk.undo({ id });
    house.clock.advance(jobItemsMs + 1);
    await retain();
    expect(await itemsOf(dealer, id)).toBe(3);
    await runToEnd(house, bulk(), undo.id);
    expect((await dealer.asOwner.jobs.get({ id: undo.id })).progress.changed).toBe(3);
    await retain();
    expect(await itemsOf(dealer, id)).toBe(0);
  });

  test("very many go in chunks", async () => {
    const id = await moved(dealer, 1);
    await runToEnd(house, bulk(), id);
    await house.db.query(
      "insert into job_item (job_id, card_id, outcome) select $1, uuidv7(), 'changed' from generate_series(1, 5000)",
      [toUuid(id)],
    );
    house.clock.advance(jobItemsMs + 1);
    await retain();
    const left = await house.db.query("select 1 from job_item where job_id = $1", [toUuid(id)]);
    expect(left).toHaveLength(0);
  });
});
