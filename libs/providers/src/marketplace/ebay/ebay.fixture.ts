import type { Sandbox } from "../../fixtures.ts";
import type {
  MarketplaceItem,
  MarketplaceOfferTerms,
  MarketplacePort,
  MarketplaceResult,
  Seller,
} from "../port.ts";
import type { EbayMarketplaceAccess } from "./access.ts";
import { createEbayMarketplace } from "./ebay.ts";

export const policies = {
  fulfillmentPolicyId: "6196932000",
  paymentPolicyId: "6196947000",
  returnPolicyId: "6196944000",
  locationKey: "default",
} as const;

export function ebayAt(sandbox: Sandbox, more: Partial<EbayMarketplaceAccess> = {}) {
  return createEbayMarketplace(sandbox.house, {
    ...sandbox.access("ebay"),
    clientId: "vault-app",
    key: "vault-secret",
    ruName: "https://vault.example.com/auth/marketplace/callback",
    marketplaceId: "EBAY_US",
    consentUrl: sandbox.access("ebay").baseUrl,
    itemUrl: "https://www.ebay.com/itm/",
    now: () => new Date("2026-02-15T12:00:00Z"),
    ...more,
  });
}

let sellers = 0;
/** A test account of its own. */
export function newSeller(): Seller {
  sellers += 1;
  const key = `acc_${sellers}`;
  return { key, refreshToken: `sandbox-${key}` };
}

export function item(more: Partial<MarketplaceItem> = {}): MarketplaceItem {
  return {
    sku: "B47-001",
    title: "1999 Ember Coast Charged Serpent #12 Near Mint",
    description: "Charged Serpent, 12/102, Ember Coast.",
    quantity: 1,
    categoryId: "183454",
    condition: "near_mint",
    grading: null,
    aspects: { Game: ["Pokémon TCG"], Set: ["Ember Coast"] },
    imageUrls: ["https://vault.example.com/photos/a1.webp"],
    ...more,
  };
}

export function terms(more: Partial<MarketplaceOfferTerms> = {}): MarketplaceOfferTerms {
  return {
    sku: "B47-001",
    categoryId: "183454",
    description: "Charged Serpent, 12/102, Ember Coast.",
    price: { amount: 1_250, currency: "USD" },
    quantity: 1,
    ...policies,
    ...more,
  };
}

/** What a call found that has to succeed. */
export async function found<Found extends object>(
  call: Promise<MarketplaceResult<Found>>,
): Promise<Extract<MarketplaceResult<Found>, { ok: true }>> {
  const result = await call;
  if (!result.ok) throw new Error(`The call failed: ${JSON.stringify(result)}`);
  return result;
}

/** Item, offer, listing, as a publication makes them. */
export async function publish(
  port: MarketplacePort,
  seller: Seller,
  more: Partial<MarketplaceItem> & Partial<MarketplaceOfferTerms> = {},
) {
  const { sku = "B47-001", quantity = 1 } = more;
  await found(port.putItem(seller, item({ ...more, sku, quantity })));
  const { offerId } = await found(port.createOffer(seller, terms({ ...more, sku, quantity })));
  return { offerId, ...(await found(port.publishOffer(seller, offerId))) };
}

/** What the simulator has for a SKU. */
export interface Counted {
  sku: string;
  offer_id: string;
  listing_id: string | null;
  listing_status: string | null;
  offers_made: number;
  listings_made: number;
  withdrawn: number;
}

export async function counted(sandbox: Sandbox, { key }: Seller): Promise<Counted[]> {
  return (await sandbox.control<{ data: Counted[] }>(`/ebay/${key}/listings`)).data;
}

/** The next request of a kind is done, and its answer is lost. */
export async function dropAnswer(sandbox: Sandbox, { key }: Seller, on: string): Promise<void> {
  await sandbox.fault("ebay", "dropped", { key, on, when: "after", remaining: 1 });
}
