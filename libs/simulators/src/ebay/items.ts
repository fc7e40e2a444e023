import type { SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { parsedBody, requireLanguage } from "./body.ts";
import { EbayError } from "./errors.ts";
import { pageOf } from "./pages.ts";
import { publishingProblems } from "./publishing-problems.ts";
import type { SellerStore } from "./seller.ts";
import { itemBody } from "./shapes.ts";
import type { ItemRecord, OfferRecord } from "./shapes.ts";
import { isLive, offersOfSku, restock } from "./offer-records.ts";

const maxTitle = 80;

/** `PUT /inventory_item/{sku}`: makes it, or replaces it whole; a live listing of it changes at once. */
export async function putItem(
  seller: SellerStore,
  sku: string,
  request: SimulatedRequest,
): Promise<SimulatedAnswer> {
  const locale = requireLanguage(request).replace("-", "_");
  if (sku.length > 50 || !/^[\x21-\x7e ]+$/.test(sku)) {
    throw new EbayError(400, 25_707, "This is an invalid value for a SKU.");
  }
  const body = parsedBody(request, itemBody);
  const title = body.product?.title;
  if (title !== undefined && (title.length === 0 || title.length > maxTitle)) {
    throw new EbayError(400, 25_709, "Invalid value for title.", { fieldName: "title" });
  }
  const item: ItemRecord = { sku, locale, body };
  const isNew = (await seller.read("item", sku)) === null;
  for (const offer of await offersOfSku(seller, sku)) {
    if (!isLive(offer)) continue;
    const [problem] = await publishingProblems(seller, item, offer);
    if (problem !== undefined) throw problem;
    restock(seller, item, offer);
    await seller.write("offer", [offer.offerId], offer);
  }
  await seller.write("item", [sku], item);
  return isNew ? { status: 201, json: {} } : { status: 204, json: undefined };
}

/** `GET /inventory_item/{sku}`. */
export async function getItem(seller: SellerStore, sku: string): Promise<SimulatedAnswer> {
  const item = await seller.read<ItemRecord>("item", sku);
  if (item === null) throw unknownSku(404, sku);
  return { status: 200, json: itemAnswer(item) };
}

/** `GET /inventory_item`. */
export async function listItems(
  seller: SellerStore,
  { query }: SimulatedRequest,
): Promise<SimulatedAnswer> {
  const items = await seller.list<ItemRecord>("item");
  const { rows, ...page } = pageOf(items, query, "/sell/inventory/v1/inventory_item", {
    limit: 25,
    max: 100,
    errorId: 25_706,
  });
  const { offset: _offset, ...counts } = page;
  return {
    status: 200,
    json: { ...counts, size: rows.length, inventoryItems: rows.map(itemAnswer) },
  };
}

/** `DELETE /inventory_item/{sku}`: its offers go with it, and their listings end. */
export async function deleteItem(seller: SellerStore, sku: string): Promise<SimulatedAnswer> {
  if ((await seller.read("item", sku)) === null) throw unknownSku(404, sku);
  for (const offer of await offersOfSku(seller, sku)) await forgetOffer(seller, offer);
  await seller.forget("item", sku);
  return { status: 204, json: undefined };
}

export async function forgetOffer(seller: SellerStore, offer: OfferRecord): Promise<void> {
  await seller.forget("offer", offer.offerId);
  await seller.forget("offer_of", offer.sku, offer.marketplaceId, offer.format);
}

export function unknownSku(status: number, sku: string): EbayError {
  const message = `${sku} could not be found or is not available in the system.`;
  return new EbayError(status, 25_702, message, { SKU: sku });
}

function itemAnswer({ sku, locale, body }: ItemRecord): object {
  return { sku, locale, ...body };
}
