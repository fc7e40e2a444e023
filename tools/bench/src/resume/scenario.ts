import { setTimeout as wait } from "node:timers/promises";
import { waitUntil } from "@cardvault/postgres";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";
import { behave, countWaiting, drain, openHouse, readLeased, tally } from "../webhooks/house.ts";
import type { House } from "../webhooks/house.ts";
import type { PaceSettings } from "../webhooks/producer.ts";
import type { ReceiverTotals } from "../webhooks/receiver.ts";

const accounts = 8;
/** So slow that the queue is never empty while it is dropped. */
const slowAfterMs = 1_000;
const perSecond = 200;
const deadlineMs = 180_000;

export const resumeScenario: Scenario = {
  name: "resume",
  sentence: "how long until work goes on after a worker is killed, and after its queue is dropped",
  run: ({ store }) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts });
      const killed = await killWorker(house);
      console.log(
        `${killed.leased} deliveries were on their way when the worker was killed; all had arrived after ${round(killed.ms / 1_000, 1)} s`,
      );
      const dropped = await dropQueue(house);
      console.log(
        `${dropped.waiting} deliveries waited when the queue was dropped; all had arrived after ${round(dropped.ms / 1_000, 1)} s`,
      );
      const { lost, repeated, unverified, deliveries } = await tally(house);
      return {
        figures: {
          store,
          killed_s: round(killed.ms / 1_000, 1),
          leased: killed.leased,
          dropped_s: round(dropped.ms / 1_000, 1),
          waiting_when_dropped: dropped.waiting,
          deliveries,
          lost,
          repeated,
          unverified,
        },
        goals: [
          { figure: "killed_s", atMost: 35 },
          { figure: "leased", atLeast: 1 },
          { figure: "dropped_s", atMost: 90 },
          { figure: "waiting_when_dropped", atLeast: 1 },
          { figure: "lost", atMost: 0 },
          { figure: "unverified", atMost: 0 },
        ],
      };
    }),
};

/** Kills a worker whose requests all hang, starts another, and waits for what the first had claimed. */
async function killWorker(house: House): Promise<{ leased: number; ms: number }> {
  const { stack, receiver, producer } = house;
  await behave(house, house.accounts, "hang");
  const worker = await stack.startWorker();
  const settings: PaceSettings = { perSecond: 40, seconds: 1 };
  await producer.ask("pace", settings);
  const areHanging = await waitUntil(
    async () => (await receiver.ask<ReceiverTotals>("totals")).hung >= settings.perSecond,
    8_000,
  );
  if (!areHanging) throw new Error("No requests were on their way");
  await worker.kill();
  const killedAtMs = performance.now();
  const leased = await readLeased(stack);
  await behave(house, house.accounts, { afterMs: 0 });
  await stack.startWorker();
  const isThere = await waitUntil(async () => (await countWaiting(house)) === 0, deadlineMs, 50);
  if (!isThere) throw new Error("What the killed worker had claimed does not arrive");
  return { leased: leased.length, ms: performance.now() - killedAtMs };
}

/** Drops the queue while many deliveries are in it, and nobody puts anything there. */
async function dropQueue(house: House): Promise<{ waiting: number; ms: number }> {
  const { stack, producer } = house;
  await behave(house, house.accounts, { afterMs: slowAfterMs });
  const settings: PaceSettings = { perSecond, seconds: 4 };
  await producer.ask("pace", settings);
  await wait(slowAfterMs);
  await stack.dropJobs();
  const droppedAtMs = performance.now();
  const waiting = await countWaiting(house);
  await behave(house, house.accounts, { afterMs: 0 });
  await drain(house, { deadlineMs });
  return { waiting, ms: performance.now() - droppedAtMs };
}
