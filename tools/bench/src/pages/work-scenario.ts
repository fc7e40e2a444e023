import { resolve } from "node:path";
import { openInventory } from "../inventory/account.ts";
import type { Figures, Scenario } from "../scenario.ts";
import { withStack } from "../stack/stack.ts";
import { percentile, round, table } from "../statistics.ts";
import { buildPages, openPages } from "./open-pages.ts";
import { openWork } from "./open-work.ts";
import { photoWork } from "./photo-work.ts";
import { reviewWork } from "./review-work.ts";
import { sheetWork } from "./sheet-work.ts";

const allowed = { elements: 1_500, interactionMs: 100 };
const works = [openWork, reviewWork, sheetWork, photoWork];

export const pageWorkScenario: Scenario = {
  name: "page-work",
  sentence:
    "what a dealer does in the pages with 100,000 cards: cards, review, a sheet, 4,000 photos",
  run: ({ store, cards = 100_000, keep, only }) =>
    withStack(
      store,
      async (stack) => {
        const chosen = works.filter(({ name }) => only === undefined || only === name);
        if (chosen.length === 0) {
          throw new TypeError(`--only is one of ${works.map(({ name }) => name).join(", ")}`);
        }
        await buildPages();
        const account = await openInventory(stack, cards);
        const { publicUrl } = await stack.startApi();
        const all: (readonly [string, readonly number[]])[] = [];
        let elements = 0;
        let others: Figures = {};
        for (const work of chosen) {
          await work.prepare?.(stack, account);
          const pages = await openPages(publicUrl, account);
          try {
            const found = await work.run(pages.page, stack);
            all.push(...found.times);
            elements = Math.max(elements, found.elements);
            others = { ...others, ...found.others };
          } finally {
            await pages.close();
          }
        }
        const heads = ["from a key to its frame", "times", "p50 ms", "p95 ms", "worst ms"];
        const rows = all.map(([kind, times]) => [
          kind,
          times.length,
          ...[0.5, 0.95, 1].map((part) => round(percentile(times, part))),
        ]);
        console.log(table([heads, ...rows]));
        const times = all.flatMap(([, some]) => some);
        const worst = all.toSorted(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95))[0];
        return {
          figures: {
            cards,
            interactions: times.length,
            interaction_p50_ms: round(percentile(times, 0.5), 1),
            interaction_p95_ms: round(percentile(times, 0.95), 1),
            slowest_kind: (worst?.[0] ?? "").replaceAll(" ", "_"),
            slowest_kind_p95_ms: round(percentile(worst?.[1] ?? [], 0.95), 1),
            elements_most: elements,
            ...others,
          },
          goals: [
            { figure: "interaction_p95_ms", atMost: allowed.interactionMs },
            { figure: "slowest_kind_p95_ms", atMost: allowed.interactionMs },
            { figure: "elements_most", atMost: allowed.elements },
          ],
        };
      },
      keep === undefined ? {} : { keepIn: resolve(keep) },
    ),
};
