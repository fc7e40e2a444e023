import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { loose } from "../fields.ts";
import { ProviderError } from "../call/provider-error.ts";
import { requestJson } from "../call/http.ts";
import type { PriceQuestion, PriceSource, Quote } from "../ports.ts";
import { askSource } from "./ask-source.ts";
import { dateOf, isForGuides, moneyOf, plainNumber } from "./figures.ts";

const figure = z.number().nullish().catch(null);
const finish = z
  .object({ lowPrice: figure, highPrice: figure, marketPrice: figure })
  .nullish()
  .catch(null);

/** Source: tcgdex.dev/markets-prices. Every market and every finish may be missing. */
const answer = z.object({
  id: z.string(),
  pricing: z
    .object({
      tcgplayer: z
        .object({
          updated: loose,
          unit: loose,
          normal: finish,
          holofoil: finish,
          "reverse-holofoil": finish,
          reverse: finish,
        })
        .nullish()
        .catch(null),
      cardmarket: z
        .object({
          updated: loose,
          unit: loose,
          avg: figure,
          low: figure,
          trend: figure,
          "avg-holo": figure,
          "low-holo": figure,
          "trend-holo": figure,
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
type Pricing = NonNullable<z.output<typeof answer>["pricing"]>;

/** Guide prices of TCGplayer and Cardmarket, as TCGdex passes them on. It needs no key. */
export function createTcgdexPrices(house: CallHouse, access: Access): PriceSource {
  const line = openLine(house, "tcgdex", access);
  return {
    provider: "tcgdex",
    quotes: (question, signal) => {
      const id = idFor(question);
      return askSource(
        line,
        signal,
        id === null || !isForGuides(question)
          ? null
          : async (trySignal) => {
              const { pricing } = await requestJson(
                {
                  url: `${access.baseUrl}/v2/en/cards/${encodeURIComponent(id)}`,
                  maxAnswerBytes: line.rules.maxAnswerBytes,
                  signal: trySignal,
                  errorOf: (status, _headers, detail) =>
                    status === 404
                      ? new ProviderError("refused", { detail: `404 ${detail}` })
                      : null,
                },
                answer,
              ).catch((error: unknown) => {
                // It does not know the card.
                if (error instanceof ProviderError && error.detail?.startsWith("404 ") === true) {
                  return { pricing: undefined };
                }
                throw error;
              });
              if (pricing == null) return { found: { quotes: null } };
              const now = new Date();
              const variant = question.identification.variant ?? "";
              const found = [
                tcgplayerQuote(pricing, variant, now),
                cardmarketQuote(pricing, variant, now),
              ];
              const quotes = found.filter((quote) => quote !== null);
              return { found: { quotes: quotes.length === 0 ? null : quotes } };
            },
      );
    },
  };
}

function idFor({ identification, externalIds }: PriceQuestion): string | null {
  const known = externalIds["tcgdex"];
  if (known !== undefined) return known;
  const number = plainNumber(identification.number);
  const isTcgdexGame = /^pok[eé]mon/iu.test(identification.game ?? "");
  if (!isTcgdexGame || identification.set_code == null || number === null) return null;
  return `${identification.set_code.toLowerCase()}-${number}`;
}

function tcgplayerQuote({ tcgplayer }: Pricing, variant: string, now: Date): Quote | null {
  if (tcgplayer == null) return null;
  const { normal, holofoil } = tcgplayer;
  const reverse = tcgplayer["reverse-holofoil"] ?? tcgplayer.reverse;
  const only = normal == null ? holofoil : normal;
  const figures = /reverse/iu.test(variant)
    ? reverse
    : /holo|foil/iu.test(variant)
      ? holofoil
      : only;
  const currency = tcgplayer.unit ?? "USD";
  return {
    source: "tcgdex_tcgplayer",
    kind: "guide",
    price: moneyOf(figures?.marketPrice, currency),
    low: moneyOf(figures?.lowPrice, currency),
    high: moneyOf(figures?.highPrice, currency),
    sampleSize: null,
    asOf: dateOf(tcgplayer.updated, now) ?? now,
  };
}

function cardmarketQuote({ cardmarket }: Pricing, variant: string, now: Date): Quote | null {
  if (cardmarket == null) return null;
  const isHolo = /holo|foil/iu.test(variant);
  const currency = cardmarket.unit ?? "EUR";
  const price = isHolo
    ? (cardmarket["trend-holo"] ?? cardmarket["avg-holo"])
    : (cardmarket.trend ?? cardmarket.avg);
  return {
    source: "tcgdex_cardmarket",
    kind: "guide",
    price: moneyOf(price, currency),
    low: moneyOf(isHolo ? cardmarket["low-holo"] : cardmarket.low, currency),
    high: null,
    sampleSize: null,
    asOf: dateOf(cardmarket.updated, now) ?? now,
  };
}
