import type { Money } from "@cardvault/contract";
import * as z from "zod";
import { loose } from "../../fields.ts";
import { moneyOf } from "../../prices/figures.ts";
import type { MarketplaceOffer, MarketplaceOfferTerms } from "../port.ts";
import type { EbayMarketplaceAccess } from "./access.ts";

const id = z.string().regex(/^[\w|-]{1,60}$/);

export const offerAnswer = z.object({
  offerId: id,
  sku: z.string(),
  status: z.string(),
  availableQuantity: z.number().int().nullish().catch(null),
  pricingSummary: z
    .object({ price: z.object({ value: loose, currency: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
  listing: z
    .object({
      listingId: id.nullish(),
      listingStatus: z.string().nullish().catch(null),
      soldQuantity: z.number().int().nullish().catch(null),
    })
    .nullish(),
});
export const offersAnswer = z.object({ offers: z.array(offerAnswer) });
export const madeOfferAnswer = z.object({ offerId: id });
export const publishedAnswer = z.object({ listingId: id });

/** A status that we do not know, of an offer that eBay calls published, is a listing that is there. */
const states: ReadonlyMap<string, MarketplaceOffer["state"]> = new Map([
  ["OUT_OF_STOCK", "out_of_stock"],
  ["ENDED", "ended"],
  ["EBAY_ENDED", "ended"],
  ["NOT_LISTED", "none"],
]);

export function offerOf(
  access: Pick<EbayMarketplaceAccess, "itemUrl">,
  offer: z.output<typeof offerAnswer>,
): MarketplaceOffer {
  const { listing } = offer;
  const price = offer.pricingSummary?.price;
  const listingId = listing?.listingId ?? null;
  const ofListing = states.get(listing?.listingStatus ?? "") ?? "active";
  // eBay says nothing of the listing of an offer that is not published, or only that it has ended.
  const isThere = listingId !== null && (offer.status === "PUBLISHED" || ofListing === "ended");
  return {
    offerId: offer.offerId,
    sku: offer.sku,
    state: isThere ? ofListing : "none",
    isEndedByMarketplace: isThere && listing?.listingStatus === "EBAY_ENDED",
    externalListingId: listingId,
    url: listingId === null ? null : listingUrl(access, listingId),
    price: price == null ? null : moneyOf(price.value, price.currency),
    quantity: offer.availableQuantity ?? null,
    quantitySold: listing?.soldQuantity ?? null,
  };
}

export function isLive(offer: MarketplaceOffer | null): offer is MarketplaceOffer {
  return offer?.state === "active" || offer?.state === "out_of_stock";
}

export function listingUrl(
  { itemUrl }: Pick<EbayMarketplaceAccess, "itemUrl">,
  listingId: string,
): string {
  return `${itemUrl}${encodeURIComponent(listingId)}`;
}

/** What an offer says beside its SKU, marketplace and format, which never change. */
export function offerTermsBody(terms: MarketplaceOfferTerms): object {
  return {
    availableQuantity: terms.quantity,
    categoryId: terms.categoryId,
    listingDescription: htmlOf(terms.description),
    listingDuration: "GTC",
    // eBay's own text and pictures of a product that it takes the card for are not the dealer's.
    includeCatalogProductDetails: false,
    listingPolicies: {
      fulfillmentPolicyId: terms.fulfillmentPolicyId,
      paymentPolicyId: terms.paymentPolicyId,
      returnPolicyId: terms.returnPolicyId,
    },
    merchantLocationKey: terms.locationKey,
    pricingSummary: { price: amountOf(terms.price) },
  };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A description is text, whoever wrote what is in it; eBay takes HTML, and would show lines as one and run
 * a provider's tags in the dealer's name.
 */
export function htmlOf(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "")
    .replaceAll(/\r\n|\n|\r/g, "<br>");
}

/** `{ amount: 1250 }` is `"12.50"`: the currencies of the marketplaces that we know have cents. */
function amountOf({ amount, currency }: Money): { value: string; currency: string } {
  const cents = String(amount % 100).padStart(2, "0");
  return { value: `${Math.floor(amount / 100)}.${cents}`, currency };
}
