import * as z from "zod";

// What is read of the bodies that a seller sends. Other members are eBay's too, and mean nothing here.

const amount = z.object({ value: z.string(), currency: z.string() });

export const itemBody = z.object({
  availability: z
    .object({ shipToLocationAvailability: z.object({ quantity: z.int().min(0) }).optional() })
    .optional(),
  condition: z.string().optional(),
  conditionDescriptors: z
    .array(
      z.object({
        name: z.string(),
        values: z.array(z.string()).optional(),
        additionalInfo: z.string().optional(),
      }),
    )
    .optional(),
  product: z
    .object({
      title: z.string().optional(),
      description: z.string().optional(),
      aspects: z.record(z.string(), z.array(z.string())).optional(),
      imageUrls: z.array(z.string()).optional(),
    })
    .optional(),
});
type ItemBody = z.output<typeof itemBody>;

export const offerBody = z.object({
  sku: z.string().optional(),
  marketplaceId: z.string().optional(),
  format: z.string().optional(),
  availableQuantity: z.int().min(0).optional(),
  categoryId: z.string().optional(),
  listingDescription: z.string().optional(),
  listingDuration: z.string().optional(),
  merchantLocationKey: z.string().optional(),
  pricingSummary: z.object({ price: amount.optional() }).optional(),
  listingPolicies: z
    .object({
      fulfillmentPolicyId: z.string().optional(),
      paymentPolicyId: z.string().optional(),
      returnPolicyId: z.string().optional(),
    })
    .optional(),
});
type OfferBody = z.output<typeof offerBody>;

export const locationBody = z.object({
  name: z.string().optional(),
  locationTypes: z.array(z.string()).optional(),
  merchantLocationStatus: z.string().optional(),
  location: z.object({
    address: z.object({
      addressLine1: z.string().optional(),
      city: z.string().optional(),
      stateOrProvince: z.string().optional(),
      postalCode: z.string().optional(),
      country: z.string(),
    }),
  }),
});
export type LocationBody = z.output<typeof locationBody>;

export interface ItemRecord {
  sku: string;
  locale: string;
  body: ItemBody;
}

/** What buyers see of a listing. */
export interface ListingState {
  status: "ACTIVE" | "OUT_OF_STOCK" | "ENDED" | "EBAY_ENDED";
  sold: number;
  /** What is left. */
  quantity: number;
}

interface ListingRecord extends ListingState {
  listingId: string;
  /** What is shown instead until then, in milliseconds: a listing lags behind its sale. */
  shown: { until: number; state: ListingState } | null;
}

export interface OfferRecord {
  offerId: string;
  sku: string;
  marketplaceId: string;
  format: string;
  terms: OfferBody;
  /** Null: never published, or withdrawn. */
  listing: ListingRecord | null;
  /** Of listings that this offer had before: an order can still name one. */
  earlierListingIds: string[];
}

/** How often something was made under a SKU: what must never be double is counted here. */
export interface SkuCounts {
  offers_made: number;
  listings_made: number;
  withdrawn: number;
}

export interface OrderRecord {
  orderId: string;
  createdAt: string;
  modifiedAt: string;
  isCancelled: boolean;
  isPaid: boolean;
  buyer: string;
  lines: {
    lineItemId: string;
    /** Null: the answer does not name it. */
    listingId: string | null;
    sku: string | null;
    title: string;
    quantity: number;
    /** Of one. */
    price: { value: string; currency: string };
  }[];
}
