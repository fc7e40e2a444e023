import { bySystem, changeAccount } from "@cardvault/db";
import { newId, toUuid } from "@cardvault/kit";
import { waitFor } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { recoverHandler } from "./recover.ts";
import { redeliverHandler } from "./redeliver.ts";
import { runChunk, runToEnd } from "./test-run.ts";

let house: House;
let dealer: Dealer;
let endpointId: string;
let since: string;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Recovering ${serial}`);
  // Events have the database's own time.
  house.clock.set(new Date());
  since = house.clock.now().toISOString();
  const url = "https://hooks.example.com/vault";
  const { endpoint } = await dealer.asOwner.webhooks.endpoints.create({ url });
  endpointId = endpoint.id;
});
afterAll(() => house.close());

const endpoints = () => dealer.asOwner.webhooks.endpoints;
const jobs = () => dealer.asOwner.jobs;
const handler = () => recoverHandler(house.services);

/** So many events in one change. Answers their ids in the order of the steps. */
async function emit(count: number): Promise<string[]> {
  const cards = Array.from({ length: count }, () => newId("card"));
  await changeAccount(
    house.db,
    { accountId: dealer.account.id, clock: house.clock, by: bySystem },
    (unit) => {
      const asking_price = { amount: 1250, currency: "USD" };
      unit.emit(
        ...cards.map((card_id) => ({
          type: "card.priced" as const,
          data: { card_id, asking_price },
        })),
      );
      return Promise.resolve();
    },
  );
  const rows = await house.db.query<{ body: string }>(
    "select body from webhook_event where subject_id = any($1) order by id",
    [cards.map((card) => toUuid(card))],
  );
  return rows.map(({ body }) => (JSON.parse(body) as { id: string }).id);
}

/** Leaves the deliveries of an event as the sender would. */
async function become(eventId: string, to: "delivered" | "retrying" | "dropped"): Promise<void> {
  await house.db.query(
    `update webhook_delivery set status = $2, attempts = 3,
       drop_reason = case when $2 = 'dropped' then 'deadline' end,
       next_attempt_at = case when $2 = 'retrying' then $3::timestamptz end,
       finished_at = case when $2 <> 'retrying' then $3::timestamptz end
     where event_id = $1 and status = 'pending'`,
    [toUuid(eventId), to, house.clock.now()],
  );
}

/** One event in each state, and one that was never sent. */
async function oneOfEach() {
  const [delivered = "", retrying = "", dropped = "", pending = ""] = await emit(4);
  await become(delivered, "delivered");
  await become(retrying, "retrying");
  await become(dropped, "dropped");
  await endpoints().update({ id: endpointId, events: ["batch.completed"] });
  const [neverSent = ""] = await emit(1);
  await endpoints().update({ id: endpointId, events: ["card.priced"] });
  return { delivered, retrying, dropped, pending, neverSent };
}

async function generationsOf(eventId: string): Promise<[number, string][]> {
  const { deliveries } = await dealer.asOwner.events.get({ id: eventId });
  return deliveries.map(({ generation, status }) => [generation, status]);
}

describe("webhooks.endpoints.missing", () => {
  test("200: what has not arrived, the oldest first, with how it stands", async () => {
    const { retrying, dropped, pending, neverSent } = await oneOfEach();
    const { data, has_more } = await endpoints().missing({ id: endpointId, since });
    expect(data.map((one) => [one.event_id, one.status])).toEqual([
      [retrying, "retrying"],
      [dropped, "dropped"],
      [pending, "pending"],
      [neverSent, "never_sent"],
    ]);
    expect(has_more).toBe(false);
    expect(data[1]).toMatchObject({ drop_reason: "deadline", generation: 1, event: "card.priced" });
    expect(data[3]).toMatchObject({ delivery_id: null, generation: null });
  });

  test("200: nothing before the moment, nothing of types it does not want, and pages that meet", async () => {
    await oneOfEach();
    const later = new Date(Date.now() + 1).toISOString();
    await waitFor(() => Date.now() > Date.parse(later));
    const events = await emit(5);
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await endpoints().missing({ id: endpointId, since: later, limit: 2, cursor });
      walked.push(...page.data.map(({ event_id }) => event_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(events);
    await endpoints().update({ id: endpointId, events: ["listing.sold"] });
    expect((await endpoints().missing({ id: endpointId, since })).data).toEqual([]);
  });

  test("400 invalid_cursor for a cursor of another moment", async () => {
    await emit(3);
    const { next_cursor } = await endpoints().missing({ id: endpointId, since, limit: 1 });
    const other = { id: endpointId, since: "2026-01-01T00:00:00Z", cursor: next_cursor ?? "" };
    expect(await codeFrom(endpoints().missing(other))).toBe("invalid_cursor");
  });
});

describe("webhooks.endpoints.recover", () => {
  test("200: what has failed goes out again; what arrived, waits or was never sent does not", async () => {
    const { delivered, retrying, dropped, pending, neverSent } = await oneOfEach();
    const job = await endpoints().recover({ id: endpointId, since });
    expect(job).toMatchObject({
      kind: "webhook.recover",
      status: "queued",
      subject_id: endpointId,
    });
    await runToEnd(house, handler(), job.id);
    expect(await jobs().get({ id: job.id })).toMatchObject({
      status: "done",
      progress: { total: 5, done: 5, changed: 2, skipped: 0 },
    });
    expect(await generationsOf(delivered)).toEqual([[1, "delivered"]]);
    expect(await generationsOf(pending)).toEqual([[1, "pending"]]);
    expect(await generationsOf(neverSent)).toEqual([]);
    expect(await generationsOf(retrying)).toEqual([
      [1, "cancelled"],
      [2, "pending"],
    ]);
    expect(await generationsOf(dropped)).toEqual([
      [1, "dropped"],
      [2, "pending"],
    ]);
  });

  test("200: with what is missing, also what was never sent; a second time there is nothing left", async () => {
    const { neverSent } = await oneOfEach();
    const again = async () => {
      const job = await endpoints().recover({ id: endpointId, since, include: "missing" });
      return (await runToEnd(house, handler(), job.id)).progress;
    };
    expect(await again()).toMatchObject({ changed: 3 });
    expect(await generationsOf(neverSent)).toEqual([[1, "pending"]]);
    expect(await again()).toMatchObject({ changed: 0 });
  });

  test("200: what somebody has dismissed is not sent again, and what is in flight is skipped", async () => {
    const { retrying } = await oneOfEach();
    await dealer.asOwner.events.dismiss({ endpoint_id: endpointId });
    const job = await endpoints().recover({ id: endpointId, since });
    await house.db.query("update webhook_delivery set lease_until = $2 where event_id = $1", [
      toUuid(retrying),
      new Date(house.clock.now().getTime() + 5_000),
    ]);
    const { progress } = await runToEnd(house, handler(), job.id);
    expect(progress).toMatchObject({ changed: 0, skipped: 1 });
  });

  test("in chunks: a worker that dies between two begins where the last one was committed", async () => {
    const events = await emit(450);
    for (const id of events) await become(id, "dropped");
    const job = await endpoints().recover({ id: endpointId, since });
    const first = await runChunk(house, handler(), job.id);
    expect(first).toMatchObject({ status: "running", progress: { changed: 200, done: 200 } });
    const progress = await jobs().get({ id: job.id });
    expect(progress.progress).toMatchObject({ total: 450, done: 200, changed: 200, skipped: 0 });
    // Claimed, then killed: nobody reports, and the lease runs out.
    await house.db.query("update job set lease_until = $2, lease_token = uuidv7() where id = $1", [
      toUuid(job.id),
      new Date(house.clock.now().getTime() - 1),
    ]);
    expect(await runToEnd(house, handler(), job.id)).toMatchObject({
      status: "done",
      progress: { changed: 450, done: 450, total: 450 },
    });
    const [made] = await house.db.query(
      "select count(*) as count from webhook_delivery where endpoint_id = $1 and generation = 2",
      [toUuid(endpointId)],
    );
    expect(made).toEqual({ count: 450 });
  });

  test("409 conflict while one runs; another endpoint's goes on; once cancelled a new one may begin", async () => {
    const recover = () => endpoints().recover({ id: endpointId, since });
    const both = await Promise.allSettled([recover(), recover()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await codeFrom(recover())).toBe("conflict");
    const other = await endpoints().create({ url: "https://other.example.com/" });
    await endpoints().recover({ id: other.endpoint.id, since });
    const [standing] = (await endpoints().health()).data;
    const id = standing?.recovery_job_id ?? "";
    expect(await jobs().cancel({ id })).toMatchObject({ status: "cancelled" });
    expect(await codeFrom(jobs().cancel({ id }))).toBe("invalid_transition");
    expect(await recover()).toMatchObject({ status: "queued" });
  });

  test("cancelled between two chunks: what was committed stays", async () => {
    for (const id of await emit(250)) await become(id, "dropped");
    const job = await endpoints().recover({ id: endpointId, since });
    await runChunk(house, handler(), job.id);
    await jobs().cancel({ id: job.id });
    expect(await codeFrom(runChunk(house, handler(), job.id))).toBe("invalid_transition");
    expect(await jobs().get({ id: job.id })).toMatchObject({
      status: "cancelled",
      progress: { changed: 200 },
    });
  });

  test("409 conflict for a disabled endpoint; disabled meanwhile, the job fails and says why", async () => {
    const [event = ""] = await emit(1);
    await become(event, "dropped");
    const job = await endpoints().recover({ id: endpointId, since });
    await endpoints().update({ id: endpointId, enabled: false });
    expect(await runToEnd(house, handler(), job.id)).toMatchObject({
      status: "failed",
      error: { code: "endpoint_disabled", message: "The endpoint is disabled." },
    });
    expect(await codeFrom(endpoints().recover({ id: endpointId, since }))).toBe("conflict");
  });

  test("403 not_permitted for a member who would cancel it", async () => {
    const job = await endpoints().recover({ id: endpointId, since });
    const member = await house.member(dealer, `Clerk ${serial}`, "member");
    expect(await codeFrom(house.caller(member).jobs.cancel({ id: job.id }))).toBe("not_permitted");
    expect(await house.caller(member).jobs.get({ id: job.id })).toMatchObject({ id: job.id });
  });
});

describe("events.redeliverMany", () => {
  test("200: each of the named; what cannot go out is named with its reason", async () => {
    const { dropped, retrying } = await oneOfEach();
    const { endpoint } = await endpoints().create({ url: "https://other.example.com/" });
    const [other = ""] = await emit(1);
    await endpoints().delete({ id: endpoint.id });
    const idOf = async (event: string, at: string) => {
      const { deliveries } = await dealer.asOwner.events.get({ id: event });
      return deliveries.find(({ endpoint_id }) => endpoint_id === at)?.id ?? "";
    };
    const gone = await idOf(other, endpoint.id);
    const delivery_ids = [
      await idOf(dropped, endpointId),
      await idOf(retrying, endpointId),
      gone,
      "nonsense",
    ];
    const answer = await dealer.asOwner.events.redeliverMany({ delivery_ids });
    expect(answer.redelivered.map(({ event_id, generation }) => [event_id, generation])).toEqual([
      [dropped, 2],
      [retrying, 2],
    ]);
    expect(answer.refused).toEqual([
      {
        delivery_id: "nonsense",
        code: "not_found",
        message: "There is no such delivery in this account.",
      },
      { delivery_id: gone, code: "conflict", message: "The endpoint has been removed." },
    ]);
    // An old generation of an event that is on its way again: the newest one is followed by another.
    const first = await dealer.asOwner.events.redeliverMany({ delivery_ids });
    expect(first.redelivered.map(({ generation }) => generation)).toEqual([3, 3]);
  });

  test("400 validation_failed for none and for more than 200", async () => {
    for (const count of [0, 201]) {
      const delivery_ids = Array.from({ length: count }, () => newId("dlv"));
      const call = dealer.asOwner.events.redeliverMany({ delivery_ids });
      expect(await codeFrom(call)).toBe("validation_failed");
    }
  });
});

describe("events.redeliverDropped", () => {
  const dropped = async () => {
    const { data } = await dealer.asOwner.events.dropped({ limit: 200 });
    return data.map(({ delivery_id }) => delivery_id);
  };
  const again = () => redeliverHandler(house.services);

  test("200: all of an endpoint by one job, in chunks; killed between two it sends nothing twice", async () => {
    const events = await emit(450);
    for (const id of events.slice(1)) await become(id, "dropped");
    const [aside = ""] = await dropped();
    await dealer.asOwner.events.dismiss({ delivery_ids: [aside] });
    const member = await house.member(dealer, `Clerk ${serial}`, "member");
    const job = await house.caller(member).events.redeliverDropped({ endpoint_id: endpointId });
    expect(job).toMatchObject({
      kind: "webhook.redeliver",
      subject_id: endpointId,
      created_by: member.userId,
      progress: { total: 448, done: 0 },
    });
    expect(await runChunk(house, again(), job.id)).toMatchObject({ progress: { changed: 200 } });
    // Claimed, then killed: nobody reports, and the lease runs out.
    await house.db.query("update job set lease_until = $2, lease_token = uuidv7() where id = $1", [
      toUuid(job.id),
      new Date(house.clock.now().getTime() - 1),
    ]);
    expect(await runToEnd(house, again(), job.id)).toMatchObject({
      status: "done",
      progress: { total: 448, done: 448, changed: 448, skipped: 0 },
    });
    expect(await dropped()).toEqual([]);
    const [made] = await house.db.query(
      "select count(*) as made, max(generation) as latest from webhook_delivery where endpoint_id = $1 and generation > 1",
      [toUuid(endpointId)],
    );
    expect(made).toEqual({ made: 448, latest: 2 });
  });

  test("200: more by name than one call takes; what was settled meanwhile is skipped, of an endpoint that is off failed", async () => {
    const other = await endpoints().create({ url: "https://other.example.com/" });
    const events = await emit(120);
    for (const id of events) await become(id, "dropped");
    const delivery_ids = await dropped();
    expect(delivery_ids).toHaveLength(200);
    const job = await dealer.asOwner.events.redeliverDropped({
      delivery_ids: [...delivery_ids, "nonsense", newId("dlv")],
    });
    expect(job.progress.total).toBe(200);
    const { data } = await dealer.asOwner.events.dropped({ endpoint_id: endpointId, limit: 200 });
    const named = data.filter(({ delivery_id }) => delivery_ids.includes(delivery_id));
    const [one, two] = named;
    await dealer.asOwner.events.dismiss({ delivery_ids: [one?.delivery_id ?? ""] });
    await dealer.asOwner.events.redeliver({
      event_id: two?.event_id ?? "",
      endpoint_id: endpointId,
    });
    await endpoints().update({ id: other.endpoint.id, enabled: false });
    expect(await runToEnd(house, again(), job.id)).toMatchObject({
      status: "done",
      progress: { total: 200, changed: named.length - 2, skipped: 2, failed: 200 - named.length },
    });
    // Once more: all of them are settled, or cannot be.
    const rest = await dealer.asOwner.events.redeliverDropped({ delivery_ids });
    expect(rest.progress.total).toBe(200 - named.length);
  });

  test("409 conflict for a disabled endpoint; disabled meanwhile the job fails; 404 where none is dropped", async () => {
    const [event = ""] = await emit(1);
    await become(event, "dropped");
    const { redeliverDropped } = dealer.asOwner.events;
    const job = await redeliverDropped({ endpoint_id: endpointId });
    const [id = ""] = await dropped();
    await dealer.asOwner.events.dismiss({ delivery_ids: [id] });
    expect(await codeFrom(redeliverDropped({ delivery_ids: [id] }))).toBe("not_found");
    expect(await codeFrom(redeliverDropped({}))).toBe("validation_failed");
    const [next = ""] = await emit(1);
    await become(next, "dropped");
    const later = await redeliverDropped({ endpoint_id: endpointId });
    await endpoints().update({ id: endpointId, enabled: false });
    expect(await codeFrom(redeliverDropped({ endpoint_id: endpointId }))).toBe("conflict");
    expect(await runToEnd(house, again(), job.id)).toMatchObject({
      status: "failed",
      error: { code: "endpoint_disabled" },
    });
    expect(await runToEnd(house, again(), later.id)).toMatchObject({ status: "failed" });
  });
});
