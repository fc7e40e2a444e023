import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { checkAnswer } from "../call/http.ts";
import { loose, looseList } from "../fields.ts";
import type { PriceQuestion, PriceSource, Quote } from "../ports.ts";
import { withCardSight } from "../recognition/cardsight-client.ts";
import { askSource } from "./ask-source.ts";
import { dateOf, moneyOf, quoteOfSample } from "./figures.ts";

const record = z.object({ price: z.number(), date: loose, listing_type: loose });
const records = z.object({ records: looseList(record, 200) });

const answer = z.object({
  raw: records.nullish().catch(null),
  graded: looseList(
    z.object({
      company_name: z.string(),
      grades: looseList(
        z.object({
          grade_value: z.union([z.string(), z.number()]).transform(String),
          records: looseList(record, 200),
        }),
      ),
    }),
  ),
});

const currency = "USD";

/** What CardSight saw sold and asked. It prices raw cards without looking at their condition. */
export function createCardSightPrices(house: CallHouse, access: Access): PriceSource {
  const line = openLine(house, "cardsight", access);
  return {
    provider: "cardsight",
    quotes: (question, signal) => {
      // By words CardSight answers listings of several cards, and which one is meant would be a guess.
      const cardId = question.externalIds["cardsight"];
      return askSource(
        line,
        signal,
        cardId === undefined
          ? null
          : async (trySignal) => {
              const said = await withCardSight(access, line, trySignal, (client) =>
                client.pricing.get(cardId),
              );
              const now = new Date();
              return {
                found: { quotes: quotesOf(recordsFor(question, checkAnswer(said, answer)), now) },
                costMicros: access.callCostMicros,
              };
            },
      );
    },
  };
}

function recordsFor(
  { grading, condition }: PriceQuestion,
  said: z.output<typeof answer>,
): z.output<typeof record>[] {
  if (grading === null) {
    return condition === null || condition === "near_mint" ? (said.raw?.records ?? []) : [];
  }
  const company = said.graded.find(
    ({ company_name: name }) => name.toLowerCase() === grading.grader.toLowerCase(),
  );
  return company?.grades.find((it) => it.grade_value === grading.grade)?.records ?? [];
}

function quotesOf(found: readonly z.output<typeof record>[], now: Date): Quote[] {
  const kinds = [
    // A fixed price that stands in the list is what somebody asks, not what somebody paid.
    ["sold", found.filter((it) => it.listing_type !== "fixed")],
    ["asking", found.filter((it) => it.listing_type === "fixed")],
  ] as const;
  return kinds
    .filter(([kind, rows]) => kind === "sold" || rows.length > 0)
    .map(([kind, rows]) => {
      const prices = rows.map((it) => moneyOf(it.price, currency)).filter((it) => it !== null);
      const dates = rows.map((it) => dateOf(it.date, now)).filter((it) => it !== null);
      const latest = dates.reduce((late, date) => (date > late ? date : late), new Date(0));
      return quoteOfSample("cardsight", kind, prices, currency, dates.length > 0 ? latest : now);
    });
}
