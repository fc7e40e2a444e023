import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
let endpointId: string;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Harbour Cards ${serial}`);
  const url = "https://hooks.example.com/vault";
  const { endpoint } = await dealer.asOwner.webhooks.endpoints.create({ url });
  endpointId = endpoint.id;
});
afterAll(() => house.close());

const endpoints = () => dealer.asOwner.webhooks.endpoints;
const events = () => dealer.asOwner.events;

/** One event with a delivery that is still to be made. */
async function oneEvent() {
  const { id } = await dealer.asOwner.batches.create({ name: "Harbour" });
  await dealer.asOwner.batches.complete({ id });
  const [event] = (await events().list({ limit: 1 })).data;
  if (event === undefined) throw new Error("completing a batch fires an event");
  return event;
}

/** As the sender leaves a delivery whose last attempt failed. */
async function dropAll() {
  await house.db.query(
    `update webhook_delivery set status = 'dropped', drop_reason = 'attempts_exhausted', attempts = 7,
       next_attempt_at = null, finished_at = $2, last_status_code = 500
     where account_id = $1 and status in ('pending', 'retrying')`,
    [toUuid(dealer.account.id), house.clock.now()],
  );
}

describe("events.list and events.get", () => {
  test("200: the newest first; one whole, as it is sent", async () => {
    const first = await oneEvent();
    const second = await oneEvent();
    const { data } = await events().list({});
    expect(data.map(({ id }) => id)).toEqual([second.id, first.id]);
    const detail = await events().get({ id: first.id });
    expect(Object.keys(detail.envelope)).toEqual([
      "id",
      "event",
      "created_at",
      "account_id",
      "data",
    ]);
    expect(detail.envelope).toMatchObject({
      id: first.id,
      event: "batch.completed",
      account_id: dealer.account.id,
    });
    expect(detail.deliveries).toMatchObject([
      { endpoint_id: endpointId, generation: 1, status: "pending", attempts: [] },
    ]);
  });

  test("200: of one kind only", async () => {
    await oneEvent();
    expect((await events().list({ event: ["card.priced"] })).data).toEqual([]);
    expect((await events().list({ event: ["batch.completed"] })).data).toHaveLength(1);
    await oneEvent();
    const { next_cursor: cursor, total } = await events().list({ limit: 1 });
    expect(total).toBe(2);
    expect((await events().list({ limit: 1, cursor: cursor ?? "" })).total).toBeNull();
  });

  test.each(["nonsense", "evt_01kjn2z6g0fgz9pqafd9r83gq3"])("404 not_found for %s", async (id) => {
    expect(await codeFrom(events().get({ id }))).toBe("not_found");
  });
});

describe("events.redeliver", () => {
  test("200: a dropped event goes out again: the same event in a new generation, due now", async () => {
    const event = await oneEvent();
    await dropAll();
    expect(await events().dropped({})).toMatchObject({
      total: 1,
      data: [{ event_id: event.id, reason: "attempts_exhausted", can_redeliver: true }],
    });
    const before = await events().get({ id: event.id });
    const made = await events().redeliver({ event_id: event.id, endpoint_id: endpointId });
    expect(made).toMatchObject({
      event_id: event.id,
      generation: 2,
      status: "pending",
      attempt_count: 0,
      next_attempt_at: house.clock.now().toISOString(),
    });
    const after = await events().get({ id: event.id });
    expect(after.envelope).toEqual(before.envelope);
    expect(after.deliveries.map(({ generation, status }) => [generation, status])).toEqual([
      [1, "dropped"],
      [2, "pending"],
    ]);
    expect(after.deliveries[1]).toEqual({ ...made, can_redeliver: true, attempts: [] });
    // Its successor stands for it: nobody has to dismiss it as well.
    expect(await events().dropped({})).toMatchObject({ total: 0, data: [] });
  });

  test("200: one still retrying is cancelled, so that it is not sent twice", async () => {
    const event = await oneEvent();
    await events().redeliver({ event_id: event.id, endpoint_id: endpointId });
    const { deliveries } = await events().get({ id: event.id });
    expect(deliveries.map(({ status }) => status)).toEqual(["cancelled", "pending"]);
  });

  test("200: an event that never went to an endpoint starts at generation 1", async () => {
    const event = await oneEvent();
    const { endpoint } = await endpoints().create({ url: "https://later.example.com/" });
    const made = await events().redeliver({ event_id: event.id, endpoint_id: endpoint.id });
    expect(made).toMatchObject({ generation: 1, endpoint_id: endpoint.id });
  });

  test("409 conflict for a disabled or removed endpoint, and while an attempt is in flight", async () => {
    const event = await oneEvent();
    const redeliver = () => events().redeliver({ event_id: event.id, endpoint_id: endpointId });
    const lease = (until: Date | null) =>
      house.db.query("update webhook_delivery set lease_until = $2 where account_id = $1", [
        toUuid(dealer.account.id),
        until,
      ]);
    await lease(new Date(house.clock.now().getTime() + 1_000));
    expect(await codeFrom(redeliver())).toBe("conflict");
    await lease(null);
    await endpoints().update({ id: endpointId, enabled: false });
    expect(await codeFrom(redeliver())).toBe("conflict");
    await endpoints().delete({ id: endpointId });
    expect(await codeFrom(redeliver())).toBe("conflict");
  });

  test("404 not_found for an event or endpoint that there is not", async () => {
    const event = await oneEvent();
    const wrong = [
      { event_id: "nonsense", endpoint_id: endpointId },
      { event_id: "evt_01kjn2z6g0fgz9pqafd9r83gq3", endpoint_id: endpointId },
      { event_id: event.id, endpoint_id: "nonsense" },
      { event_id: event.id, endpoint_id: "whe_01kjn2z6g0fgz9pqafd9r83gq3" },
    ];
    for (const input of wrong) {
      expect(await codeFrom(events().redeliver(input))).toBe("not_found");
    }
  });

  test("of two at the same moment both count, one after the other", async () => {
    const event = await oneEvent();
    const input = { event_id: event.id, endpoint_id: endpointId };
    const both = await Promise.all([events().redeliver(input), events().redeliver(input)]);
    expect(both.map(({ generation }) => `generation ${generation}`).toSorted()).toEqual([
      "generation 2",
      "generation 3",
    ]);
  });
});

describe("events.dismiss", () => {
  test("200: the named, then all of an endpoint; nothing twice", async () => {
    for (let i = 0; i < 3; i += 1) await oneEvent();
    await dropAll();
    const [first] = (await events().dropped({})).data;
    const delivery_ids = [first?.delivery_id ?? "", "nonsense", "dlv_01kjn2z6g0fgz9pqafd9r83gq3"];
    expect(await events().dismiss({ delivery_ids, note: "seen" })).toEqual({ dismissed: 1 });
    expect(await events().dismiss({ delivery_ids })).toEqual({ dismissed: 0 });
    expect((await events().dropped({})).total).toBe(2);
    expect(await events().dismiss({ endpoint_id: endpointId })).toEqual({ dismissed: 2 });
    expect(await events().dropped({})).toMatchObject({ total: 0, data: [] });
  });

  test("200: what is still to be delivered is not touched", async () => {
    await oneEvent();
    expect(await events().dismiss({ endpoint_id: endpointId })).toEqual({ dismissed: 0 });
  });

  test("400 validation_failed for both or neither", async () => {
    expect(await codeFrom(events().dismiss({}))).toBe("validation_failed");
    const both = { endpoint_id: endpointId, delivery_ids: ["x"] };
    expect(await codeFrom(events().dismiss(both))).toBe("validation_failed");
  });
});

describe("disabling and removing an endpoint", () => {
  test("drops what is undelivered, with its reason; of a removed one it is listed, not counted", async () => {
    await oneEvent();
    await endpoints().update({ id: endpointId, enabled: false });
    expect(await events().dropped({})).toMatchObject({
      total: 1,
      data: [{ reason: "endpoint_disabled", can_redeliver: false }],
    });
    await events().dismiss({ endpoint_id: endpointId });
    await endpoints().update({ id: endpointId, enabled: true });
    await oneEvent();
    await endpoints().delete({ id: endpointId });
    expect(await events().dropped({})).toMatchObject({
      total: 0,
      data: [{ reason: "endpoint_removed" }],
    });
  });
});

test("accounts.overview: counters, values in the account's currency, dropped events", async () => {
  const usd = (amount: number) => ({ amount, currency: "USD" });
  const { cards, accounts } = dealer.asOwner;
  await cards.create({
    title: "One",
    asking_price: usd(1000),
    purchase_price: usd(400),
    quantity: 2,
  });
  const archived = await cards.create({ title: "Two", asking_price: usd(999) });
  await cards.update({ id: archived.id, workflow_status: "archived" });
  await cards.create({});
  await oneEvent();
  await dropAll();
  expect(await accounts.overview()).toMatchObject({
    counts: { imported: 1, priced: 1, archived: 1, sold: 0 },
    needs_review: 0,
    open_batches: 0,
    asking_value: usd(2000),
    cost: usd(800),
    // Four of each priced card, one of archiving, one of the batch.
    dropped_events: 10,
  });
});
