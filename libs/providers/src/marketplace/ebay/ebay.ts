import * as z from "zod";
import type { CallHouse } from "../../call/call-provider.ts";
import type { MarketplaceItem, MarketplaceOffer, MarketplacePort } from "../port.ts";
import { ebayScopes } from "./access.ts";
import type { EbayMarketplaceAccess } from "./access.ts";
import { EbayCategories } from "./categories.ts";
import { EbayClient } from "./client.ts";
import type { Send } from "./client.ts";
import { itemConditionOf } from "./conditions.ts";
import type { ConditionValues } from "./conditions.ts";
import {
  isLive,
  htmlOf,
  listingUrl,
  madeOfferAnswer,
  offerAnswer,
  offerOf,
  offersAnswer,
  offerTermsBody,
  publishedAnswer,
} from "./offers.ts";
import { readOrderPage } from "./orders.ts";
import { EbayRefusal } from "./refusal.ts";
import { locationBody, readSellerSetup } from "./setup.ts";

const inventory = "/sell/inventory/v1";
const format = "FIXED_PRICE";
const userError = 25_002;
const alreadyExists = 25_803;
/** Some answers have no body, and some one that says nothing but warnings. */
const anything = z.unknown();

const offerPath = (offerId: string): string => `${inventory}/offer/${encodeURIComponent(offerId)}`;

/** eBay as a seller uses it, by its Sell APIs. */
export function createEbayMarketplace(
  house: CallHouse,
  access: EbayMarketplaceAccess,
): MarketplacePort {
  const { marketplaceId } = access;
  const client = new EbayClient(house, access);
  const categories = new EbayCategories(marketplaceId);

  const findBySku = async (send: Send, sku: string): Promise<MarketplaceOffer | null> => {
    const query = new URLSearchParams({ sku, marketplace_id: marketplaceId, format });
    const path = `${inventory}/offer?${query.toString()}`;
    const [offer] = (await orNull(send({ path }, offersAnswer)))?.offers ?? [];
    return offer === undefined ? null : offerOf(access, offer);
  };
  const findById = async (send: Send, offerId: string): Promise<MarketplaceOffer | null> => {
    const found = await orNull(send({ path: offerPath(offerId) }, offerAnswer));
    return found === null ? null : offerOf(access, found);
  };

  return {
    name: "ebay",
    consentUrl: (state) => consentUrlOf(access, state),
    exchangeCode: (code, signal) => client.exchange(code, signal),
    readSetup: (seller, signal) =>
      client.ask(seller, signal, (send) => readSellerSetup(send, marketplaceId)),
    createLocation: (seller, location, signal) =>
      client.ask(seller, signal, async (send) => {
        const path = `${inventory}/location/${encodeURIComponent(location.key)}`;
        try {
          await send({ method: "POST", path, body: locationBody(location) }, anything);
        } catch (error) {
          // Made before: the answer to an earlier request was lost.
          if (!isRefusal(error) || !error.errorIds.includes(alreadyExists)) throw error;
        }
        return {};
      }),
    readCategory: (seller, categoryId, signal) =>
      client.ask(seller, signal, (send) => categories.rulesOf(send, categoryId)),
    putItem: (seller, item, signal) =>
      client.ask(seller, signal, async (send) => {
        const body = itemBody(item, await categories.conditionsOf(send, item.categoryId));
        const path = `${inventory}/inventory_item/${encodeURIComponent(item.sku)}`;
        await send({ method: "PUT", path, body }, anything);
        return {};
      }),
    findOffer: (seller, sku, signal) =>
      client.ask(seller, signal, async (send) => ({ offer: await findBySku(send, sku) })),
    createOffer: (seller, terms, signal) =>
      client.ask(seller, signal, async (send) => {
        const body = { sku: terms.sku, marketplaceId, format, ...offerTermsBody(terms) };
        try {
          return await send({ method: "POST", path: `${inventory}/offer`, body }, madeOfferAnswer);
        } catch (error) {
          if (!isRefusal(error) || !error.errorIds.includes(userError)) throw error;
          // There is one already: the answer to an earlier request was lost.
          const present = await findBySku(send, terms.sku);
          if (present === null) throw error;
          return { offerId: present.offerId };
        }
      }),
    updateOffer: (seller, offerId, terms, signal) =>
      client.ask(seller, signal, async (send) => {
        const body = offerTermsBody(terms);
        await send({ method: "PUT", path: offerPath(offerId), body }, anything);
        return {};
      }),
    publishOffer: (seller, offerId, signal) =>
      client.ask(seller, signal, async (send) => {
        const path = `${offerPath(offerId)}/publish`;
        const published = (id: string) => ({ externalListingId: id, url: listingUrl(access, id) });
        try {
          const { listingId } = await send({ method: "POST", path }, publishedAnswer);
          return published(listingId);
        } catch (error) {
          if (!isRefusal(error) || error.code !== "refused") throw error;
          // It may be published already: the answer to an earlier request was lost.
          const offer = await findById(send, offerId);
          if (!isLive(offer) || offer.externalListingId === null) throw error;
          return published(offer.externalListingId);
        }
      }),
    withdrawOffer: (seller, offerId, signal) =>
      client.ask(seller, signal, async (send) => {
        try {
          await send({ method: "POST", path: `${offerPath(offerId)}/withdraw` }, anything);
        } catch (error) {
          if (!isRefusal(error) || error.code === "consent_revoked") throw error;
          if (isLive(await findById(send, offerId))) throw error;
        }
        return {};
      }),
    readOrders: (seller, window, signal) =>
      client.ask(seller, signal, (send) => readOrderPage(send, window)),
  };
}

function consentUrlOf({ clientId, ruName, consentUrl }: EbayMarketplaceAccess, state: string) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: ruName,
    response_type: "code",
    scope: ebayScopes.join(" "),
    state,
    // Whoever is signed in at eBay in this browser is asked all the same who is to sell.
    prompt: "login",
  });
  return `${consentUrl}/oauth2/authorize?${query.toString()}`;
}

function itemBody(item: MarketplaceItem, values: ConditionValues): object {
  const { title, description, aspects, imageUrls } = item;
  return {
    availability: { shipToLocationAvailability: { quantity: item.quantity } },
    ...itemConditionOf(values, item.condition, item.grading),
    product: { title, description: htmlOf(description), aspects, imageUrls },
  };
}

function isRefusal(error: unknown): error is EbayRefusal {
  return error instanceof EbayRefusal;
}

/** Null for what eBay does not have. */
async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (isRefusal(error) && error.code === "not_found") return null;
    throw error;
  }
}
