import { hasMongo, startReceiver, waitFor } from "@cardvault/testkit";
import { describe, expect, test } from "vitest";
import { quietPort } from "./ports.ts";
import { stepsOf, verified } from "./received.ts";
import { attemptsAt, deliveriesTo, standingJobs } from "./rows.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";
import { stores } from "./stores.ts";

// Real time, all side by side: the specification's first wait is the shortest there is.
const firstWaitMs = 30_000;
const mostLateMs = 1_000;
const price = { amount: 1250, currency: "USD" };
const eventsOfPricing = [
  { event: "card.priced", asking_price: price },
  { event: "card.workflow_status_changed", from: "identified", to: "priced" },
];

describe.concurrent.each(stores)("with the jobs in %s", (store) => {
  test("a receiver that is down and comes back is called again after 30 s: never early, at most 1 s late", async (context) => {
    const stack = await startStack(context, { store });
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const [card] = await session.createCards([{ title: "Glass Oracle" }]);
    const port = await quietPort();
    const endpoint = await shop.receive(`http://127.0.0.1:${port}/hook`);
    await shop.call("PATCH", `/cards/${card?.id}`, { asking_price: price });

    const retrying = await waitFor(async () => {
      const rows = await deliveriesTo(stack, endpoint.id);
      return rows.every(({ status }) => status === "retrying") && rows;
    });
    expect(retrying).toHaveLength(2);
    const failed = await attemptsAt(stack, endpoint.id);
    expect(failed).toEqual([
      expect.objectContaining({ number: 1, status_code: null, error_code: "connect_failed" }),
      expect.objectContaining({ number: 1, status_code: null, error_code: "connect_failed" }),
    ]);
    const lastEndMs = Math.max(...failed.map((one) => one.started_at.getTime() + one.total_ms));
    const receiver = await startReceiver({ port });
    context.onTestFinished(() => receiver.stop());
    await receiver.waitFor(2, { deadlineMs: firstWaitMs + 15_000 });

    await waitFor(async () =>
      (await deliveriesTo(stack, endpoint.id)).every(({ status }) => status === "delivered"),
    );
    const attempts = await attemptsAt(stack, endpoint.id);
    expect(attempts.map(({ number }) => number)).toEqual([1, 1, 2, 2]);
    const firstEndMs = Math.min(...failed.map((one) => one.started_at.getTime() + one.total_ms));
    for (const { started_at: startedAt } of attempts.slice(2)) {
      // Stored times are cut to the millisecond.
      expect(startedAt.getTime()).toBeGreaterThanOrEqual(Math.floor(firstEndMs) + firstWaitMs);
      expect(startedAt.getTime()).toBeLessThanOrEqual(lastEndMs + firstWaitMs + mostLateMs);
    }
    const dueMs = retrying.map((row) => row.next_attempt_at?.getTime() ?? Infinity);
    expect(receiver.requests[0]?.receivedAt.getTime()).toBeGreaterThanOrEqual(Math.min(...dueMs));
    expect(stepsOf(verified(receiver.requests, endpoint.secret), card?.id ?? "")).toEqual(
      eventsOfPricing,
    );
  }, 90_000);
});

describe.concurrent("in MongoDB", () => {
  test.skipIf(!hasMongo)(
    "the collection of jobs is dropped while deliveries wait for their retry: they resume",
    async (context) => {
      const stack = await startStack(context, { store: "mongodb", kind: "short" });
      const receiver = await startReceiver();
      context.onTestFinished(() => receiver.stop());
      const shop = await openShop(stack);
      const session = await shop.signIn();
      const [card, later] = await session.createCards([{ title: "Dax Renner" }, { title: "Fox" }]);
      const endpoint = await shop.receive(receiver.url);
      receiver.script({ kind: "status", status: 500 }, { kind: "status", status: 503 });
      await shop.call("PATCH", `/cards/${card?.id}`, { asking_price: price });
      const retrying = await waitFor(async () => {
        const rows = await deliveriesTo(stack, endpoint.id);
        return rows.every(({ status }) => status === "retrying") && rows;
      });
      expect(retrying).toHaveLength(2);
      await waitFor(async () => (await standingJobs(stack)).length === 2);
      // The worker stands still meanwhile: dropping what is being written to breaks the stand-in for MongoDB.
      stack.worker.pause();
      await stack.mongo?.jobs(async (jobs) => {
        await jobs.countDocuments();
        await jobs.drop();
      });
      expect(await standingJobs(stack)).toEqual([]);
      stack.worker.resume();

      // What is new does not wait for what was lost.
      await shop.call("PATCH", `/cards/${later?.id}`, { asking_price: price });
      await receiver.waitFor(4);
      expect(
        stepsOf(verified(receiver.requests.slice(2), endpoint.secret), later?.id ?? ""),
      ).toEqual(eventsOfPricing);
      await receiver.waitFor(6, { deadlineMs: firstWaitMs + 20_000 });
      const dueMs = Math.min(...retrying.map((row) => row.next_attempt_at?.getTime() ?? Infinity));
      expect(receiver.requests[4]?.receivedAt.getTime()).toBeGreaterThanOrEqual(dueMs);
      const again = verified(receiver.requests.slice(4), endpoint.secret);
      expect(stepsOf(again, card?.id ?? "")).toEqual(eventsOfPricing);
      // The same event, byte for byte.
      expect(bodiesOf(receiver.requests.slice(4))).toEqual(bodiesOf(receiver.requests.slice(0, 2)));
      await waitFor(async () =>
        (await deliveriesTo(stack, endpoint.id)).every(({ status }) => status === "delivered"),
      );
    },
    90_000,
  );
});

function bodiesOf(requests: readonly { readonly body: Buffer }[]): string[] {
  return requests.map(({ body }) => body.toString()).toSorted();
}
