import type { IdentifyProvider } from "@cardvault/contract";
import { gradingFrom } from "@cardvault/domain";
import type {
  CardIdentifier,
  PriceSource,
  ProviderName,
  ProviderFailure,
  ProviderFailureCode,
  Providers,
  ProviderSet,
  ProviderSpending,
} from "@cardvault/providers";
import { EngineError } from "./engines.ts";
import type { EngineCost, EnginesOf, IdentificationEngine, PriceEngine } from "./engines.ts";
import { fieldsFrom, identificationFrom } from "./field-names.ts";

/** What says nothing about the card that was asked about: another would fare no better now. */
const outages: readonly ProviderFailureCode[] = [
  "timeout",
  "rate_limited",
  "unauthorized",
  "quota",
  "unavailable",
];

/** They take no money for a call. */
const free: readonly ProviderName[] = ["tcgdex", "scryfall", "ebay_browse"];
const unknownSpending: ProviderSpending = { callMicros: null, capMicros: null };

type CostOf = (provider: ProviderName) => Omit<EngineCost, "name">;

/**
 * Who is asked, by the installation's configuration. A live account's own recogniser stands in where no
 * image recognition is configured; a test account asks it first, and then the sandbox.
 * @param local recognises without a third party; null where there is none
 * @param spendingAt what live accounts' calls are reckoned at, and may cost; a sandbox asks for nothing
 */
export function enginesOf(
  providers: Pick<Providers, "live" | "sandbox">,
  local: IdentificationEngine | null,
  spendingAt: (provider: ProviderName) => ProviderSpending = () => unknownSpending,
): EnginesOf {
  return ({ accountId, environment }) => {
    const isLive = environment === "live";
    const set: ProviderSet = isLive ? providers.live : providers.sandbox(accountId);
    const costOf: CostOf = (provider) => {
      const { callMicros, capMicros } = spendingAt(provider);
      return isLive
        ? { isPaid: !free.includes(provider), callMicros: callMicros ?? 0, capMicros }
        : { isPaid: false };
    };
    const hasLocal = local !== null && (!isLive || set.recognition === null);
    return {
      identification: [
        ...(hasLocal ? [local] : []),
        ...(set.recognition === null
          ? []
          : [providerEngine("image_recognition", set.recognition, costOf)]),
        ...(set.generative === null
          ? []
          : [providerEngine("generative_ai", set.generative, costOf)]),
      ],
      prices: set.prices.map((source) => priceEngine(source, costOf)),
    };
  };
}

/** A provider that identifies, as one of the engines. It looks at the front, or what there is first. */
function providerEngine(
  provider: IdentifyProvider,
  identifier: CardIdentifier,
  costOf: CostOf,
): IdentificationEngine {
  return {
    name: identifier.provider,
    provider,
    ...costOf(identifier.provider),
    async identify({ pictures, game }, signal) {
      const [front] = pictures;
      if (front === undefined) return { candidates: [], unreadable: [], costMicros: null };
      const image = { bytes: front.bytes, type: front.mediaType };
      const said = await identifier.identify(image, { game }, signal);
      if (!said.ok) throw engineError(said);
      // Only a set is no identification, and names no card to choose.
      const candidates = said.outcome === "matched" ? said.candidates : [];
      return {
        candidates: candidates.map(
          ({ identification, confidence, externalIds, imageUrl, grading }) => ({
            fields: fieldsFrom(identification),
            confidence,
            externalIds,
            imageUrl,
            grading: gradingFrom(grading),
          }),
        ),
        unreadable: said.candidates[0]?.unreadable ?? [],
        costMicros: said.report.costMicros,
      };
    },
  };
}

/** A price source as one of the engines. */
function priceEngine(source: PriceSource, costOf: CostOf): PriceEngine {
  return {
    name: source.provider,
    ...costOf(source.provider),
    async quote({ fields, externalIds, condition, grading }, signal) {
      const identification = identificationFrom(fields);
      const question = { identification, externalIds, condition, grading };
      const said = await source.quotes(question, signal);
      if (!said.ok) throw engineError(said);
      return { quotes: said.quotes ?? [], costMicros: said.report.costMicros };
    },
  };
}

function engineError({ code, retryAfterMs }: ProviderFailure): EngineError {
  return new EngineError(code, {
    isTimeout: code === "timeout" || code === "cancelled",
    isOutage: outages.includes(code),
    retryAfterMs: retryAfterMs ?? undefined,
  });
}
