import type { AnswerContext, Protocol, SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { searchAnswer } from "./browse.ts";
import { controlEbay } from "./control.ts";
import { EbayError, errorAnswer } from "./errors.ts";
import { deleteItem, getItem, listItems, putItem } from "./items.ts";
import { applicationOf, authorizedSeller, consentAnswer, sellerOf, tokenAnswer } from "./oauth.ts";
import {
  deleteOffer,
  findOffers,
  getOffer,
  makeOffer,
  publishOffer,
  putOffer,
  withdrawOffer,
} from "./offers.ts";
import { getOrder, listOrders } from "./orders.ts";
import { changeSeller, openSeller } from "./seller.ts";
import type { SellerStore } from "./seller.ts";
import {
  aspectsAnswer,
  conditionsAnswer,
  locationsAnswer,
  makeLocation,
  policiesAnswer,
  treeAnswer,
} from "./setup.ts";

type Handler = (
  seller: SellerStore,
  id: string,
  request: SimulatedRequest,
) => Promise<SimulatedAnswer> | SimulatedAnswer;

const inventory = "/sell/inventory/v1";
const account = "/sell/account/v1";

/** What only looks. */
const reading: Readonly<Record<string, Handler>> = {
  [`GET ${inventory}/inventory_item`]: (seller, _id, request) => listItems(seller, request),
  [`GET ${inventory}/inventory_item/*`]: (seller, sku) => getItem(seller, sku),
  [`GET ${inventory}/offer`]: (seller, _id, request) => findOffers(seller, request),
  [`GET ${inventory}/offer/*`]: (seller, id) => getOffer(seller, id),
  [`GET ${inventory}/location`]: (seller) => locationsAnswer(seller),
  [`GET ${account}/fulfillment_policy`]: (seller, _id, request) =>
    policiesAnswer(seller, "fulfillment", request),
  [`GET ${account}/payment_policy`]: (seller, _id, request) =>
    policiesAnswer(seller, "payment", request),
  [`GET ${account}/return_policy`]: (seller, _id, request) =>
    policiesAnswer(seller, "return", request),
  "GET /sell/metadata/v1/marketplace/EBAY_US/get_item_condition_policies": (
    _seller,
    _id,
    request,
  ) => conditionsAnswer(request),
  "GET /commerce/taxonomy/v1/get_default_category_tree_id": (_seller, _id, request) =>
    treeAnswer(request),
  "GET /commerce/taxonomy/v1/category_tree/0/get_item_aspects_for_category": (
    _seller,
    _id,
    request,
  ) => aspectsAnswer(request),
  "GET /sell/fulfillment/v1/order": (seller, _id, request) => listOrders(seller, request),
  "GET /sell/fulfillment/v1/order/*": (seller, id) => getOrder(seller, id),
};

/** What changes something: alone for its seller. */
const changing: Readonly<Record<string, Handler>> = {
  [`PUT ${inventory}/inventory_item/*`]: putItem,
  [`DELETE ${inventory}/inventory_item/*`]: (seller, sku) => deleteItem(seller, sku),
  [`POST ${inventory}/offer`]: (seller, _id, request) => makeOffer(seller, request),
  [`PUT ${inventory}/offer/*`]: putOffer,
  [`DELETE ${inventory}/offer/*`]: (seller, id) => deleteOffer(seller, id),
  [`POST ${inventory}/offer/*/publish`]: (seller, id) => publishOffer(seller, id),
  [`POST ${inventory}/offer/*/withdraw`]: (seller, id) => withdrawOffer(seller, id),
  [`POST ${inventory}/location/*`]: makeLocation,
};

/** eBay's token endpoint and consent page, the search of its Browse API, and what its Sell APIs need for cards. */
export const ebay: Protocol = {
  name: "ebay",
  /** The seller's name where a seller asks, a test account's id; else the application's id. */
  keyOf: (request) => sellerOf(request) || applicationOf(request),
  answer: (request, ctx) => withErrors(() => answerTo(request, ctx)),
  control: (request, ctx) => withErrors(() => controlEbay(request, ctx)),
  error: (status, message, errorId) =>
    errorAnswer([new EbayError(status, errorId ?? status, message)]),
};

async function answerTo(
  request: SimulatedRequest,
  ctx: AnswerContext,
): Promise<SimulatedAnswer | null> {
  const { method, path, query } = request;
  if (method === "GET" && path === "/oauth2/authorize") return consentAnswer(request, ctx.now);
  if (method === "POST" && path === "/identity/v1/oauth2/token") return tokenAnswer(request, ctx);
  if (method === "GET" && path === "/buy/browse/v1/item_summary/search") {
    if (applicationOf(request) === "") throw unauthorized();
    return searchAnswer(query, ctx.fault === "hostile");
  }
  const { route, id } = routeOf(request);
  const handler = reading[route] ?? changing[route];
  if (handler === undefined) return null;
  const seller = await authorizedSeller(request, ctx);
  if (seller === null) throw unauthorized();
  return route in reading
    ? handler(await openSeller(ctx.store, seller, ctx.now), id, request)
    : changeSeller(ctx.store, seller, ctx.now, async (one) => handler(one, id, request));
}

/** The path with a star for the one part that is an id: a SKU, an offer's, an order's, a location's. */
function routeOf({ method, path }: SimulatedRequest): { route: string; id: string } {
  const [, beginning, id, end = ""] =
    /^(.*\/(?:inventory_item|offer|location|order))\/([^/]+)(\/[a-z]+)?$/.exec(path) ?? [];
  return beginning === undefined || id === undefined
    ? { route: `${method} ${path}`, id: "" }
    : { route: `${method} ${beginning}/*${end}`, id: decodeURIComponent(id) };
}

async function withErrors<Answer>(work: () => Promise<Answer>): Promise<Answer | SimulatedAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EbayError) return errorAnswer([error]);
    throw error;
  }
}

function unauthorized(): EbayError {
  return new EbayError(401, 1_001, "Invalid access token", {}, "OAuth");
}
