import type { CallHouse, CallRules } from "./call/call-provider.ts";
import { Slots } from "./call/slots.ts";
import type { ProviderRate } from "./call/turns.ts";
import type { ProviderName } from "./ports.ts";

/** How an adapter reaches its provider. */
export interface Access {
  /** The installation's own, or the sandbox's; never an account's. Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly deadlineMs: number;
  /** Requests at a time, of this adapter. */
  readonly concurrency: number;
  /** Another rate than the provider's own: the sandbox has none. */
  readonly rate?: ProviderRate | undefined;
  /** In millionths of a US dollar a call; null where it is not known. */
  readonly callCostMicros?: number | null | undefined;
}

/**
 * What each provider allows, by its own documentation where it says, else what a polite client asks for:
 * Scryfall 10 a second, PriceCharting 1 a second, eBay Browse 5,000 a day, eBay's Sell APIs 2 million a day.
 */
const rates: Readonly<Record<ProviderName, ProviderRate>> = {
  cardsight: { perMinute: 60, burst: 10 },
  ximilar: { perMinute: 60, burst: 10 },
  google: { perMinute: 60, burst: 10 },
  anthropic: { perMinute: 50, burst: 5 },
  openai_compatible: { perMinute: 120, burst: 10 },
  pricecharting: { perMinute: 60, burst: 1 },
  tcgdex: { perMinute: 300, burst: 10 },
  scryfall: { perMinute: 540, burst: 2 },
  ebay_browse: { perMinute: 60, burst: 20 },
  ebay: { perMinute: 1_200, burst: 50 },
};

/** What a whole answer may have at most; a card's is a few kilobytes. */
const maxAnswerBytes = 2 * 1_024 * 1_024;
const maxTries = 3;

function rulesOf(provider: ProviderName, access: Access): CallRules {
  return {
    provider,
    deadlineMs: access.deadlineMs,
    maxTries,
    rate: access.rate ?? rates[provider],
    maxAnswerBytes,
  };
}

/** What an adapter calls with. */
export interface Line {
  readonly house: CallHouse;
  readonly rules: CallRules;
  readonly slots: Slots;
}

export function openLine(house: CallHouse, provider: ProviderName, access: Access): Line {
  return { house, rules: rulesOf(provider, access), slots: new Slots(access.concurrency) };
}
