import { createJobs } from "@cardvault/jobs";
import { createLogger, systemClock } from "@cardvault/kit";
import { describeWithMongo, startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { isLong } from "./long.ts";
import { statusOf } from "./program.ts";
import { stepsOf, verified } from "./received.ts";
import { attemptsAt, deliveriesTo, standingJobs } from "./rows.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";

const awayMs = isLong ? 60_000 : 3_000;
const price = { amount: 900, currency: "USD" };
const eventsOfPricing = [
  { event: "card.priced", asking_price: price },
  { event: "card.workflow_status_changed", from: "identified", to: "priced" },
];
const untilRevivedMs = 20_000;

describeWithMongo("MongoDB", () => {
  test.concurrent(
    "killed for a while: writes go on, readiness tells, events flow when it is back",
    async (context) => {
      const stack = await startStack(context, { store: "mongodb" });
      const receiver = await startReceiver();
      context.onTestFinished(() => receiver.stop());
      const shop = await openShop(stack);
      const session = await shop.signIn();
      const writes = Math.ceil(awayMs / 500);
      const cards = await session.createCards(
        Array.from({ length: writes + 1 }, (_, index) => ({ title: `Card ${index}` })),
      );
      const endpoint = await shop.receive(receiver.url);
      const priceOne = async (): Promise<void> => {
        const { id } = cards.pop() ?? { id: "" };
        const answer = await shop.call("PATCH", `/cards/${id}`, { asking_price: price });
        expect(answer.status).toBe(200);
        priced.push(id);
      };
      const priced: string[] = [];
      await priceOne();
      await receiver.waitFor(2);

      await stack.mongo?.kill();
      const backAt = Date.now() + awayMs;
      while (cards.length > 0) {
        await priceOne();
        await waitFor(() => Date.now() >= backAt - cards.length * 500, { deadlineMs: awayMs });
      }
      await waitFor(async () => (await statusOf(`${stack.workerUrl}/readyz`)) === 503);
      expect(await statusOf(`${stack.workerUrl}/livez`)).toBe(200);
      expect(await statusOf(`${stack.url}/readyz`)).toBe(200);
      expect(
        (await shop.call("GET", "/cards?workflow_status=priced&limit=200")).body,
      ).toMatchObject({
        data: Array.from({ length: writes + 1 }, () => ({ asking_price: price })),
      });
      expect(receiver.requests).toHaveLength(2);

      await stack.mongo?.start();
      await receiver.waitFor((writes + 1) * eventsOfPricing.length, { deadlineMs: untilRevivedMs });
      await waitFor(async () => (await statusOf(`${stack.workerUrl}/readyz`)) === 200);
      const events = verified(receiver.requests, endpoint.secret);
      for (const id of priced) expect(stepsOf(events, id)).toEqual(eventsOfPricing);
    },
    awayMs + 60_000,
  );

  test.concurrent("that comes back without its memory: what waited there and what was under way is delivered", async (context) => {
    const stack = await startStack(context, { store: "mongodb", kind: "short" });
    const { mongo, worker, services } = stack;
    const receiver = await startReceiver();
    context.onTestFinished(() => receiver.stop());
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const [underWay, waiting] = await session.createCards([{ title: "One" }, { title: "Two" }]);
    if (underWay === undefined || waiting === undefined) throw new Error("Two cards were made");
    const endpoint = await shop.receive(receiver.url);

    receiver.script({ kind: "hang" }, { kind: "hang" });
    await shop.call("PATCH", `/cards/${underWay.id}`, { asking_price: price });
    await receiver.waitFor(2);
    await worker.kill();
    await shop.call("PATCH", `/cards/${waiting.id}`, { asking_price: price });
    const logger = createLogger({ name: "e2e", level: "silent" });
    const store = { kind: "mongodb", url: mongo?.url ?? "" } as const;
    const queue = createJobs({ db: services.db, clock: systemClock, logger, store });
    expect(await queue.relayOnce()).toBe(2);
    await queue.stop();
    expect(await standingJobs(stack)).toHaveLength(4);

    await mongo?.kill();
    await mongo?.forget();
    await mongo?.start();
    expect(await standingJobs(stack)).toEqual([]);
    await worker.start();
    await receiver.waitFor(6, { deadlineMs: untilRevivedMs });
    const deliveries = await waitFor(async () => {
      const rows = await deliveriesTo(stack, endpoint.id);
      return rows.every(({ status }) => status === "delivered") && rows;
    });
    expect(deliveries.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    expect(await attemptsAt(stack, endpoint.id)).toHaveLength(4);
    const events = verified(receiver.requests, endpoint.secret);
    expect(stepsOf(events, underWay.id)).toEqual(eventsOfPricing);
    expect(stepsOf(events, waiting.id)).toEqual(eventsOfPricing);
    expect(receiver.requests).toHaveLength(6);
  }, 60_000);
});
