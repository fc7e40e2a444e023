import { cardSorts, inventorySorts, openPackedIds } from "@cardvault/contract";
import type { CardAnchors, CardFilter, CardIds } from "@cardvault/contract";
import type { Asking } from "./account.ts";

/** One thing that a page asks for. `run` counts the rows of its answer. */
export interface Look {
  readonly group: "list" | "filter" | "count" | "search" | "typo" | "ids" | "window" | "dashboard";
  readonly name: string;
  run(): Promise<number>;
}

/** What a page asks for before the first rows are seen; the rest of a long list comes behind. */
const firstIds = 1_000;
const windowRows = 60;

const filters: readonly (readonly [name: string, filter: CardFilter])[] = [
  ["a workflow status", { workflow_status: ["priced"] }],
  ["two workflow statuses", { workflow_status: ["imported", "identified"] }],
  ["status", { status: ["imported"] }],
  ["changed lately", { updated_since: new Date(Date.now() - 86_400_000).toISOString() }],
  ["a location", { location: ["B-7-10"] }],
  ["locations that begin so", { location: ["C-12*"] }],
  ["without a location", { has_location: false }],
  ["a common set", { set: ["Storm Harbour"] }],
  ["a set by its code, with a number of words", { set: ["GLO40"], q: "serpent" }],
  ["a common game", { game: ["Runes of Avarra"] }],
  ["a rarer game", { game: ["Paper Kaiju"] }],
  ["needs review", { needs_review: true }],
  ["a reason of review", { review_reason: ["ambiguous"] }],
  ["graded", { graded: true }],
  ["a grader and a grade", { grader: ["CGC"], grade: ["10"] }],
  ["a SKU", { sku: ["CV-0471100"] }],
  ["SKUs that begin so", { sku_prefix: "cv-04711" }],
  ["a batch", { batch: ["B417"] }],
  ["without a batch", { has_batch: false }],
  ["words", { q: "tidewing wyvern" }],
  ["a high price", { price_min: 200_000 }],
  ["a range of prices", { price_min: 1_000, price_max: 1_100 }],
  ["without a price", { has_price: false }],
  ["a market price", { market_price_min: 150_000 }],
  ["without a market price", { has_market_price: false }],
  ["a cost", { cost_min: 60_000 }],
  ["several copies", { quantity_min: 5 }],
  ["years", { year_min: 1996, year_max: 1997 }],
  ["with a photo", { has_photo: true }],
  ["without a photo", { has_photo: false }],
  ["a rare tag", { tag: ["insured"] }],
  ["a common tag", { tag: ["show"] }],
  ["a condition", { condition: ["damaged"] }],
  ["a language", { language: ["French"] }],
  ["a rarity", { rarity: ["Secret"] }],
  [
    "five at once",
    {
      game: ["Aetherbound"],
      rarity: ["Mythic"],
      language: ["German"],
      has_price: true,
      condition: ["near_mint"],
    },
  ],
  ["days", { created_since: ago(400), created_until: ago(390) }],
];

function ago(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

export async function looksAt(
  asking: Asking,
  { sku, certificate }: { sku: string; certificate: string },
): Promise<Look[]> {
  const ids = async (input: object): Promise<number> =>
    ((await asking.query("cards.ids", input)) as CardIds).count;
  const search = (group: "search" | "typo", text: string): Look => ({
    group,
    name: `"${text}"`,
    run: () => ids({ filter: { search: text }, limit: firstIds }),
  });
  const opened = openPackedIds("card", ((await asking.query("cards.ids", {})) as CardIds).ids);
  const { anchors } = (await asking.query("cards.anchors", { every: firstIds })) as CardAnchors;
  let turn = 0;
  return [
    ...cardSorts.map((sort): Look => ({
      group: "list",
      name: `GET /cards?sort=${sort}`,
      run: async () =>
        ((await asking.get(`/cards?limit=50&sort=${sort}`)) as { data: unknown[] }).data.length,
    })),
    ...filters.map(([name, filter]): Look => ({
      group: "filter",
      name,
      run: () => ids({ filter, limit: firstIds }),
    })),
    ...filters.map(([name, filter]): Look => ({
      group: "count",
      name,
      run: async () =>
        ((await asking.query("cards.totals", { filter })) as { count: number }).count,
    })),
    {
      group: "count",
      name: "all",
      run: async () => ((await asking.query("cards.totals", {})) as { count: number }).count,
    },
    search("search", "charged serpent"),
    search("search", "storm harbour wyv"),
    search("search", "hydra"),
    search("search", "s"),
    search("search", "runes"),
    search("search", "kraken 12/"),
    search("search", sku),
    search("search", sku.slice(0, -2)),
    search("search", certificate),
    search("typo", "chraged serpnt"),
    search("typo", "tidwing wyvren"),
    search("typo", "storm harbuor leviathn"),
    search("typo", "phenix"),
    search("typo", "xylophonist"),
    ...inventorySorts.map((sort): Look => ({
      group: "ids",
      name: `100,000 by ${sort}`,
      run: () => ids({ sort }),
    })),
    {
      group: "window",
      name: `${windowRows} rows`,
      run: async () => {
        turn = (turn * 7_919 + 104_729) % Math.max(1, opened.length - windowRows);
        const window = opened.slice(turn, turn + windowRows);
        return ((await asking.query("cards.rows", { ids: window })) as { data: unknown[] }).data
          .length;
      },
    },
    {
      group: "window",
      name: `${firstIds} ids behind an anchor`,
      run: () => {
        turn += 1;
        return ids({ limit: firstIds, after: anchors[(turn * 37) % anchors.length] });
      },
    },
    {
      group: "dashboard",
      name: "dashboard",
      run: async () => {
        const input = { time_zone: "America/New_York" };
        const answer = (await asking.query("accounts.dashboard", input)) as {
          sales_by_day: { sales: number }[];
        };
        return answer.sales_by_day.reduce((sum, day) => sum + day.sales, 0);
      },
    },
  ];
}
