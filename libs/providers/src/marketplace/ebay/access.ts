import type { Access } from "../../adapter.ts";

/** The language of titles and descriptions, and the host of listings. */
export const ebaySites = {
  EBAY_US: { language: "en-US", host: "www.ebay.com" },
  EBAY_GB: { language: "en-GB", host: "www.ebay.co.uk" },
  EBAY_DE: { language: "de-DE", host: "www.ebay.de" },
  EBAY_AU: { language: "en-AU", host: "www.ebay.com.au" },
  EBAY_CA: { language: "en-CA", host: "www.ebay.ca" },
} as const satisfies Readonly<Record<string, { language: string; host: string }>>;
export const ebayMarketplaceIds = ["EBAY_US", "EBAY_GB", "EBAY_DE", "EBAY_AU", "EBAY_CA"] as const;
export type EbayMarketplaceId = (typeof ebayMarketplaceIds)[number];

/** How the seller's side of eBay is reached. `key` is the application's secret. */
export interface EbayMarketplaceAccess extends Access {
  readonly clientId: string;
  /** eBay's name for the address that its consent page leads back to. */
  readonly ruName: string;
  readonly marketplaceId: EbayMarketplaceId;
  /** Where the consent page is, without a slash at its end. */
  readonly consentUrl: string;
  /** Where listings can be looked at: their number is put behind it. */
  readonly itemUrl: string;
  /** For tests; the machine's unless told. */
  readonly now?: (() => Date) | undefined;
}

/** What a seller agrees to: listings, orders, policies; and what anybody may ask of categories. */
export const ebayScopes = [
  "https://api.ebay.com/oauth/api_scope",
  "https://api.ebay.com/oauth/api_scope/sell.inventory",
  "https://api.ebay.com/oauth/api_scope/sell.fulfillment",
  "https://api.ebay.com/oauth/api_scope/sell.account",
] as const;
