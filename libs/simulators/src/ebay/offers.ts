import type { SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { parsedBody, requireLanguage } from "./body.ts";
import { EbayError, errorAnswer } from "./errors.ts";
import { forgetOffer, unknownSku } from "./items.ts";
import {
  availableOf,
  countFor,
  isLive,
  offersOfSku,
  restock,
  shownState,
} from "./offer-records.ts";
import { publishingProblems } from "./publishing-problems.ts";
import type { SellerStore } from "./seller.ts";
import { offerBody } from "./shapes.ts";
import type { ItemRecord, OfferRecord } from "./shapes.ts";

/** `POST /offer`: one for a SKU, marketplace and format. */
export async function makeOffer(
  seller: SellerStore,
  request: SimulatedRequest,
): Promise<SimulatedAnswer> {
  requireLanguage(request);
  const { sku, marketplaceId, format, ...terms } = parsedBody(request, offerBody);
  if (marketplaceId !== "EBAY_US") throw invalid("marketplaceId");
  if (format !== "FIXED_PRICE") throw invalid("format");
  if (sku === undefined || (await seller.read("item", sku)) === null) {
    throw unknownSku(400, sku ?? "");
  }
  const [present] = await offersOfSku(seller, sku);
  if (present !== undefined) {
    throw new EbayError(400, 25_002, "A user error has occurred. Offer entity already exists.", {
      offerId: present.offerId,
    });
  }
  const offer: OfferRecord = {
    offerId: seller.nextId("offers"),
    sku,
    marketplaceId,
    format,
    terms,
    listing: null,
    earlierListingIds: [],
  };
  await seller.write("offer", [offer.offerId], offer);
  await seller.write("offer_of", [sku, marketplaceId, format], offer.offerId);
  await countFor(seller, sku, "offers_made");
  await seller.save();
  return { status: 201, json: { offerId: offer.offerId } };
}

/** `GET /offer?sku=…`. */
export async function findOffers(
  seller: SellerStore,
  { query }: SimulatedRequest,
): Promise<SimulatedAnswer> {
  const sku = query.get("sku");
  if (sku === null) throw invalid("sku");
  const offers = await offersOfSku(seller, sku);
  if (offers.length === 0) throw unknownOffer();
  return {
    status: 200,
    json: {
      href: `/sell/inventory/v1/offer?sku=${encodeURIComponent(sku)}`,
      total: offers.length,
      size: offers.length,
      limit: 100,
      offers: await Promise.all(offers.map((offer) => offerAnswer(seller, offer))),
    },
  };
}

/** `GET /offer/{offerId}`. */
export async function getOffer(seller: SellerStore, offerId: string): Promise<SimulatedAnswer> {
  return { status: 200, json: await offerAnswer(seller, await requireOffer(seller, offerId)) };
}

/** `PUT /offer/{offerId}`: replaces it whole; of a live one the listing changes at once. */
export async function putOffer(
  seller: SellerStore,
  offerId: string,
  request: SimulatedRequest,
): Promise<SimulatedAnswer> {
  requireLanguage(request);
  const terms = parsedBody(request, offerBody);
  const offer = await requireOffer(seller, offerId);
  offer.terms = terms;
  if (isLive(offer)) {
    const item = await requireItem(seller, offer.sku);
    const problems = await publishingProblems(seller, item, offer);
    if (problems.length > 0) return errorAnswer(problems);
    restock(seller, item, offer);
  }
  await seller.write("offer", [offerId], offer);
  return { status: 200, json: { offerId } };
}

/** `DELETE /offer/{offerId}`: its listing ends. */
export async function deleteOffer(seller: SellerStore, offerId: string): Promise<SimulatedAnswer> {
  await forgetOffer(seller, await requireOffer(seller, offerId));
  return { status: 204, json: undefined };
}

/** `POST /offer/{offerId}/publish`: a new listing, unless there is a live one. */
export async function publishOffer(seller: SellerStore, offerId: string): Promise<SimulatedAnswer> {
  const offer = await requireOffer(seller, offerId);
  if (isLive(offer)) {
    throw new EbayError(400, 25_002, "A user error has occurred. The offer is published already.");
  }
  const item = await requireItem(seller, offer.sku);
  const problems = await publishingProblems(seller, item, offer);
  if (problems.length > 0) return errorAnswer(problems);
  const listingId = await list(seller, item, offer);
  return { status: 200, json: { listingId } };
}

/** A listing of an offer's own, in place of one that has ended. */
export async function list(
  seller: SellerStore,
  item: ItemRecord,
  offer: OfferRecord,
): Promise<string> {
  const listingId = seller.nextId("listings");
  if (offer.listing !== null) offer.earlierListingIds.push(offer.listing.listingId);
  const quantity = availableOf(item, offer);
  offer.listing = { listingId, status: "ACTIVE", sold: 0, quantity, shown: null };
  await seller.write("offer", [offer.offerId], offer);
  await countFor(seller, offer.sku, "listings_made");
  await seller.save();
  return listingId;
}

/** `POST /offer/{offerId}/withdraw`. */
export async function withdrawOffer(
  seller: SellerStore,
  offerId: string,
): Promise<SimulatedAnswer> {
  const offer = await requireOffer(seller, offerId);
  const { listing } = offer;
  if (listing === null || !isLive(offer)) {
    throw new EbayError(400, 25_002, "A user error has occurred. The offer is not published.");
  }
  offer.earlierListingIds.push(listing.listingId);
  offer.listing = null;
  await seller.write("offer", [offerId], offer);
  await countFor(seller, offer.sku, "withdrawn");
  return { status: 200, json: { listingId: listing.listingId } };
}

async function requireOffer(seller: SellerStore, offerId: string): Promise<OfferRecord> {
  const offer = await seller.read<OfferRecord>("offer", offerId);
  if (offer === null) throw unknownOffer();
  return offer;
}

async function requireItem(seller: SellerStore, sku: string): Promise<ItemRecord> {
  const item = await seller.read<ItemRecord>("item", sku);
  if (item === null) throw unknownSku(400, sku);
  return item;
}

async function offerAnswer(seller: SellerStore, offer: OfferRecord): Promise<object> {
  const state = shownState(seller, offer);
  const item = await seller.read<ItemRecord>("item", offer.sku);
  const { offerId, sku, marketplaceId, format, terms, listing } = offer;
  const available = item === null ? 0 : availableOf(item, offer);
  return {
    offerId,
    sku,
    marketplaceId,
    format,
    ...terms,
    availableQuantity: state?.quantity ?? available,
    status: listing === null ? "UNPUBLISHED" : "PUBLISHED",
    ...(listing === null || state === null
      ? {}
      : {
          listing: {
            listingId: listing.listingId,
            listingStatus: state.status,
            soldQuantity: state.sold,
          },
        }),
  };
}

const invalid = (fieldName: string): EbayError =>
  new EbayError(400, 25_709, `Invalid value for ${fieldName}`, { fieldName });

function unknownOffer(): EbayError {
  return new EbayError(404, 25_713, "This Offer is not available.");
}
