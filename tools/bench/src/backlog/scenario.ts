import { setTimeout as wait } from "node:timers/promises";
import { memoryMb } from "../stack/process-tree.ts";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";
import { countWaiting, openHouse, tally } from "../webhooks/house.ts";
import { seedDue } from "../webhooks/seed-due.ts";

const accounts = 8;
const lookEveryMs = 100;
/** Far less than the bar of throughput would need. */
const slowestPerSecond = 50;

export const backlogScenario: Scenario = {
  name: "backlog",
  sentence: "50,000 deliveries are due when the worker starts: its first request, its memory",
  run: ({ store, due = 50_000 }) =>
    withStack(store, async (stack) => {
      const house = await openHouse(stack, { accounts });
      await seedDue(house, house.accounts, due);
      await house.receiver.ask("mark");
      console.log(`${await countWaiting(house)} deliveries are due`);

      const spawnedAtMs = Date.now();
      const worker = await stack.startWorker();
      const readyAtMs = Date.now();
      const ready = await memoryMb(worker.processId);
      let mostMb = 0;
      const deadlineMs = performance.now() + 30_000 + (due / slowestPerSecond) * 1_000;
      while ((await countWaiting(house)) > 0) {
        if (performance.now() > deadlineMs) throw new Error("The backlog is not worked off");
        mostMb = Math.max(mostMb, (await memoryMb(worker.processId)).now);
        await wait(lookEveryMs);
      }
      const drainedMs = Date.now() - readyAtMs;
      const { most } = await memoryMb(worker.processId);
      const firstAtMs = await house.receiver.ask<number | null>("firstAtMs");
      const { lost, repeated, unverified, deliveries } = await tally(house);
      return {
        figures: {
          store,
          due: deliveries,
          // Before it says that it is ready counts as at once.
          first_post_ms: Math.max(0, (firstAtMs ?? Number.NaN) - readyAtMs),
          first_post_after_spawn_ms: (firstAtMs ?? Number.NaN) - spawnedAtMs,
          rss_ready_mb: round(ready.now),
          rss_mb: round(mostMb),
          // With what loading the program takes for a moment.
          rss_peak_mb: round(most),
          drained_s: round(drainedMs / 1_000, 1),
          per_s: round(deliveries / (drainedMs / 1_000)),
          lost,
          repeated,
          unverified,
        },
        goals: [
          { figure: "first_post_ms", atMost: 1_000 },
          { figure: "rss_mb", atMost: 300 },
          { figure: "lost", atMost: 0 },
          { figure: "unverified", atMost: 0 },
        ],
      };
    }),
};
