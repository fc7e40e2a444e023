import type { Card } from "@cardvault/contract";
import { createJobs } from "@cardvault/jobs";
import { createLogger, systemClock, toId } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { describe, expect, test } from "vitest";
import { stepsOf, verified } from "./received.ts";
import { attemptsAt, deliveriesTo, standingJobs } from "./rows.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";
import type { Stack } from "./stack.ts";
import { stores } from "./stores.ts";

const price = { amount: 1250, currency: "USD" };

/** What a worker's relay does, without a worker that would run the jobs at once. */
async function relayOnce({ services, mongo, databaseUrl }: Stack): Promise<number> {
  const jobs = createJobs({
    db: services.db,
    clock: systemClock,
    logger: createLogger({ name: "e2e", level: "silent" }),
    store:
      mongo === undefined
        ? { kind: "postgres", url: databaseUrl }
        : { kind: "mongodb", url: mongo.url },
  });
  const relayed = await jobs.relayOnce();
  await jobs.stop();
  return relayed;
}

describe.concurrent.each(stores)("with the jobs in %s", (store) => {
  test("a price set with a token arrives, signed, as the events of the change", async (context) => {
    const stack = await startStack(context, { store });
    const receiver = await startReceiver();
    context.onTestFinished(() => receiver.stop());
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const [card, untold] = await session.createCards([{ title: "Tidewing Drake" }, {}]);
    if (card === undefined || untold === undefined) throw new Error("Two cards were made");
    const endpoint = await shop.receive(receiver.url);

    // The receiver keeps its answers back, so that the jobs stand while we look.
    const gate = Promise.withResolvers<void>();
    receiver.always({ kind: "held", until: gate.promise });
    const patched = await shop.call<Card>("PATCH", `/cards/${card.id}`, { asking_price: price });
    expect(patched.status).toBe(200);
    expect(patched.headers.get("etag")).toBe('"2"');
    expect(patched.body).toMatchObject({ workflow_status: "priced", asking_price: price });
    await receiver.waitFor(2);
    const standing = await deliveriesTo(stack, endpoint.id);
    expect(standing.map(({ status }) => status)).toEqual(["pending", "pending"]);
    const data = (await standingJobs(stack)).map((job) => job.data);
    expect(data).toHaveLength(2);
    expect(data).toEqual(
      expect.arrayContaining(standing.map(({ id }) => ({ deliveryId: toId("dlv", id) }))),
    );
    gate.resolve();

    const deliveries = await waitFor(async () => {
      const rows = await deliveriesTo(stack, endpoint.id);
      return rows.every(({ status }) => status === "delivered") && rows;
    });
    expect(deliveries.map(({ attempts }) => attempts)).toEqual([1, 1]);
    const attempts = await attemptsAt(stack, endpoint.id);
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ number: 1, status_code: 200, error_code: null });
      expect(attempt.connect_ms).toBeGreaterThan(0);
      expect(attempt.first_byte_ms).toBeGreaterThan(0);
      expect(attempt.total_ms).toBeGreaterThanOrEqual(attempt.first_byte_ms ?? Infinity);
    }
    await waitFor(async () => (await standingJobs(stack)).length === 0);

    expect(stepsOf(verified(receiver.requests, endpoint.secret), card.id)).toEqual([
      { event: "card.priced", asking_price: price },
      { event: "card.workflow_status_changed", from: "identified", to: "priced" },
    ]);

    // Without a worker the work waits in the database, and then in the queue.
    receiver.reset();
    receiver.always({ kind: "status", status: 204 });
    expect(await stack.worker.stop()).toBe(0);
    const named = {
      title: "Ember Warden",
      set: "Ember Coast",
      number: "12/165",
      asking_price: price,
    };
    const told = await shop.call<Card>("PATCH", `/cards/${untold.id}`, named);
    expect(told.body).toMatchObject({
      status: "identified",
      workflow_status: "priced",
      version: 2,
    });
    expect((await deliveriesTo(stack, endpoint.id)).slice(2).map((row) => row.enqueued_at)).toEqual(
      [null, null, null, null],
    );
    expect(await standingJobs(stack)).toEqual([]);
    expect(await relayOnce(stack)).toBe(4);
    expect(await standingJobs(stack)).toHaveLength(4);
    expect(receiver.requests).toHaveLength(0);
    await stack.worker.start();
    await receiver.waitFor(4);
    expect(stepsOf(verified(receiver.requests, endpoint.secret), untold.id)).toEqual([
      {
        event: "card.identified",
        title: "Ember Warden",
        set: "Ember Coast",
        number: "12/165",
      },
      { event: "card.workflow_status_changed", from: "imported", to: "identified" },
      { event: "card.priced", asking_price: price },
      { event: "card.workflow_status_changed", from: "identified", to: "priced" },
    ]);
  }, 60_000);
});
