import type { Condition, Grading, Money } from "@cardvault/contract";
import type { CallReport, ProviderFailureCode } from "../ports.ts";
import type { MarketplaceProblemCode } from "./problems.ts";

/** Whose account at the marketplace is meant. */
export interface Seller {
  /** Tells sellers apart: access tokens and rates are kept by it. Our account's id. */
  readonly key: string;
  /** Opened; lives in memory only. */
  readonly refreshToken: string;
}

/** Why the marketplace did not do what was asked. `consent_revoked`: its owner has to connect again. */
export type MarketplaceFailureCode =
  | Exclude<ProviderFailureCode, "invalid_image">
  | "consent_revoked"
  | "not_found";

/** One thing that is wrong, in words that a dealer understands; nothing that the marketplace wrote. */
export interface MarketplaceProblem {
  readonly code: MarketplaceProblemCode;
  readonly message: string;
  /** The member of the card or listing that it is about; null where it is about none. */
  readonly field: string | null;
}

export interface MarketplaceFailure {
  readonly ok: false;
  readonly code: MarketplaceFailureCode;
  /** The same call may succeed later: away, too many calls, or an error that the marketplace calls passing. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | null;
  /** Filled where it was `refused`. */
  readonly problems: readonly MarketplaceProblem[];
  readonly report: CallReport;
}

/** Never thrown: what goes wrong is a result. */
export type MarketplaceResult<Found> =
  | ({ readonly ok: true; readonly report: CallReport } & Found)
  | MarketplaceFailure;

/** What OAuth's code is exchanged for. */
export interface SellerConsent {
  readonly refreshToken: string;
  readonly refreshTokenEndsAt: Date;
}

/** One of the seller's business policies. */
export interface BusinessPolicy {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** What a seller has set up, needed once before anything can be published. */
export interface SellerSetup {
  readonly paymentPolicies: readonly BusinessPolicy[];
  readonly returnPolicies: readonly BusinessPolicy[];
  readonly fulfillmentPolicies: readonly BusinessPolicy[];
  /** Keys of enabled merchant locations. */
  readonly locations: readonly { readonly key: string; readonly name: string }[];
}

/** Where parcels come from, for sellers without a merchant location. */
export interface NewLocation {
  readonly key: string;
  readonly name: string;
  readonly country: string;
  readonly postalCode: string;
  readonly city?: string | undefined;
  readonly stateOrProvince?: string | undefined;
}

/** What is needed to sell a card, beside its price. */
export interface MarketplaceItem {
  readonly sku: string;
  /** At most 80 characters. */
  readonly title: string;
  readonly description: string;
  readonly quantity: number;
  readonly categoryId: string;
  readonly condition: Condition | null;
  readonly grading: Grading | null;
  /** Item specifics by the marketplace's own names: `Game`, `Set`, `Card Name`, … */
  readonly aspects: Readonly<Record<string, readonly string[]>>;
  /** At least one; fetched by the marketplace. */
  readonly imageUrls: readonly string[];
}

export interface MarketplaceOfferTerms {
  readonly sku: string;
  readonly categoryId: string;
  readonly description: string;
  readonly price: Money;
  readonly quantity: number;
  readonly paymentPolicyId: string;
  readonly returnPolicyId: string;
  readonly fulfillmentPolicyId: string;
  readonly locationKey: string;
}

/** An offer as it stands at the marketplace: one for a SKU. */
export interface MarketplaceOffer {
  readonly offerId: string;
  readonly sku: string;
  /** `none`: never published, or withdrawn. `ended`: sold out, or ended by the marketplace. `out_of_stock`: live, nothing left. */
  readonly state: "none" | "active" | "out_of_stock" | "ended";
  /** Not by the seller: the marketplace has ended it. */
  readonly isEndedByMarketplace: boolean;
  /** The listing's, the last one's where it has ended; null where it never was, or was withdrawn. */
  readonly externalListingId: string | null;
  readonly url: string | null;
  readonly price: Money | null;
  readonly quantity: number | null;
  /** What the marketplace counts as sold; null where it does not say. */
  readonly quantitySold: number | null;
}

/** A line of an order: copies of one listing. */
export interface MarketplaceOrderLine {
  readonly lineId: string;
  readonly sku: string | null;
  readonly externalListingId: string | null;
  readonly title: string;
  readonly quantity: number;
  /** For all its copies, without tax and delivery. */
  readonly total: Money;
}

export interface MarketplaceOrder {
  readonly orderId: string;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly isCancelled: boolean;
  /** False until the buyer has paid; an order counts as a sale from its beginning. */
  readonly isPaid: boolean;
  /** What the marketplace takes for the whole order; null until it says. */
  readonly fee: Money | null;
  readonly lines: readonly MarketplaceOrderLine[];
}

/** What the marketplace wants to know of a card in a category. */
export interface CategoryRules {
  /** Item specifics without which a listing is refused. */
  readonly requiredAspects: readonly string[];
  /** Graders that can be named, by our own spelling. */
  readonly graders: readonly string[];
  readonly conditions: readonly Condition[];
}

/**
 * Port of a marketplace, as eBay's Sell APIs are. Each call can be repeated: what is made is known by its
 * SKU, so that a call whose answer was lost is asked again and nothing is there twice.
 */
export interface MarketplacePort {
  readonly name: "ebay";
  /** Where an owner agrees; `state` comes back with the code. */
  consentUrl(state: string): string;
  exchangeCode(code: string, signal?: AbortSignal): Promise<MarketplaceResult<SellerConsent>>;
  readSetup(seller: Seller, signal?: AbortSignal): Promise<MarketplaceResult<SellerSetup>>;
  createLocation(
    seller: Seller,
    location: NewLocation,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<object>>;
  /** Kept for hours: it changes rarely. */
  readCategory(
    seller: Seller,
    categoryId: string,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<CategoryRules>>;
  putItem(
    seller: Seller,
    item: MarketplaceItem,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<object>>;
  /** The offer of a SKU; `offer` is null where there is none. */
  findOffer(
    seller: Seller,
    sku: string,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<{ readonly offer: MarketplaceOffer | null }>>;
  /** Where there is one for the SKU already, that one is found and answered. */
  createOffer(
    seller: Seller,
    terms: MarketplaceOfferTerms,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<{ readonly offerId: string }>>;
  /** Of a live one: revises the listing. */
  updateOffer(
    seller: Seller,
    offerId: string,
    terms: MarketplaceOfferTerms,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<object>>;
  publishOffer(
    seller: Seller,
    offerId: string,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<{ readonly externalListingId: string; readonly url: string }>>;
  /** One that is not live any more is withdrawn already: that is success. */
  withdrawOffer(
    seller: Seller,
    offerId: string,
    signal?: AbortSignal,
  ): Promise<MarketplaceResult<object>>;
  /**
   * Orders last modified from `from` to `to`, both inclusive, the oldest change first where the
   * marketplace can; `next` is null on the last page.
   */
  readOrders(
    seller: Seller,
    window: { readonly from: Date; readonly to: Date; readonly next?: string | undefined },
    signal?: AbortSignal,
  ): Promise<
    MarketplaceResult<{
      readonly orders: readonly MarketplaceOrder[];
      readonly next: string | null;
    }>
  >;
}
