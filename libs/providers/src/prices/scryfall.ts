import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { requestJson } from "../call/http.ts";
import { ProviderError } from "../call/provider-error.ts";
import { loose } from "../fields.ts";
import type { PriceQuestion, PriceSource, Quote } from "../ports.ts";
import { askSource } from "./ask-source.ts";
import { isForGuides, moneyOf, plainNumber } from "./figures.ts";

/** Prices are decimal texts or null, and are renewed once a day. Source: scryfall.com/docs/api/cards */
const answer = z.object({
  object: z.literal("card"),
  prices: z.object({ usd: loose, usd_foil: loose, usd_etched: loose, eur: loose, eur_foil: loose }),
});

/** Scryfall refuses clients that do not say who they are. */
const userAgent = "CardVault/1.0";

/** Guide prices of Scryfall. It needs no key. */
export function createScryfallPrices(house: CallHouse, access: Access): PriceSource {
  const line = openLine(house, "scryfall", access);
  return {
    provider: "scryfall",
    quotes: (question, signal) => {
      const path = pathFor(question);
      return askSource(
        line,
        signal,
        path === null || !isForGuides(question)
          ? null
          : async (trySignal) => {
              const said = await requestJson(
                {
                  url: `${access.baseUrl}/cards/${path}`,
                  headers: { "user-agent": userAgent, accept: "application/json;q=0.9,*/*;q=0.8" },
                  maxAnswerBytes: line.rules.maxAnswerBytes,
                  signal: trySignal,
                  errorOf: (status, _headers, detail) =>
                    status === 404
                      ? new ProviderError("refused", { detail: `404 ${detail}` })
                      : null,
                },
                answer,
              ).catch((error: unknown) => {
                if (error instanceof ProviderError && error.detail?.startsWith("404 ") === true)
                  return null;
                throw error;
              });
              if (said === null) return { found: { quotes: null } };
              return {
                found: { quotes: quotesOf(said.prices, question.identification.variant ?? "") },
              };
            },
      );
    },
  };
}

function quotesOf(prices: z.output<typeof answer>["prices"], variant: string): Quote[] {
  const isEtched = /etched/iu.test(variant);
  const isFoil = /foil/iu.test(variant);
  const usd = isEtched ? prices.usd_etched : isFoil ? prices.usd_foil : prices.usd;
  const eur = isEtched ? null : isFoil ? prices.eur_foil : prices.eur;
  const quote = (source: string, text: string | null, currency: string): Quote => ({
    source,
    kind: "guide",
    price: moneyOf(text, currency),
    low: null,
    high: null,
    sampleSize: null,
    asOf: new Date(),
  });
  const euro = quote("scryfall_cardmarket", eur, "EUR");
  return [quote("scryfall", usd, "USD"), ...(euro.price === null ? [] : [euro])];
}

function pathFor({ identification, externalIds }: PriceQuestion): string | null {
  const id = externalIds["scryfall"];
  if (id !== undefined) return encodeURIComponent(id);
  const number = plainNumber(identification.number);
  const isMagic = /^magic/iu.test(identification.game ?? "");
  if (!isMagic || identification.set_code == null || number === null) return null;
  return `${encodeURIComponent(identification.set_code.toLowerCase())}/${encodeURIComponent(number)}`;
}
