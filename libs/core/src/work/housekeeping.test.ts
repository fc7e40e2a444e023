import { toId, toUuid } from "@cardvault/kit";
import { insertNotice } from "@cardvault/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createHousekeeping } from "./housekeeping.ts";
import type { Housekeeping } from "./housekeeping.ts";
import { noticeMailHandler } from "./notice-mail.ts";
import type { Mail } from "./notice-mail.ts";
import { runToEnd } from "./test-run.ts";

const hourMs = 3_600_000;
const url = "https://hooks.example.com/vault";
let house: House;
let dealer: Dealer;
let endpointId: string;
let housekeeping: Housekeeping;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
  const { db, clock, services } = house;
  housekeeping = createHousekeeping({ db, clock, logger: services.logger, sendsMail: true });
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Kept ${serial}`);
  endpointId = (await endpoints().create({ url })).endpoint.id;
});
afterAll(() => house.close());

const endpoints = () => dealer.asOwner.webhooks.endpoints;
const notices = async () => (await dealer.asOwner.notices.list({})).data;
const kinds = async () => (await notices()).map(({ kind, details }) => [kind, details["day"]]);

/** They stand in no list of the account's: nobody there has asked for them. */
async function mailJobs(): Promise<{ id: string; status: string }[]> {
  const rows = await house.db.query<{ id: string; status: string }>(
    "select id, status from job where account_id = $1 and kind = 'notice.mail'",
    [toUuid(dealer.account.id)],
  );
  expect((await dealer.asOwner.jobs.list({})).data).toEqual([]);
  return rows.map(({ id, status }) => ({ id: toId("job", id), status }));
}

/** An event with a delivery that is still to be made. */
async function oneEvent(): Promise<string> {
  const { id } = await dealer.asOwner.batches.create({ name: "Harbour" });
  await dealer.asOwner.batches.complete({ id });
  const [row] = await house.db.query<{ id: string }>(
    `select d.id from webhook_delivery d join webhook_endpoint w on w.id = d.endpoint_id
     where d.account_id = $1 and w.id = $2 order by d.id desc limit 1`,
    [toUuid(dealer.account.id), toUuid(endpointId)],
  );
  return toId("dlv", row?.id ?? "");
}

let attempt = 0;
/** As the sender logs an attempt that begins now. */
async function attempted(deliveryId: string, statusCode: number | null): Promise<void> {
  attempt += 1;
  await house.db.query(
    `insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, total_ms, event_type)
     values (uuidv7(), $1, $2, $3, 1 + $6 % 7, $4, $5, 12, 'batch.completed')
     on conflict (delivery_id, number) do update set started_at = $4, status_code = $5`,
    [
      toUuid(dealer.account.id),
      toUuid(deliveryId),
      toUuid(endpointId),
      house.clock.now(),
      statusCode,
      attempt,
    ],
  );
}

async function drop(deliveryId: string, reason = "attempts_exhausted"): Promise<void> {
  await house.db.query(
    `update webhook_delivery set status = 'dropped', drop_reason = $3, next_attempt_at = null, finished_at = $2 where id = $1`,
    [toUuid(deliveryId), house.clock.now(), reason],
  );
  house.clock.advance(60_000);
}

/** Fails an attempt every 12 hours for so many hours, and looks after each. */
async function failFor(hours: number, deliveryId: string): Promise<void> {
  for (let hour = 0; hour <= hours; hour += 12) {
    if (hour > 0) house.clock.advance(12 * hourMs);
    await attempted(deliveryId, 503);
    await housekeeping.once();
  }
}

test("what an attempt brought shows at once, before any check", async () => {
  const delivery = await oneEvent();
  await attempted(delivery, 503);
  const since = house.clock.now().toISOString();
  const health = async () => (await endpoints().health()).data[0];
  expect(await health()).toMatchObject({ state: "failing", failing_since: since });
  house.clock.advance(1_000);
  await attempted(delivery, 204);
  expect(await health()).toMatchObject({
    state: "healthy",
    failing_since: null,
    last_delivered_at: house.clock.now().toISOString(),
  });
  await housekeeping.once();
  expect(await health()).toMatchObject({ state: "healthy" });
});

describe("an endpoint that only fails", () => {
  test("the account is told after one, three and four days; after five it is disabled, and told", async () => {
    const delivery = await oneEvent();
    const since = house.clock.now().toISOString();
    await failFor(108, delivery);
    expect(await kinds()).toEqual([
      ["endpoint_failing", 4],
      ["endpoint_failing", 3],
      ["endpoint_failing", 1],
    ]);
    const [health] = (await endpoints().health()).data;
    const disables = new Date(Date.parse(since) + 120 * hourMs).toISOString();
    expect(health).toMatchObject({ state: "failing", failing_since: since, disables_at: disables });
    expect((await endpoints().get({ id: endpointId })).enabled).toBe(true);

    house.clock.advance(12 * hourMs);
    await attempted(delivery, null);
    await housekeeping.once();
    expect(await endpoints().get({ id: endpointId })).toMatchObject({
      enabled: false,
      disabled_reason: "failing",
      disabled_at: house.clock.now().toISOString(),
    });
    const [told] = await notices();
    expect(told).toMatchObject({
      kind: "endpoint_disabled",
      endpoint_id: endpointId,
      endpoint_url: url,
      details: { reason: "failing", dropped: 1 },
      read_at: null,
    });
    expect(await dealer.asOwner.events.dropped({})).toMatchObject({
      total: 1,
      data: [{ delivery_id: delivery, reason: "endpoint_disabled" }],
    });
    expect((await endpoints().health()).data[0]?.state).toBe("disabled");
  });

  test("one success between them, and nobody is told of days", async () => {
    const delivery = await oneEvent();
    await failFor(12, delivery);
    house.clock.advance(hourMs);
    await attempted(delivery, 204);
    await housekeeping.once();
    expect((await endpoints().health()).data[0]).toMatchObject({
      state: "healthy",
      failing_since: null,
      last_delivered_at: house.clock.now().toISOString(),
    });
    house.clock.advance(hourMs);
    await failFor(12, delivery);
    expect(await notices()).toEqual([]);
  });

  test("enabled again, what failed before counts no more", async () => {
    const delivery = await oneEvent();
    await failFor(120, delivery);
    house.clock.advance(1);
    await endpoints().update({ id: endpointId, enabled: true });
    await housekeeping.once();
    expect((await endpoints().health()).data[0]).toMatchObject({ state: "idle" });
    house.clock.advance(hourMs);
    await attempted(delivery, 503);
    await housekeeping.once();
    expect(await endpoints().get({ id: endpointId })).toMatchObject({ enabled: true });
  });

  test("two processes at once tell nothing twice", async () => {
    const delivery = await oneEvent();
    await failFor(12, delivery);
    house.clock.advance(12 * hourMs);
    await attempted(delivery, 500);
    await Promise.all([housekeeping.once(), housekeeping.once(), housekeeping.once()]);
    expect(await kinds()).toEqual([["endpoint_failing", 1]]);
  });

  test("disabled by the sender on a 410: told the same way, and in the timeline", async () => {
    await house.db.query(
      `update webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = $2 where id = $1`,
      [toUuid(endpointId), house.clock.now()],
    );
    house.clock.advance(60_000);
    await housekeeping.once();
    await housekeeping.once();
    expect(await notices()).toMatchObject([
      { kind: "endpoint_disabled", details: { reason: "gone" } },
    ]);
    const { data } = await endpoints().timeline({ id: endpointId });
    expect(data.map(({ kind, action, actor }) => [kind, action, actor?.kind])).toEqual([
      ["notice", "endpoint_disabled", undefined],
      ["change", "endpoint.disabled", "system"],
      ["change", "endpoint.created", "member"],
    ]);
  });
});

describe("dropped events", () => {
  test("are told at most once an hour for an endpoint, and counted together", async () => {
    await drop(await oneEvent());
    await housekeeping.once();
    for (let count = 0; count < 3; count += 1) {
      await drop(await oneEvent());
      await housekeeping.once();
    }
    expect(await notices()).toMatchObject([{ kind: "events_dropped", details: { count: 1 } }]);
    house.clock.advance(hourMs);
    await housekeeping.once();
    await housekeeping.once();
    const told = await notices();
    expect(told).toMatchObject([{ details: { count: 3 } }, { details: { count: 1 } }]);
    expect(told[0]?.message).toBe(`3 events could not be delivered to ${url} and were dropped.`);
  });

  test("not those that somebody dropped by disabling the endpoint", async () => {
    await oneEvent();
    await endpoints().update({ id: endpointId, enabled: false });
    await housekeeping.once();
    await endpoints().update({ id: endpointId, enabled: true });
    await housekeeping.once();
    expect(await notices()).toEqual([]);
  });
});

describe("notices", () => {
  test("200: unread ones alone; marked by name, then all; nothing twice", async () => {
    await drop(await oneEvent());
    await housekeeping.once();
    house.clock.advance(hourMs);
    await drop(await oneEvent());
    await housekeeping.once();
    const { list, markRead } = dealer.asOwner.notices;
    const page = await list({ unread: true, limit: 1 });
    expect(page).toMatchObject({ unread: 2, has_more: true });
    const ids = [page.data[0]?.id ?? "", "nonsense"];
    expect(await markRead({ ids })).toEqual({ marked: 1 });
    expect(await list({ unread: true })).toMatchObject({ unread: 1, has_more: false });
    expect(await markRead({ all: true })).toEqual({ marked: 1 });
    expect(await markRead({ all: true })).toEqual({ marked: 0 });
    expect((await list({})).data).toHaveLength(2);
  });

  test("are mailed to every owner, once, also where the server fails in between", async () => {
    const second = await house.member(dealer, `Second owner ${serial}`, "owner");
    await house.member(dealer, `Clerk ${serial}`, "member");
    await drop(await oneEvent());
    await housekeeping.once();
    const [job] = await mailJobs();
    expect(job).toMatchObject({ status: "queued" });
    const mails: Mail[] = [];
    let isAway = false;
    const mailer = {
      send: (mail: Mail) => {
        if (isAway) return Promise.reject(new Error("The mail server is away."));
        mails.push(mail);
        isAway = true;
        return Promise.resolve();
      },
    };
    const { db } = house;
    const handler = noticeMailHandler({ db, mailer, publicUrl: "https://vault.example.com" });
    await expect(runToEnd(house, handler, job?.id ?? "")).rejects.toThrow("away");
    isAway = false;
    house.clock.advance(60_000);
    expect(await runToEnd(house, handler, job?.id ?? "")).toMatchObject({ status: "done" });
    const owners = [dealer.owner.userEmail, second.userEmail];
    expect(mails.map(({ to }) => to).toSorted()).toEqual(owners.toSorted());
    expect(mails[0]?.subject).toBe(`Webhook events have been dropped: Kept ${serial}`);
    expect(mails[0]?.text).toContain(`https://vault.example.com/settings/webhooks/${endpointId}`);
  });

  test("one of an ended connection is mailed too, once, whoever wrote it", async () => {
    const { db, clock } = house;
    await insertNotice(
      db,
      {
        accountId: dealer.account.id,
        kind: "marketplace_revoked",
        endpointId: null,
        message: "eBay no longer lets us act for this account.",
        details: { marketplace: "ebay" },
        onceKey: "marketplace_revoked:1",
      },
      clock.now(),
    );
    await housekeeping.once();
    await housekeeping.once();
    const jobs = await mailJobs();
    expect(jobs).toMatchObject([{ status: "queued" }]);
    const mails: Mail[] = [];
    const mailer = { send: (mail: Mail) => Promise.resolve(void mails.push(mail)) };
    const handler = noticeMailHandler({ db, mailer, publicUrl: "https://vault.example.com" });
    expect(await runToEnd(house, handler, jobs[0]?.id ?? "")).toMatchObject({ status: "done" });
    expect(mails.map(({ to }) => to)).toEqual([dealer.owner.userEmail]);
    expect(mails[0]?.text).toContain("https://vault.example.com/settings/integrations");
  });

  test("none is asked for where the installation sends no mail", async () => {
    await drop(await oneEvent());
    const { db, clock, services } = house;
    const quiet = createHousekeeping({ db, clock, logger: services.logger, sendsMail: false });
    await quiet.once();
    expect(await notices()).toHaveLength(1);
    expect(await mailJobs()).toEqual([]);
  });
});
