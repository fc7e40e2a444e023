import { setTimeout as wait } from "node:timers/promises";
import { bySystem, changeAccount, openDatabase } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { systemClock } from "@cardvault/kit";
import { readSettings, serve } from "../stack/serve.ts";

export interface ProducerSettings {
  readonly databaseUrl: string;
}

/** An account and cards of its that have a price. */
interface ChangedAccount {
  readonly accountId: string;
  readonly cardIds: readonly string[];
}

export interface PaceSettings {
  readonly perSecond: number;
  readonly seconds: number;
}

export interface FloodSettings {
  readonly seconds: number;
  /** How many deliveries are kept waiting, so that the sender always has work. */
  readonly backlog: number;
  readonly cardsPerChange: number;
}

const lookEveryMs = 250;

// Changes cards by the same rules, in the same transaction and with the same outbox as a request
// does, without the cost of HTTP: what is measured is the way of an event from its commit on.
const { databaseUrl } = readSettings() as ProducerSettings;
const db = await openDatabase({ url: databaseUrl, applicationName: "cardvault-bench-producer" });
let accounts: readonly ChangedAccount[] = [];
let turn = 0;

/** The next cards of the next account move between two stages: one event each. */
async function change(count: number): Promise<number> {
  const account = accounts[turn % accounts.length];
  if (account === undefined) throw new Error("No accounts to change");
  const from = (Math.floor(turn / accounts.length) * count) % account.cardIds.length;
  turn += 1;
  const ids = account.cardIds.slice(from, from + count);
  const { accountId } = account;
  let events = 0;
  await changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
    events = 0;
    for (const card of await unit.cards.getMany(ids)) {
      const to = card.workflowStatus === "priced" ? "identified" : "priced";
      const outcome = decideCard(card, { type: "move", to }, unit.stamp);
      unit.cards.save(outcome.state);
      unit.emit(...outcome.events);
      events += outcome.events.length;
    }
  });
  return events;
}

async function waiting(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    "select count(*) from webhook_delivery where status in ('pending', 'retrying')",
    [],
    "bench-waiting",
  );
  return row?.count ?? 0;
}

serve({
  accounts(given: readonly ChangedAccount[]) {
    accounts = given;
  },

  /** One change after another, begun at even distances. Answers how many events were committed. */
  async pace({ perSecond, seconds }: PaceSettings): Promise<number> {
    const startedMs = performance.now();
    const running: Promise<number>[] = [];
    for (let index = 0; index < perSecond * seconds; index += 1) {
      const aheadMs = startedMs + (index / perSecond) * 1_000 - performance.now();
      if (aheadMs > 0) await wait(aheadMs);
      running.push(change(1));
    }
    const counts = await Promise.all(running);
    return counts.reduce((sum, count) => sum + count, 0);
  },

  /** As many changes as keep so many deliveries waiting. Answers how many events were committed. */
  async flood({ seconds, backlog, cardsPerChange }: FloodSettings): Promise<number> {
    const untilMs = performance.now() + seconds * 1_000;
    let events = 0;
    while (performance.now() < untilMs) {
      let room = backlog - (await waiting());
      while (room > 0 && performance.now() < untilMs) {
        const count = await change(cardsPerChange);
        events += count;
        room -= count;
      }
      await wait(lookEveryMs);
    }
    return events;
  },
});
