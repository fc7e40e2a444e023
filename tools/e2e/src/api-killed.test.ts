import type { Card } from "@cardvault/contract";
import { toId } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { describe, expect, test } from "vitest";
import { stepsOf, subjectOf, verified } from "./received.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";
import { stores } from "./stores.ts";

const rounds = 3;
const writesPerRound = 8;
const price = { amount: 4200, currency: "USD" };

const eventsOfPricing = [
  { event: "card.priced", asking_price: price },
  { event: "card.workflow_status_changed", from: "identified", to: "priced" },
];

describe.concurrent.each(stores)("with the jobs in %s", (store) => {
  test("api killed right after an answer: what was answered is told, the rest happened whole or not at all", async (context) => {
    const stack = await startStack(context, { store });
    const receiver = await startReceiver();
    context.onTestFinished(() => receiver.stop());
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const cards = await session.createCards(
      Array.from({ length: rounds * writesPerRound }, (_, index) => ({ title: `Card ${index}` })),
    );
    const endpoint = await shop.receive(receiver.url);

    const answered = new Set<string>();
    const refused = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const statuses: number[] = [];
      const firstAnswers = Promise.withResolvers<void>();
      const writes = cards
        .slice(round * writesPerRound, (round + 1) * writesPerRound)
        .map(async ({ id }) => {
          const { status } = await shop.call("PATCH", `/cards/${id}`, { asking_price: price });
          statuses.push(status);
          (status === 200 ? answered : refused).add(id);
          // In each round the kill falls at another point of the others.
          if (statuses.length > round * 2) firstAnswers.resolve();
        });
      const ended = Promise.allSettled(writes);
      await Promise.race([firstAnswers.promise, ended]);
      await stack.api.kill();
      await ended;
      // A machine that is too slow for its load turns requests away, which must change nothing.
      expect([200, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
      await stack.api.start();
    }
    expect(answered.size).toBeGreaterThanOrEqual(rounds);

    const now = new Map<string, Card>();
    for (const { id } of cards) {
      now.set(id, (await shop.call<Card>("GET", `/cards/${id}`)).body);
    }
    const changed = [...now.values()].filter(({ version }) => version > 1);
    await receiver.waitFor(
      (requests) => requests.length >= changed.length * eventsOfPricing.length,
    );
    const rows = await stack.services.db.query<{ subject_id: string; events: number }>(
      "select subject_id, count(*)::int as events from webhook_event where type like 'card.%' group by 1",
    );
    const eventsOf = new Map(rows.map((row) => [toId("card", row.subject_id), row.events]));
    const received = verified(receiver.requests, endpoint.secret);
    // Making a card with a title is two events; pricing it is two more.
    const eventsOfMaking = 2;
    for (const { id } of cards) {
      const isPriced = now.get(id)?.asking_price?.amount === price.amount;
      if (answered.has(id)) expect(isPriced).toBe(true);
      if (refused.has(id)) expect(isPriced).toBe(false);
      expect(now.get(id)).toMatchObject(
        isPriced
          ? { version: 2, workflow_status: "priced" }
          : { version: 1, workflow_status: "identified", asking_price: null },
      );
      expect(stepsOf(received, id)).toEqual(isPriced ? eventsOfPricing : []);
      expect(eventsOf.get(id)).toBe(eventsOfMaking + (isPriced ? eventsOfPricing.length : 0));
    }
    // The worker lived: nothing came twice.
    await waitFor(async () => {
      const open = "select 1 from webhook_delivery where status <> 'delivered'";
      return (await stack.services.db.query(open)).length === 0;
    });
    const told = verified(receiver.requests, endpoint.secret).map((event) => subjectOf(event));
    expect(told).toHaveLength(changed.length * eventsOfPricing.length);
  }, 90_000);
});
