import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { requestJson } from "../call/http.ts";
import { ProviderError } from "../call/provider-error.ts";
import { loose } from "../fields.ts";
import type { PriceQuestion, PriceSource, Quote } from "../ports.ts";
import { askSource } from "./ask-source.ts";
import { centsOf, plainNumber } from "./figures.ts";

const pennies = z.number().nullish().catch(null);

/** Prices are whole pennies of US dollars. Source: pricecharting.com/api-documentation */
const answer = z.object({
  status: z.string(),
  "error-message": loose,
  id: loose,
  "product-name": loose,
  "console-name": loose,
  "loose-price": pennies,
  "cib-price": pennies,
  "new-price": pennies,
  "graded-price": pennies,
  "box-only-price": pennies,
  "manual-only-price": pennies,
  "bgs-10-price": pennies,
  "condition-17-price": pennies,
  "condition-18-price": pennies,
});
type Answer = z.output<typeof answer>;

/** What the names of its columns mean for cards: they were made for video games. */
function columnFor({ grading, condition }: PriceQuestion): keyof Answer | null {
  if (grading === null) {
    const isWorn = condition === "heavily_played" || condition === "damaged";
    return isWorn ? null : "loose-price";
  }
  const grade = Number(grading.grade);
  if (grade === 10) {
    const tens: Readonly<Record<string, keyof Answer>> = {
      psa: "manual-only-price",
      bgs: "bgs-10-price",
      cgc: "condition-17-price",
      sgc: "condition-18-price",
    };
    return tens[grading.grader.toLowerCase()] ?? null;
  }
  if (grade === 9.5) return "box-only-price";
  if (grade === 9) return "graded-price";
  if (grade === 8 || grade === 8.5) return "new-price";
  return grade === 7 || grade === 7.5 ? "cib-price" : null;
}

/** PriceCharting's guide. It says one price, and neither how many sales nor when. */
export function createPriceCharting(house: CallHouse, access: Access): PriceSource {
  const line = openLine(house, "pricecharting", access);
  return {
    provider: "pricecharting",
    quotes: (question, signal) => {
      const query = queryFor(question);
      const column = columnFor(question);
      return askSource(
        line,
        signal,
        query === null || column === null
          ? null
          : async (trySignal) => {
              const url = new URL(`${access.baseUrl}/api/product`);
              url.search = new URLSearchParams({ t: access.key, ...query }).toString();
              const said = await requestJson(
                {
                  url: url.href,
                  maxAnswerBytes: line.rules.maxAnswerBytes,
                  signal: trySignal,
                  errorOf: (status, _headers, detail) => errorOf(status, detail),
                },
                answer,
              ).catch((error: unknown) => {
                if (error instanceof NotKnown) return null;
                throw error;
              });
              if (said === null) return { found: { quotes: null } };
              if (said.status !== "success") {
                throw new ProviderError("refused", { detail: said["error-message"] ?? undefined });
              }
              if (!("id" in query) && !isMeant(question, said)) return { found: { quotes: null } };
              const price = centsOf(said[column], "USD");
              const quote: Quote = {
                source: "pricecharting",
                kind: "guide",
                price,
                low: null,
                high: null,
                sampleSize: null,
                asOf: new Date(),
              };
              return { found: { quotes: [quote] }, costMicros: access.callCostMicros };
            },
      );
    },
  };
}

class NotKnown extends Error {}

function errorOf(status: number, detail: string): ProviderError | null {
  // It says 400 or 404 with "No such product" for what it does not know, and 401 or 403 for a wrong token.
  if (/no such product/iu.test(detail)) throw new NotKnown();
  if (status === 400 && /token/iu.test(detail))
    return new ProviderError("unauthorized", { detail });
  return null;
}

function queryFor({ identification, externalIds }: PriceQuestion): Record<string, string> | null {
  const id = externalIds["pricecharting"];
  if (id !== undefined) return { id };
  const { title, set } = identification;
  const number = plainNumber(identification.number);
  if (title == null || set == null || number === null) return null;
  return { q: `${title} #${number} ${set}` };
}

/** A search answers its best product, whatever it is: the number has to be there, and the name. */
function isMeant({ identification }: PriceQuestion, said: Answer): boolean {
  const product = (said["product-name"] ?? "").toLowerCase();
  const number = plainNumber(identification.number)?.toLowerCase() ?? "";
  const words = (identification.title ?? "").toLowerCase().split(/\s+/u);
  const numbers = product.match(/#\s*[\w-]+/gu)?.map((it) => it.replaceAll(/[#\s]/gu, "")) ?? [];
  return numbers.includes(number) && words.every((word) => product.includes(word));
}
