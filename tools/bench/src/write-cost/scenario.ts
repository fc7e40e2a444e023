import { setTimeout as wait } from "node:timers/promises";
import { bySystem, changeAccount, openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { systemClock } from "@cardvault/kit";
import { cpuTable, measureCpu } from "../stack/cpu-time.ts";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { median, percentile, round } from "../statistics.ts";
import { drain, openHouse } from "../webhooks/house.ts";
import type { HouseAccount } from "../webhooks/house.ts";
import { startStatementCounter } from "./statement-counter.ts";

const pairsPerRound = 50;
const warmUpPairs = 100;
const countedChanges = 40;
/** Notifications of changes within 20 ms are one: each change is to have its own. */
const apartMs = 30;
/** Until V8 has tidied up after the work, and the last mark of the relay is written. */
const settleMs = 10_000;

export const writeCostScenario: Scenario = {
  name: "write-cost",
  sentence:
    "what events add to a change: statements and time; the processor time of an idle worker",
  run: ({ store, seconds = 30 }) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts: 1 });
      const [account] = house.accounts;
      if (account === undefined) throw new Error("There is no account");

      const statements = await countStatements(stack.databaseUrl, account);
      const times = await compareTimes(stack.services.db, account, seconds);
      const worker = await stack.startWorker();
      await drain(house);
      await wait(settleMs);
      const idle = await measureCpu({ worker: worker.processId }, seconds);
      console.log(`A worker that has nothing to do:\n${cpuTable(idle, 1)}`);
      return {
        figures: {
          store,
          added_statements: round(statements.added, 2),
          statements_without: round(statements.without, 2),
          added_p95_ms: round(times.addedP95Ms, 2),
          added_p50_ms: round(times.addedP50Ms, 2),
          without_p50_ms: round(times.withoutP50Ms, 2),
          without_p95_ms: round(times.withoutP95Ms, 2),
          idle_cpu_percent: round((idle.cores.get("worker") ?? Number.NaN) * 100, 2),
          seconds,
        },
        goals: [
          { figure: "added_statements", atMost: 2 },
          { figure: "added_p95_ms", atMost: 1 },
          { figure: "idle_cpu_percent", atMost: 2 },
        ],
      };
    }),
};

/** Moves one card between two stages; with its event for one endpoint, or without. */
async function change(
  db: Database,
  { accountId, cardIds }: HouseAccount,
  turn: number,
  hasEvents: boolean,
): Promise<void> {
  const cardId = cardIds[turn % cardIds.length] ?? "";
  await changeAccount(db, { accountId, clock: systemClock, by: bySystem }, async (unit) => {
    const card = await unit.cards.get(cardId);
    const to = card.workflowStatus === "priced" ? "identified" : "priced";
    const outcome = decideCard(card, { type: "move", to }, unit.stamp);
    unit.cards.save(outcome.state);
    if (hasEvents) unit.emit(...outcome.events);
  });
}

/** Counted on the wire, with begin, commit and the notification after it. */
async function countStatements(
  databaseUrl: string,
  account: HouseAccount,
): Promise<{ added: number; without: number }> {
  const counter = await startStatementCounter(databaseUrl);
  const db = await openDatabase({ url: counter.url, applicationName: "cardvault-bench-counted" });
  try {
    const count = async (hasEvents: boolean): Promise<number> => {
      const before = counter.statements();
      for (let turn = 0; turn < countedChanges; turn += 1) {
        await change(db, account, turn, hasEvents);
        await wait(apartMs);
      }
      return (counter.statements() - before) / countedChanges;
    };
    // What a connection does once is not a change's.
    await count(true);
    const without = await count(false);
    return { without, added: (await count(true)) - without };
  } finally {
    await db.close();
    counter.close();
  }
}

interface Times {
  readonly addedP50Ms: number;
  readonly addedP95Ms: number;
  readonly withoutP50Ms: number;
  readonly withoutP95Ms: number;
}

/**
 * The same change with and without events, in turn, and which comes first in turn as well, so that
 * neighbours and the disk meet both alike. The median of many rounds' differences counts.
 */
async function compareTimes(db: Database, account: HouseAccount, seconds: number): Promise<Times> {
  let turn = 0;
  const pair = async (): Promise<{ without: number; withEvents: number }> => {
    turn += 1;
    const order = turn % 2 === 0 ? [true, false] : [false, true];
    const took = { true: 0, false: 0 };
    for (const hasEvents of order) {
      const fromMs = performance.now();
      await change(db, account, turn, hasEvents);
      took[`${hasEvents}`] = performance.now() - fromMs;
    }
    return { without: took.false, withEvents: took.true };
  };
  for (let index = 0; index < warmUpPairs; index += 1) await pair();
  const parts: { p50: number; p95: number; withoutP50: number; withoutP95: number }[] = [];
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const pairs = [];
    for (let count = 0; count < pairsPerRound; count += 1) pairs.push(await pair());
    const without = pairs.map((one) => one.without);
    const withEvents = pairs.map((one) => one.withEvents);
    const [withoutP50, withoutP95] = [percentile(without, 0.5), percentile(without, 0.95)];
    parts.push({
      p50: percentile(withEvents, 0.5) - withoutP50,
      p95: percentile(withEvents, 0.95) - withoutP95,
      withoutP50,
      withoutP95,
    });
  }
  return {
    addedP50Ms: median(parts.map(({ p50 }) => p50)),
    addedP95Ms: median(parts.map(({ p95 }) => p95)),
    withoutP50Ms: median(parts.map(({ withoutP50 }) => withoutP50)),
    withoutP95Ms: median(parts.map(({ withoutP95 }) => withoutP95)),
  };
}
