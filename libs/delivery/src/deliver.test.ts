import { waitsSeconds } from "@cardvault/contract";
import { verifyWebhook } from "@cardvault/client";
import { lockDeliveryPlace, writeRedelivery } from "@cardvault/db";
import { redeliver } from "@cardvault/domain";
import { startReceiver, waitFor } from "@cardvault/testkit";
import type { Answer, ReceivedRequest, Receiver } from "@cardvault/testkit";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startDelivery, storeKinds } from "./fixtures.ts";
import type { Delivery, StartOptions } from "./fixtures.ts";

let receiver: Receiver;
let delivery: Delivery | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await delivery?.stop();
  delivery = undefined;
  await receiver.stop();
});

async function start(kind: (typeof storeKinds)[number], options?: StartOptions): Promise<Delivery> {
  delivery = await startDelivery(kind, options);
  return delivery;
}

function signatureOf(request: ReceivedRequest | undefined): string | undefined {
  return request?.headers["x-vault-signature"] as string | undefined;
}

describe.each(storeKinds)("with the queue in %s", (kind) => {
  test("an event arrives as its stored bytes, with headers that verify, and nothing else of ours", async () => {
    const { addEndpoint, emit, deliveries, attempts, clock, db } = await start(kind);
    const { secret } = await addEndpoint(`${receiver.url}/hook?a=1`);
    const eventId = await emit();
    const [request] = await receiver.waitFor(1);
    if (request === undefined) throw new Error("no request");

    const event = verifyWebhook(request.body, signatureOf(request), secret, { now: clock.now() });
    expect(event).toMatchObject({ id: eventId, event: "card.priced" });
    const [stored] = await db.query<{ body: string }>("select body from webhook_event");
    expect(request.body.toString("utf8")).toBe(stored?.body);
    expect(request.path).toBe("/hook?a=1");
    const names = Object.keys(request.headers).toSorted();
    expect(names).toEqual([
      "accept-encoding",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
      "x-vault-signature",
    ]);

    const [row] = await waitFor(async () => {
      const rows = await deliveries(eventId);
      return rows[0]?.status === "delivered" && rows;
    });
    expect(row).toMatchObject({ attempts: 1, claims: 0, lease_token: null, last_status_code: 200 });
    expect(await attempts(eventId)).toMatchObject([
      { number: 1, status_code: 200, error_code: null, response_truncated: false },
    ]);
  });

  const failures: [string, Answer, Record<string, unknown>][] = [
    ["answers 500", { kind: "status", status: 500, body: "no" }, { status_code: 500 }],
    ["redirects", { kind: "redirect", to: "http://127.0.0.1:1/" }, { status_code: 302 }],
    ["hangs", { kind: "hang" }, { status_code: null, error_code: "timeout" }],
    ["closes", { kind: "close" }, { status_code: null, error_code: "connection_closed" }],
  ];
  test.each(failures)(
    "a receiver that %s is tried seven times, on the waits of the spec, and then dropped",
    async (_, answer, logged) => {
      const { addEndpoint, emit, deliveries, attempts, advance, clock } = await start(kind, {
        delivery: { timeoutMs: answer.kind === "hang" ? 150 : 3_000 },
      });
      await addEndpoint(receiver.url);
      receiver.always(answer);
      const eventId = await emit();
      for (const [index, seconds] of waitsSeconds.entries()) {
        const [row] = await waitFor(async () => {
          const rows = await deliveries(eventId);
          return rows[0]?.attempts === index + 1 && rows;
        });
        expect(row?.status).toBe("retrying");
        expect(row?.next_attempt_at).toEqual(new Date(clock.now().getTime() + seconds * 1_000));
        // A millisecond too early nothing happens.
        await advance(seconds * 1_000 - 1);
        expect(receiver.requests).toHaveLength(index + 1);
        await advance(1);
      }
      const [row] = await waitFor(async () => {
        const rows = await deliveries(eventId);
        return rows[0]?.status === "dropped" && rows;
      });
      expect(row).toMatchObject({ attempts: 7, drop_reason: "attempts_exhausted" });
      const log = await attempts(eventId);
      expect(log.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      for (const attempt of log) expect(attempt).toMatchObject(logged);
      expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
      await advance(48 * 3_600_000);
      expect(receiver.requests).toHaveLength(7);
    },
  );

  test("a dropped event that is redelivered has the same id and bytes, and a fresh signature", async () => {
    const { addEndpoint, emit, deliveries, accountId, advance, clock, db, jobs } = await start(
      kind,
      {
        isWorking: false,
      },
    );
    const { id: endpointId, secret } = await addEndpoint(receiver.url);
    receiver.script({ kind: "status", status: 500 });
    const eventId = await emit();
    await db.query("update webhook_delivery set attempts = 6, status = 'retrying'");
    await jobs.start();
    await waitFor(async () => (await deliveries(eventId))[0]?.status === "dropped");

    await advance(3_600_000);
    await db.transaction(async (tx) => {
      const place = await lockDeliveryPlace(tx, accountId, eventId, endpointId);
      if (place?.latest == null) throw new Error("no delivery");
      const { next } = redeliver(place.latest, place.endpoint, clock.now());
      await writeRedelivery(tx, { accountId, eventId, endpointId }, place.latest, next);
    });
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers["webhook-id"]).toBe(eventId);
    expect(signatureOf(second)).not.toBe(signatureOf(first));
    verifyWebhook(second?.body ?? "", signatureOf(second), secret, { now: clock.now() });
    const [, again] = await waitFor(async () => {
      const rows = await deliveries(eventId);
      return rows[1]?.status === "delivered" && rows;
    });
    expect(again).toMatchObject({ generation: 2, attempts: 1 });
  });

  test("during a rotation the old secret signs the spec's header, and both the standard one", async () => {
    const next = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const { addEndpoint, emit, clock } = await start(kind);
    clock.set(new Date());
    const { secret } = await addEndpoint(receiver.url, { nextSecret: next });
    await emit();
    const [before] = await receiver.waitFor(1);
    expect(() => verifyWebhook(before?.body ?? "", signatureOf(before), next)).toThrow("signature");
    verifyWebhook(before?.body ?? "", signatureOf(before), secret);
    for (const either of [secret, next]) {
      new Webhook(either).verify(
        before?.body.toString() ?? "",
        before?.headers as Record<string, string>,
      );
    }
    clock.advance(3_600_000);
    await emit();
    const [, after] = await receiver.waitFor(2);
    verifyWebhook(after?.body ?? "", signatureOf(after), next, { now: clock.now() });
  });

  test("what is pending at a disabled endpoint is dropped visibly, also what comes a moment later", async () => {
    const { addEndpoint, emit, deliveries, db } = await start(kind, { isWorking: false });
    await addEndpoint(receiver.url);
    const eventId = await emit();
    await db.query("update webhook_endpoint set enabled = false, disabled_reason = 'by_hand'");
    await delivery?.jobs.start();
    const [row] = await waitFor(async () => {
      const rows = await deliveries(eventId);
      return rows[0]?.status === "dropped" && rows;
    });
    expect(row).toMatchObject({ drop_reason: "endpoint_disabled", attempts: 0 });
    expect(receiver.requests).toHaveLength(0);
  });

  test.each([
    ["enabled = false, disabled_reason = 'by_hand'", "endpoint_disabled"],
    ["deleted_at = now()", "endpoint_removed"],
  ])("what fails in flight while %s is set is dropped at once: %s", async (change, reason) => {
    const { addEndpoint, emit, deliveries, attempts, db } = await start(kind, {
      delivery: { timeoutMs: 1_000 },
    });
    await addEndpoint(receiver.url);
    receiver.always({ kind: "hang" });
    const eventId = await emit();
    await receiver.waitFor(1);
    await db.query(`update webhook_endpoint set ${change}`);
    const [row] = await waitFor(async () => {
      const rows = await deliveries(eventId);
      return rows[0]?.status === "dropped" && rows;
    });
    expect(row).toMatchObject({ drop_reason: reason, attempts: 1, next_attempt_at: null });
    expect(await attempts(eventId)).toMatchObject([{ number: 1, error_code: "timeout" }]);
  });

  test("what is delivered while its endpoint is switched off is delivered", async () => {
    const { addEndpoint, emit, deliveries, db } = await start(kind);
    await addEndpoint(receiver.url);
    const gate = Promise.withResolvers<void>();
    receiver.always({ kind: "held", until: gate.promise });
    const eventId = await emit();
    await receiver.waitFor(1);
    await db.query("update webhook_endpoint set enabled = false, disabled_reason = 'by_hand'");
    gate.resolve();
    const [row] = await waitFor(async () => {
      const rows = await deliveries(eventId);
      return rows[0]?.status !== "pending" && rows;
    });
    expect(row).toMatchObject({ status: "delivered", drop_reason: null });
  });

  test("an endpoint that says 410 to the end is disabled, and its other deliveries are dropped", async () => {
    const { addEndpoint, emit, deliveries, db } = await start(kind, { isWorking: false });
    await addEndpoint(receiver.url);
    receiver.always({ kind: "status", status: 410 });
    const eventId = await emit();
    const later = await emit();
    await db.query(
      `update webhook_delivery set attempts = 6, status = 'retrying' where event_id = (select id from webhook_event order by id limit 1)`,
    );
    await db.query(
      `update webhook_delivery set next_attempt_at = next_attempt_at + interval '1 hour' where attempts = 0`,
    );
    await delivery?.jobs.start();
    await waitFor(async () => (await deliveries(eventId))[0]?.status === "dropped");
    const [endpoint] = await db.query<Record<string, unknown>>("select * from webhook_endpoint");
    expect(endpoint).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect(await deliveries(later)).toMatchObject([
      { status: "dropped", drop_reason: "endpoint_disabled" },
    ]);
  });

  test("loopback is refused to a live account, and no address is told", async () => {
    const { addEndpoint, emit, attempts } = await start(kind, { environment: "live" });
    await addEndpoint(receiver.url);
    const eventId = await emit();
    const [attempt] = await waitFor(async () => {
      const rows = await attempts(eventId);
      return rows.length > 0 && rows;
    });
    expect(attempt).toMatchObject({ error_code: "url_refused", status_code: null });
    expect(receiver.requests).toHaveLength(0);
  });

  test("what a dead endpoint has pending holds up nobody, and costs no attempt", async () => {
    const dead = await startReceiver();
    dead.always({ kind: "hang" });
    const { addEndpoint, emit, deliveries, db, stop } = await start(kind, {
      isRealTime: true,
      delivery: { slotsPerEndpoint: 2, timeoutMs: 2_000 },
      jobs: { lanes: { deliveryShards: 1, concurrency: 10, lockLimit: 15 } },
    });
    await addEndpoint(dead.url);
    for (let count = 0; count < 20; count += 1) await emit();
    await dead.waitFor(2);
    await addEndpoint(receiver.url);
    const eventId = await emit();
    await receiver.waitFor(1, { deadlineMs: 1_500 });
    await waitFor(async () =>
      (await deliveries(eventId)).some(({ status }) => status === "delivered"),
    );
    expect(dead.requests.length).toBeLessThanOrEqual(2);
    const spent = await db.query(
      "select 1 from webhook_delivery where attempts > 0 and status <> 'delivered'",
    );
    expect(spent).toHaveLength(0);
    await stop();
    delivery = undefined;
    await dead.stop();
  });
});
