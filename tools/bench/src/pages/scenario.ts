import { resolve } from "node:path";
import { openInventory } from "../inventory/account.ts";
import type { Scenario } from "../scenario.ts";
import { withStack } from "../stack/stack.ts";
import { percentile, round, table } from "../statistics.ts";
import { firstRowTimes } from "./filters.ts";
import { largestPaints } from "./first-paint.ts";
import { interactionTimes } from "./interactions.ts";
import { buildPages, openPages } from "./open-pages.ts";
import { scrollCost } from "./scroll.ts";

const allowed = { frameMs: 8, elements: 1_500, interactionMs: 100, firstRowsMs: 300 };
/** A wheel turned quickly, a page a frame, and the scroll bar pulled. */
const steps = [120, 800, 4_000];

export const pagesScenario: Scenario = {
  name: "pages",
  sentence: "the inventory's pages in chromium with 100,000 cards: scrolling, keys, filters",
  run: ({ store, cards = 100_000, keep }) =>
    withStack(
      store,
      async (stack) => {
        await buildPages();
        const account = await openInventory(stack, cards);
        const { publicUrl } = await stack.startApi();
        const pages = await openPages(publicUrl, account);
        const { page, context } = pages;
        try {
          const cdp = await context.newCDPSession(page);
          // Processor time of the page's thread: what neighbours on the machine take is not in it.
          await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
          const rows: (string | number)[][] = [];
          let worstFrame = 0;
          let mostElements = 0;
          for (const look of ["Rows", "Rows with pictures", "Pictures"]) {
            await page.getByRole("button", { name: look, exact: true }).click();
            await page.locator(".card-link").first().waitFor();
            for (const step of steps) {
              // Once for the code to be compiled and the rows to be there.
              await scrollCost(page, cdp, step);
              const cost = await scrollCost(page, cdp, step);
              worstFrame = Math.max(worstFrame, cost.totalMs);
              mostElements = Math.max(mostElements, cost.mostElements);
              const parts = [cost.scriptMs, cost.styleMs, cost.layoutMs, cost.totalMs];
              rows.push([
                `${look}, ${step} px`,
                ...parts.map((ms) => round(ms, 2)),
                cost.mostElements,
              ]);
            }
          }
          console.log(
            table([
              ["a frame", "script ms", "style ms", "layout ms", "sum ms", "elements"],
              ...rows,
            ]),
          );
          await page.goto("/inventory");
          await page.locator(".card-table .card-link").first().waitFor();
          const interactions = await interactionTimes(page);
          await page.goto("/inventory");
          await page.locator(".card-table .card-link").first().waitFor();
          const firstRows = await firstRowTimes(page);
          const paints = await largestPaints(context);
          const medians = [...paints].map(
            ([path, times]) => [path, percentile(times, 0.5)] as const,
          );
          console.log(
            table([
              ["largest paint", "p50 ms"],
              ...medians.map(([path, ms]) => [path, round(ms, 0)]),
            ]),
          );
          return {
            figures: {
              cards,
              frame_worst_ms: round(worstFrame, 2),
              elements_most: mostElements,
              interactions: interactions.length,
              interaction_p50_ms: round(percentile(interactions, 0.5), 1),
              interaction_p95_ms: round(percentile(interactions, 0.95), 1),
              lists: firstRows.length,
              first_rows_p50_ms: round(percentile(firstRows, 0.5), 1),
              first_rows_p95_ms: round(percentile(firstRows, 0.95), 1),
              paint_worst_p50_ms: round(Math.max(...medians.map(([, ms]) => ms)), 0),
            },
            goals: [
              { figure: "frame_worst_ms", atMost: allowed.frameMs },
              { figure: "elements_most", atMost: allowed.elements },
              { figure: "interaction_p95_ms", atMost: allowed.interactionMs },
              { figure: "first_rows_p95_ms", atMost: allowed.firstRowsMs },
            ],
          };
        } finally {
          await pages.close();
        }
      },
      keep === undefined ? {} : { keepIn: resolve(keep) },
    ),
};
