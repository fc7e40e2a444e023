import {
  ConfigError,
  duration,
  integer,
  list,
  oneOf,
  optional,
  readSettings,
  setting,
  text,
  url,
  withDefault,
} from "@cardvault/kit";
import type { SettingValues } from "@cardvault/kit";
import * as z from "zod";
import { generativeProviders } from "./generative/access.ts";
import { ebayMarketplaceIds } from "./marketplace/ebay/access.ts";
import { providerNames } from "./ports.ts";
import type { ProviderName } from "./ports.ts";

const recognitionProviders = ["cardsight", "ximilar"] as const;
const priceProviders = ["cardsight", "pricecharting", "tcgdex", "scryfall", "ebay_browse"] as const;

const timeout = (defaultMs: number) =>
  withDefault(duration({ minMs: 500, maxMs: 120_000 }), () => defaultMs);
/** `google=4000`: a provider, and millionths of a US dollar. */
const providerMicros: z.ZodType<{ provider: ProviderName; micros: number }> = z
  .string()
  .transform((given, ctx) => {
    const [name = "", digits = "", ...more] = given.split("=");
    const provider = providerNames.find((known) => known === name);
    if (provider !== undefined && /^\d{1,12}$/.test(digits) && more.length === 0) {
      return { provider, micros: Number(digits) };
    }
    const message = "must be provider=millionths of a US dollar, with commas between.";
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const base = (address: string) => withDefault(url("https", "http"), () => address);

/** Which providers an installation uses. Keys and addresses are its own, never an account's. */
export const providerSettings = {
  recognitionProvider: setting(
    "RECOGNITION_PROVIDER",
    "The image recognition of live accounts: cardsight or ximilar; only the local one if not set.",
    optional(oneOf(...recognitionProviders)),
  ),
  recognitionTimeoutMs: setting(
    "RECOGNITION_TIMEOUT",
    "How long image recognition may take, further tries included.",
    timeout(15_000),
  ),
  cardsightKey: setting("CARDSIGHT_API_KEY", "The key for CardSight AI.", optional(text())),
  cardsightUrl: setting(
    "CARDSIGHT_URL",
    "Where CardSight AI is.",
    base("https://api.cardsight.ai"),
  ),
  cardsightCallMicros: setting(
    "CARDSIGHT_CALL_COST",
    "What a call costs, in millionths of a US dollar.",
    optional(integer(0, 10_000_000)),
  ),
  ximilarKey: setting("XIMILAR_API_KEY", "The key for Ximilar.", optional(text())),
  ximilarUrl: setting("XIMILAR_URL", "Where Ximilar is.", base("https://api.ximilar.com")),
  ximilarCallMicros: setting(
    "XIMILAR_CALL_COST",
    "What a call costs, in millionths of a US dollar.",
    optional(integer(0, 10_000_000)),
  ),
  generativeProvider: setting(
    "GENERATIVE_PROVIDER",
    "The generative AI of live accounts: google, anthropic or openai_compatible.",
    optional(oneOf(...generativeProviders)),
  ),
  generativeModel: setting("GENERATIVE_MODEL", "The model's name.", optional(text())),
  generativeKey: setting("GENERATIVE_API_KEY", "The key for it.", optional(text())),
  generativeUrl: setting(
    "GENERATIVE_URL",
    "Where it is, without /v1 or /v1beta; the provider's own address if not set.",
    optional(url("https", "http")),
  ),
  generativeTimeoutMs: setting(
    "GENERATIVE_TIMEOUT",
    "How long the generative AI may take, further tries included.",
    timeout(30_000),
  ),
  generativeInputCents: setting(
    "GENERATIVE_INPUT_COST",
    "US cents for a million tokens of input.",
    optional(integer(0, 1_000_000)),
  ),
  generativeOutputCents: setting(
    "GENERATIVE_OUTPUT_COST",
    "US cents for a million tokens of output.",
    optional(integer(0, 1_000_000)),
  ),
  priceSources: setting(
    "PRICE_SOURCES",
    `Whom live accounts ask for prices, with commas: ${priceProviders.join(", ")}.`,
    list(oneOf(...priceProviders)),
  ),
  priceTimeoutMs: setting(
    "PRICE_TIMEOUT",
    "How long a price source may take, further tries included.",
    timeout(8_000),
  ),
  pricechartingToken: setting(
    "PRICECHARTING_TOKEN",
    "The token for PriceCharting.",
    optional(text()),
  ),
  pricechartingUrl: setting(
    "PRICECHARTING_URL",
    "Where PriceCharting is.",
    base("https://www.pricecharting.com"),
  ),
  tcgdexUrl: setting("TCGDEX_URL", "Where TCGdex is.", base("https://api.tcgdex.net")),
  scryfallUrl: setting("SCRYFALL_URL", "Where Scryfall is.", base("https://api.scryfall.com")),
  ebayClientId: setting("EBAY_CLIENT_ID", "The application's id at eBay.", optional(text())),
  ebayClientSecret: setting("EBAY_CLIENT_SECRET", "Its secret.", optional(text())),
  ebayUrl: setting("EBAY_URL", "Where eBay's APIs are.", base("https://api.ebay.com")),
  ebayConsentUrl: setting(
    "EBAY_CONSENT_URL",
    "Where eBay asks a seller to agree.",
    base("https://auth.ebay.com"),
  ),
  ebayRuName: setting(
    "EBAY_RU_NAME",
    "eBay's name (RuName) for the address that its consent page leads back to; live accounts can connect to eBay once it is set.",
    optional(text()),
  ),
  ebayMarketplaceId: setting(
    "EBAY_MARKETPLACE_ID",
    "The site that cards are listed on: EBAY_US, EBAY_GB, EBAY_DE, EBAY_AU or EBAY_CA.",
    withDefault(oneOf(...ebayMarketplaceIds), () => "EBAY_US" as const),
  ),
  marketplaceTimeoutMs: setting(
    "MARKETPLACE_TIMEOUT",
    "How long a call to the marketplace may take, further tries included.",
    timeout(20_000),
  ),
  concurrency: setting(
    "PROVIDER_CONCURRENCY",
    "How many requests of one process a provider gets at a time.",
    withDefault(integer(1, 64), () => 4),
  ),
  callCosts: setting(
    "PROVIDER_CALL_COSTS",
    "What a call is counted at where its cost is not known, as google=4000, in millionths of a US dollar.",
    list(providerMicros),
  ),
  monthlyCaps: setting(
    "PROVIDER_MONTHLY_CAPS",
    "What each account may spend at a provider in a month, as cardsight=5000000,google=2000000, in " +
      "millionths of a US dollar; an operator can set another for an account. No end if not set.",
    list(providerMicros),
  ),
  sandboxUrl: setting(
    "SANDBOX_URL",
    "Where the sandbox is, which test accounts use instead of the providers; not open to the world.",
    optional(url("http", "https")),
  ),
} as const;

export type ProvidersConfig = SettingValues<typeof providerSettings>;

/** What a choice needs besides itself. */
const needs: readonly (readonly [
  isChosen: (config: ProvidersConfig) => boolean,
  key: keyof ProvidersConfig,
  because: string,
])[] = [
  [
    (it) => it.recognitionProvider === "cardsight" || it.priceSources.includes("cardsight"),
    "cardsightKey",
    "cardsight is chosen",
  ],
  [(it) => it.recognitionProvider === "ximilar", "ximilarKey", "ximilar is chosen"],
  [(it) => it.generativeProvider !== undefined, "generativeModel", "GENERATIVE_PROVIDER is set"],
  [
    (it) => it.generativeProvider === "google" || it.generativeProvider === "anthropic",
    "generativeKey",
    "GENERATIVE_PROVIDER is set",
  ],
  [
    (it) => it.generativeProvider === "openai_compatible",
    "generativeUrl",
    "openai_compatible has no address of its own",
  ],
  [
    (it) => it.priceSources.includes("pricecharting"),
    "pricechartingToken",
    "pricecharting is chosen",
  ],
  [(it) => it.priceSources.includes("ebay_browse"), "ebayClientId", "ebay_browse is chosen"],
  [(it) => it.priceSources.includes("ebay_browse"), "ebayClientSecret", "ebay_browse is chosen"],
  [(it) => it.ebayRuName !== undefined, "ebayClientId", "EBAY_RU_NAME is set"],
  [(it) => it.ebayRuName !== undefined, "ebayClientSecret", "EBAY_RU_NAME is set"],
];

/** What one call of a provider is reckoned at, and what an account may spend there. Null: not known, no end. */
export interface ProviderSpending {
  readonly callMicros: number | null;
  readonly capMicros: number | null;
}

/** By the installation's configuration, where the adapter's answer does not say what the call has cost. */
export function spendingAt(
  { callCosts, monthlyCaps, cardsightCallMicros, ximilarCallMicros }: SpendingConfig,
  provider: ProviderName,
): ProviderSpending {
  const own = { cardsight: cardsightCallMicros, ximilar: ximilarCallMicros };
  const known = provider in own ? own[provider as keyof typeof own] : undefined;
  const of = (all: SpendingConfig["callCosts"]): number | null =>
    all.findLast((one) => one.provider === provider)?.micros ?? null;
  return { callMicros: known ?? of(callCosts), capMicros: of(monthlyCaps) };
}

type SpendingConfig = Pick<
  ProvidersConfig,
  "callCosts" | "monthlyCaps" | "cardsightCallMicros" | "ximilarCallMicros"
>;

/**
 * The providers' configuration from the environment; nothing is required where nothing is chosen.
 * @throws ConfigError that lists every problem and no value.
 */
export function readProvidersConfig(
  env: Readonly<Record<string, string | undefined>>,
): ProvidersConfig {
  const config = readSettings(providerSettings, env);
  const problems = needs
    .filter(([isChosen, key]) => isChosen(config) && config[key] === undefined)
    .map(([, key, because]) => `${providerSettings[key].name} is required: ${because}.`);
  if (problems.length > 0) throw new ConfigError(problems);
  const plain = (address: string): string => address.replace(/\/+$/, "");
  return {
    ...config,
    cardsightUrl: plain(config.cardsightUrl),
    ximilarUrl: plain(config.ximilarUrl),
    pricechartingUrl: plain(config.pricechartingUrl),
    tcgdexUrl: plain(config.tcgdexUrl),
    scryfallUrl: plain(config.scryfallUrl),
    ebayUrl: plain(config.ebayUrl),
    ebayConsentUrl: plain(config.ebayConsentUrl),
    ...(config.generativeUrl === undefined ? {} : { generativeUrl: plain(config.generativeUrl) }),
    ...(config.sandboxUrl === undefined ? {} : { sandboxUrl: plain(config.sandboxUrl) }),
  };
}
