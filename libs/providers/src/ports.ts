import type { Condition, Grading, Identification, Money } from "@cardvault/contract";

/** Whom the adapters of this room talk to. The name stands in attempts, limits and counters. */
export const providerNames = [
  "cardsight",
  "ximilar",
  "google",
  "anthropic",
  "openai_compatible",
  "pricecharting",
  "tcgdex",
  "scryfall",
  "ebay_browse",
  "ebay",
] as const;
export type ProviderName = (typeof providerNames)[number];

/** Why a provider gave no answer that can be used. The closed list of this room. */
export const providerFailureCodes = [
  /** No whole answer within the deadline. */
  "timeout",
  /** Too many calls, the provider's word or our own count of what it allows. */
  "rate_limited",
  /** It does not accept the key. */
  "unauthorized",
  /** The key's allowance is used up. */
  "quota",
  /** It cannot work with this picture. */
  "invalid_image",
  /** It does not accept the request: a mistake of ours, or of the configuration. */
  "refused",
  /** It answered something else than its protocol says. */
  "malformed_answer",
  /** It is away, or says that it cannot answer now. */
  "unavailable",
  /** The caller gave up. */
  "cancelled",
] as const;
export type ProviderFailureCode = (typeof providerFailureCodes)[number];

/** What a call cost, beside what it found. */
export interface CallReport {
  readonly provider: ProviderName;
  /** The model that answered, where there is one. */
  readonly model: string | null;
  /** Over everything, waits and further tries included. */
  readonly durationMs: number;
  /** How many requests were sent. */
  readonly tries: number;
  /** In millionths of a US dollar, by the prices of the configuration; null where they are not known. */
  readonly costMicros: number | null;
}

export interface ProviderFailure {
  readonly ok: false;
  readonly code: ProviderFailureCode;
  /** When the provider, or our count of its limit, allows the next call; null where nobody says. */
  readonly retryAfterMs: number | null;
  readonly report: CallReport;
}

export interface CardImage {
  readonly bytes: Uint8Array;
  /** `image/jpeg`, `image/png`, `image/webp` or `image/heic`. */
  readonly type: string;
}

/** What is known of the card before it is looked at. */
export interface IdentifyHints {
  readonly game?: string | undefined;
}

/** What a card may be. */
export interface RecognisedCard {
  readonly identification: Identification;
  /** 0 to 1, as the provider says it; a model's is not calibrated. */
  readonly confidence: number;
  /** Ids that the provider and others know the card by. */
  readonly externalIds: Readonly<Record<string, string>>;
  readonly grading: Grading | null;
  /** A picture of it on the provider's side, for a person to compare. */
  readonly imageUrl: string | null;
  /** Fields that could not be read, by their names in the contract. */
  readonly unreadable: readonly string[];
}

export interface Recognition {
  readonly ok: true;
  /**
   * `matched`: the likeliest is one card. `set_level`: only the set is known, which is never an
   * identification. `no_match`: there is no card, or none that the provider knows.
   */
  readonly outcome: "matched" | "set_level" | "no_match";
  /** The likeliest first, at most five. */
  readonly candidates: readonly RecognisedCard[];
  readonly report: CallReport;
}

/** Image recognition and generative AI answer alike: they differ in what their confidence is worth. */
export interface CardIdentifier {
  readonly provider: ProviderName;
  /** Never throws: what goes wrong is a result. */
  identify(
    image: CardImage,
    hints?: IdentifyHints,
    signal?: AbortSignal,
  ): Promise<Recognition | ProviderFailure>;
}

/** Port of the providers that know cards by their pictures. */
export type ImageRecognition = CardIdentifier;
/** Port of the models that read a card's picture. */
export type GenerativeAi = CardIdentifier;

/** What is priced: a printing, in a condition or a grading. */
export interface PriceQuestion {
  readonly identification: Partial<Identification>;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly condition: Condition | null;
  readonly grading: Pick<Grading, "grader" | "grade"> | null;
}

export const quoteKinds = ["sold", "asking", "guide"] as const;
export type QuoteKind = (typeof quoteKinds)[number];

/** What one source says. `price` is null where it knows too little to say. */
export interface Quote {
  /** The provider, or with `_` behind it whose figures it passes on: `tcgdex_cardmarket`. */
  readonly source: string;
  readonly kind: QuoteKind;
  readonly price: Money | null;
  readonly low: Money | null;
  readonly high: Money | null;
  readonly sampleSize: number | null;
  readonly asOf: Date;
}

export interface Quotes {
  readonly ok: true;
  /** Null: the source does not know the card, or cannot tell which one is meant. */
  readonly quotes: readonly Quote[] | null;
  readonly report: CallReport;
}

export interface PriceSource {
  readonly provider: ProviderName;
  /** Never throws: what goes wrong is a result. */
  quotes(question: PriceQuestion, signal?: AbortSignal): Promise<Quotes | ProviderFailure>;
}
