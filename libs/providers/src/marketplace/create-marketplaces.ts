import type { CallHouse } from "../call/call-provider.ts";
import { createMemoryTurns } from "../call/turns.ts";
import type { ProvidersConfig } from "../config.ts";
import { ebaySites } from "./ebay/access.ts";
import { createEbayMarketplace } from "./ebay/ebay.ts";
import type { MarketplacePort } from "./port.ts";

/** Where accounts sell. Each is made once a process: they keep tokens and what categories want. */
export interface Marketplaces {
  /** Of live accounts; null where the installation has no application at eBay. */
  readonly live: MarketplacePort | null;
  /** Of test accounts, which it tells apart by their sellers; null where there is no sandbox. */
  readonly sandbox: MarketplacePort | null;
}

/** The marketplaces that an installation has configured. */
export function createMarketplaces(
  house: CallHouse,
  config: ProvidersConfig,
  now?: () => Date,
): Marketplaces {
  const { ebayRuName, sandboxUrl, concurrency, ebayMarketplaceId: marketplaceId } = config;
  const common = { deadlineMs: config.marketplaceTimeoutMs, concurrency, now };
  return {
    live:
      ebayRuName === undefined
        ? null
        : createEbayMarketplace(house, {
            ...common,
            baseUrl: config.ebayUrl,
            key: config.ebayClientSecret ?? "",
            clientId: config.ebayClientId ?? "",
            ruName: ebayRuName,
            marketplaceId,
            consentUrl: config.ebayConsentUrl,
            itemUrl: `https://${siteOf(config.ebayUrl, ebaySites[marketplaceId].host)}/itm/`,
          }),
    sandbox:
      sandboxUrl === undefined
        ? null
        : createEbayMarketplace(
            // What the sandbox says of its limits and faults is nothing that live accounts should meet.
            { ...house, turns: createMemoryTurns(), onOutcome: undefined },
            {
              ...common,
              baseUrl: `${sandboxUrl}/ebay`,
              key: "sandbox",
              clientId: "sandbox",
              ruName: "sandbox",
              marketplaceId: "EBAY_US",
              consentUrl: `${sandboxUrl}/ebay`,
              // Its listings have no page; nobody else's stands under their numbers.
              itemUrl: "https://marketplace.example/itm/",
              rate: { perMinute: 60_000, burst: 1_000 },
            },
          ),
  };
}

/** eBay's own sandbox has a site of its own for all marketplaces. */
function siteOf(apiUrl: string, host: string): string {
  return new URL(apiUrl).hostname === "api.sandbox.ebay.com" ? "sandbox.ebay.com" : host;
}
