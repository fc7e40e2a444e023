import { resolve } from "node:path";
import { memoryMb } from "../stack/process-tree.ts";
import { withStack } from "../stack/stack.ts";
import type { Figures, Goal, Scenario } from "../scenario.ts";
import { percentile, round, table } from "../statistics.ts";
import { openAsking, openInventory, someMarks } from "./account.ts";
import { looksAt } from "./looks.ts";

const runs = 20;
const warmUpRuns = 2;
const allowedMs = { other: 100, dashboard: 200 };
/** More than a run's own garbage would be memory that is kept. */
const allowedGrowthMb = 150;

// As PostgreSQL's manual recommends for a server of its own with four GB and a disk without moving parts. What it
// comes with is 128 MB for any machine, and the costs of a disk that turns.
const postgresSettings = { shared_buffers: "1GB", random_page_cost: "1.1" };

export const inventoryScenario: Scenario = {
  name: "inventory",
  sentence: "lists, filters, search, counts and the dashboard of an account of 1,000,000 cards",
  run: ({ store, cards = 1_000_000, keep }) =>
    withStack(
      store,
      async (stack) => {
        const account = await openInventory(stack, cards);
        const api = await stack.startApi();
        const asking = await openAsking(api.publicUrl, account);
        const looks = await looksAt(asking, await someMarks(stack, account));
        // Once each, so that both sides have everything of theirs in memory.
        for (const look of looks) await look.run();
        const before = await memoryMb(api.processId);

        const rows: (string | number)[][] = [];
        const groups = new Map<string, { all: number[]; worst: number }>();
        for (const look of looks) {
          for (let run = 0; run < warmUpRuns; run += 1) await look.run();
          const ms: number[] = [];
          let found = 0;
          for (let run = 0; run < runs; run += 1) {
            const begun = performance.now();
            found = await look.run();
            ms.push(performance.now() - begun);
          }
          const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)];
          const group = groups.get(look.group) ?? { all: [], worst: 0 };
          group.all.push(...ms);
          group.worst = Math.max(group.worst, p95);
          groups.set(look.group, group);
          rows.push([`${look.group}: ${look.name}`, found, round(p50, 1), round(p95, 1)]);
        }
        console.log(table([["what is asked for", "rows", "p50 ms", "p95 ms"], ...rows]));
        const after = await memoryMb(api.processId);

        const figures: Figures = { cards, looks: looks.length, runs };
        const goals: Goal[] = [];
        for (const [name, { all, worst }] of groups) {
          figures[`${name}_p50_ms`] = round(percentile(all, 0.5), 1);
          figures[`${name}_p95_ms`] = round(percentile(all, 0.95), 1);
          figures[`${name}_worst_p95_ms`] = round(worst, 1);
          const atMost = name === "dashboard" ? allowedMs.dashboard : allowedMs.other;
          goals.push({ figure: `${name}_worst_p95_ms`, atMost });
        }
        figures["api_rss_before_mb"] = round(before.now);
        figures["api_rss_after_mb"] = round(after.now);
        figures["api_rss_growth_mb"] = round(after.now - before.now);
        goals.push({ figure: "api_rss_growth_mb", atMost: allowedGrowthMb });
        return { figures, goals };
      },
      { postgresSettings, ...(keep === undefined ? {} : { keepIn: resolve(keep) }) },
    ),
};
