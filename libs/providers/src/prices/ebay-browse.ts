import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access, Line } from "../adapter.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { requestJson } from "../call/http.ts";
import { ProviderError } from "../call/provider-error.ts";
import { loose, looseList } from "../fields.ts";
import type { PriceQuestion, PriceSource } from "../ports.ts";
import { askSource } from "./ask-source.ts";
import { moneyOf, plainNumber, quoteOfSample } from "./figures.ts";

export interface EbayAccess extends Access {
  /** `key` is the client's secret. */
  readonly clientId: string;
  readonly currency: string;
}

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().min(1) });

const answer = z.object({
  total: z.number().nullish().catch(null),
  itemSummaries: looseList(
    z.object({
      title: z.string(),
      price: z.object({ value: loose, currency: z.string() }),
    }),
    100,
  ),
});

const ungraded = 4000;
const graded = 2750;
const earlyMs = 60_000;

/** What is asked for on eBay at this moment, by its Browse API. Asks are no sales. */
export function createEbayBrowse(house: CallHouse, access: EbayAccess): PriceSource {
  const line = openLine(house, "ebay_browse", access);
  const tokens = new Tokens(access, line);
  return {
    provider: "ebay_browse",
    quotes: (question, signal) => {
      const words = wordsFor(question);
      return askSource(
        line,
        signal,
        words === null
          ? null
          : async (trySignal) => {
              const url = new URL(`${access.baseUrl}/buy/browse/v1/item_summary/search`);
              const condition = question.grading === null ? ungraded : graded;
              url.search = new URLSearchParams({
                q: words,
                limit: "50",
                filter: `buyingOptions:{FIXED_PRICE},conditionIds:{${condition}},priceCurrency:${access.currency}`,
              }).toString();
              const { itemSummaries } = await requestJson(
                {
                  url: url.href,
                  headers: {
                    authorization: `Bearer ${await tokens.get(trySignal)}`,
                    "x-ebay-c-marketplace-id": "EBAY_US",
                  },
                  maxAnswerBytes: line.rules.maxAnswerBytes,
                  signal: trySignal,
                  errorOf: (status) => {
                    if (status === 401) tokens.forget();
                    return null;
                  },
                },
                answer,
              );
              const meant = itemSummaries.filter(({ title }) => isMeant(question, title));
              const prices = meant
                .map(({ price }) => moneyOf(price.value, price.currency))
                .filter((price) => price !== null);
              const quote = quoteOfSample(
                "ebay_browse",
                "asking",
                prices,
                access.currency,
                new Date(),
              );
              return { found: { quotes: [quote] } };
            },
      );
    },
  };
}

/** Tokens of the application itself (OAuth's client credentials), each used until shortly before it ends. */
class Tokens {
  readonly #access: EbayAccess;
  readonly #line: Line;
  #current: { token: string; until: number } | undefined;

  constructor(access: EbayAccess, line: Line) {
    this.#access = access;
    this.#line = line;
  }

  async get(signal: AbortSignal): Promise<string> {
    if (this.#current !== undefined && performance.now() < this.#current.until) {
      return this.#current.token;
    }
    const { baseUrl, clientId, key } = this.#access;
    const said = await requestJson(
      {
        method: "POST",
        url: `${baseUrl}/identity/v1/oauth2/token`,
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${key}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({
          grant_type: "client_credentials",
          scope: "https://api.ebay.com/oauth/api_scope",
        }).toString(),
        maxAnswerBytes: this.#line.rules.maxAnswerBytes,
        signal,
        errorOf: (status, _headers, detail) =>
          status === 400 ? new ProviderError("unauthorized", { detail }) : null,
      },
      token,
    );
    const lastsMs = Math.max(earlyMs, said.expires_in * 1_000) - earlyMs;
    this.#current = { token: said.access_token, until: performance.now() + lastsMs };
    return said.access_token;
  }

  forget(): void {
    this.#current = undefined;
  }
}

function wordsFor({ identification, grading }: PriceQuestion): string | null {
  const { title, set } = identification;
  const number = plainNumber(identification.number);
  if (title == null || number === null) return null;
  const grade = grading === null ? [] : [grading.grader, grading.grade];
  return [title, set ?? "", number, ...grade]
    .filter((word) => word !== "")
    .join(" ")
    .slice(0, 100);
}

/** A search is generous: the title has to name the card and its number, and a graded card its grade. */
function isMeant({ identification, grading }: PriceQuestion, title: string): boolean {
  const words = ` ${title.toLowerCase().replaceAll(/[^\p{L}\p{N}./]+/gu, " ")} `;
  const has = (word: string): boolean => words.includes(` ${word.toLowerCase()} `);
  const number = plainNumber(identification.number) ?? "";
  const hasNumber = has(number) || words.includes(` ${number.toLowerCase()}/`);
  const hasName = (identification.title ?? "").split(/\s+/u).every(has);
  const hasGrade = grading === null || (has(grading.grader) && has(grading.grade));
  return hasNumber && hasName && hasGrade;
}
