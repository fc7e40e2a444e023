import type { Access } from "./adapter.ts";
import type { CallHouse } from "./call/call-provider.ts";
import { createMemoryTurns } from "./call/turns.ts";
import type { ProvidersConfig } from "./config.ts";
import { createGenerative } from "./generative/generative.ts";
import type { GenerativeProvider } from "./generative/access.ts";
import type { GenerativeAi, ImageRecognition, PriceSource } from "./ports.ts";
import { createCardSightPrices } from "./prices/cardsight-prices.ts";
import { createEbayBrowse } from "./prices/ebay-browse.ts";
import { createPriceCharting } from "./prices/pricecharting.ts";
import { createScryfallPrices } from "./prices/scryfall.ts";
import { createTcgdexPrices } from "./prices/tcgdex.ts";
import { createCardSight } from "./recognition/cardsight.ts";
import { createXimilar } from "./recognition/ximilar.ts";

/** Whom an account's cards are shown to. Null: nobody of that kind is configured. */
export interface ProviderSet {
  readonly recognition: ImageRecognition | null;
  readonly generative: GenerativeAi | null;
  readonly prices: readonly PriceSource[];
}

export interface Providers {
  /** Of live accounts. */
  readonly live: ProviderSet;
  /** Of one test account: the sandbox, which tells accounts apart by their keys. Nobody where there is none. */
  readonly sandbox: (accountId: string) => ProviderSet;
}

const nobody: ProviderSet = { recognition: null, generative: null, prices: [] };
const generativeUrls: Readonly<Record<Exclude<GenerativeProvider, "openai_compatible">, string>> = {
  google: "https://generativelanguage.googleapis.com",
  anthropic: "https://api.anthropic.com",
};

/** The adapters that an installation has configured. Made once a process. */
export function createProviders(
  house: CallHouse,
  config: ProvidersConfig,
  currency = "USD",
): Providers {
  return {
    live: {
      recognition: recognitionOf(house, config),
      generative: generativeOf(house, config),
      prices: config.priceSources.map((name) => priceSourceOf(house, config, currency, name)),
    },
    sandbox: (accountId) =>
      config.sandboxUrl === undefined
        ? nobody
        : sandboxSet(
            // What the sandbox says of its limits and faults is nothing that live accounts should meet.
            { ...house, turns: createMemoryTurns(), onOutcome: undefined },
            config.sandboxUrl,
            accountId,
            config.concurrency,
          ),
  };
}

function recognitionOf(house: CallHouse, config: ProvidersConfig): ImageRecognition | null {
  const { recognitionTimeoutMs: deadlineMs, concurrency } = config;
  switch (config.recognitionProvider) {
    case undefined:
      return null;
    case "cardsight":
      return createCardSight(house, {
        baseUrl: config.cardsightUrl,
        key: config.cardsightKey ?? "",
        deadlineMs,
        concurrency,
        callCostMicros: config.cardsightCallMicros,
      });
    case "ximilar":
      return createXimilar(house, {
        baseUrl: config.ximilarUrl,
        key: config.ximilarKey ?? "",
        deadlineMs,
        concurrency,
        callCostMicros: config.ximilarCallMicros,
      });
  }
}

function generativeOf(house: CallHouse, config: ProvidersConfig): GenerativeAi | null {
  const { generativeProvider: provider } = config;
  if (provider === undefined) return null;
  const own = provider === "openai_compatible" ? "" : generativeUrls[provider];
  return createGenerative(house, {
    provider,
    baseUrl: config.generativeUrl ?? own,
    // A server of one's own, as Ollama, asks for no key.
    key: config.generativeKey ?? "none",
    model: config.generativeModel ?? "",
    deadlineMs: config.generativeTimeoutMs,
    concurrency: config.concurrency,
    inputCents: config.generativeInputCents,
    outputCents: config.generativeOutputCents,
  });
}

function priceSourceOf(
  house: CallHouse,
  config: ProvidersConfig,
  currency: string,
  name: ProvidersConfig["priceSources"][number],
): PriceSource {
  const common = { deadlineMs: config.priceTimeoutMs, concurrency: config.concurrency };
  switch (name) {
    case "cardsight":
      return createCardSightPrices(house, {
        ...common,
        baseUrl: config.cardsightUrl,
        key: config.cardsightKey ?? "",
        callCostMicros: config.cardsightCallMicros,
      });
    case "pricecharting":
      return createPriceCharting(house, {
        ...common,
        baseUrl: config.pricechartingUrl,
        key: config.pricechartingToken ?? "",
      });
    case "tcgdex":
      return createTcgdexPrices(house, { ...common, baseUrl: config.tcgdexUrl, key: "" });
    case "scryfall":
      return createScryfallPrices(house, { ...common, baseUrl: config.scryfallUrl, key: "" });
    case "ebay_browse":
      return createEbayBrowse(house, {
        ...common,
        baseUrl: config.ebayUrl,
        key: config.ebayClientSecret ?? "",
        clientId: config.ebayClientId ?? "",
        currency,
      });
  }
}

/** The sandbox has a folder for each protocol, and no limits but those it is told to have. */
function sandboxSet(
  house: CallHouse,
  url: string,
  accountId: string,
  concurrency: number,
): ProviderSet {
  const access = (protocol: string): Access => ({
    baseUrl: `${url}/${protocol}`,
    key: accountId,
    deadlineMs: 10_000,
    concurrency,
    rate: { perMinute: 60_000, burst: 1_000 },
  });
  return {
    recognition: createCardSight(house, access("cardsight")),
    generative: createGenerative(house, {
      ...access("google"),
      provider: "google",
      model: "sandbox-vision",
    }),
    prices: [
      createCardSightPrices(house, access("cardsight")),
      // It knows cards by their words too: those that the local recogniser has identified.
      createPriceCharting(house, access("pricecharting")),
      createEbayBrowse(house, { ...access("ebay"), clientId: accountId, currency: "USD" }),
    ],
  };
}
