import * as z from "zod";
import type { AnswerContext, SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { parsedBody } from "./body.ts";
import { EbayError } from "./errors.ts";
import { list } from "./offers.ts";
import { isLive, noCounts, offersOfSku, shownState, statusFor } from "./offer-records.ts";
import { changeSeller, openSeller } from "./seller.ts";
import type { SellerStore } from "./seller.ts";
import type { ItemRecord, OfferRecord, OrderRecord, SkuCounts } from "./shapes.ts";

const sale = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        sku: z.string().min(1).max(50),
        /** Another listing's of the SKU than the latest; null: the order names none. */
        listing_id: z.string().nullable().optional(),
        /** The order does not name it. */
        without_sku: z.boolean().default(false),
        quantity: z.int().min(1).max(1_000).default(1),
        /** Of one; what the listing asks unless told. */
        price: z.strictObject({ value: z.string(), currency: z.string() }).optional(),
      }),
    )
    .min(1)
    .max(20),
  buyer: z.string().min(1).max(60).default("a-collector"),
  is_paid: z.boolean().default(true),
});
const options = z.strictObject({
  listing_lag_ms: z.int().min(0).max(86_400_000).optional(),
  out_of_stock_control: z.boolean().optional(),
  is_set_up: z.boolean().optional(),
});
const consent = z.strictObject({ state: z.enum(["given", "revoked", "expired"]) });
const clock = z.strictObject({
  advance_ms: z
    .int()
    .min(0)
    .max(5 * 365 * 86_400_000),
});

/**
 * `/control/ebay/<seller>/…`: what a marketplace does of itself. A test account's seller is its id.
 * @throws EbayError for what is not there.
 */
export function controlEbay(
  request: SimulatedRequest,
  { store, now }: AnswerContext,
): Promise<SimulatedAnswer | null> {
  const [, seller, ...parts] = request.path.split("/").map((part) => decodeURIComponent(part));
  if (seller === undefined || seller === "") return Promise.resolve(null);
  const route = `${request.method} ${[parts[0] ?? "", ...(parts.length > 1 ? ["*"] : []), ...parts.slice(2)].join("/")}`;
  const id = parts[1] ?? "";
  if (route === "GET listings") {
    return openSeller(store, seller, now).then(async (one) => ok(await listings(one)));
  }
  const work = changes[route];
  if (work === undefined) return Promise.resolve(null);
  return changeSeller(store, seller, now, async (one) => ok(await work(one, id, request)));
}

type Change = (seller: SellerStore, id: string, request: SimulatedRequest) => Promise<unknown>;

const changes: Readonly<Record<string, Change>> = {
  "POST orders": (seller, _id, request) => sell(seller, parsedBody(request, sale)),
  "POST orders/*/cancel": (seller, id) => changeOrder(seller, id, { isCancelled: true }),
  "POST orders/*/pay": (seller, id) => changeOrder(seller, id, { isPaid: true }),
  "POST listings/*/end": async (seller, sku) => {
    const offer = await requireOffer(seller, sku);
    if (offer.listing === null || !isLive(offer)) throw noListing();
    offer.listing.status = "EBAY_ENDED";
    offer.listing.shown = null;
    await seller.write("offer", [offer.offerId], offer);
    return { listing_id: offer.listing.listingId };
  },
  "POST listings/*/relist": async (seller, sku) => {
    const offer = await requireOffer(seller, sku);
    const item = await seller.read<ItemRecord>("item", sku);
    if (item === null || isLive(offer)) throw noListing();
    return { listing_id: await list(seller, item, offer) };
  },
  "POST consent": async (seller, _id, request) => {
    seller.record.consent = parsedBody(request, consent).state;
    await seller.save();
    return { state: seller.record.consent };
  },
  "POST options": async (seller, _id, request) => {
    const given = Object.entries(parsedBody(request, options)).filter(([, it]) => it !== undefined);
    seller.record.options = { ...seller.record.options, ...Object.fromEntries(given) };
    await seller.save();
    return seller.record.options;
  },
  "POST clock": async (seller, _id, request) => {
    const { advance_ms } = parsedBody(request, clock);
    seller.record.clockOffsetMs += advance_ms;
    await seller.save();
    return { now: new Date(seller.now.getTime() + advance_ms).toISOString() };
  },
};

/** Somebody buys: an order, and less of each listing. Late orders, of listings that have ended, are made too. */
async function sell(
  seller: SellerStore,
  { lines, buyer, is_paid }: z.output<typeof sale>,
): Promise<unknown> {
  const orderId = orderIdOf(seller.nextId("orders"));
  const at = seller.now.toISOString();
  const order: OrderRecord = {
    orderId,
    createdAt: at,
    modifiedAt: at,
    isCancelled: false,
    isPaid: is_paid,
    buyer,
    lines: [],
  };
  for (const [index, line] of lines.entries()) {
    const offer = await requireOffer(seller, line.sku);
    const item = await seller.read<ItemRecord>("item", line.sku);
    const latest = offer.listing?.listingId ?? offer.earlierListingIds.at(-1);
    const listingId = line.listing_id === undefined ? latest : line.listing_id;
    const price = line.price ?? offer.terms.pricingSummary?.price;
    if (listingId === undefined || price === undefined) throw noListing();
    if (listingId === latest) await takeSold(seller, offer, item, line.quantity);
    order.lines.push({
      lineItemId: `${orderId.replaceAll("-", "")}${index + 1}`,
      listingId,
      sku: line.without_sku ? null : line.sku,
      title: item?.body.product?.title ?? line.sku,
      quantity: line.quantity,
      price,
    });
  }
  await seller.write("order", [orderId], order);
  await seller.save();
  return { order_id: orderId, listing_ids: order.lines.map((line) => line.listingId) };
}

/** The listing, its offer and its item have so many less. */
async function takeSold(
  seller: SellerStore,
  offer: OfferRecord,
  item: ItemRecord | null,
  quantity: number,
): Promise<void> {
  const { listing, terms } = offer;
  const stock = item?.body.availability?.shipToLocationAvailability;
  if (item !== null && stock !== undefined) {
    stock.quantity = Math.max(0, stock.quantity - quantity);
    await seller.write("item", [item.sku], item);
  }
  if (terms.availableQuantity !== undefined) {
    terms.availableQuantity = Math.max(0, terms.availableQuantity - quantity);
  }
  if (listing !== null && isLive(offer)) {
    const { status, sold, quantity: left } = shownState(seller, offer) ?? listing;
    const lagMs = seller.record.options.listing_lag_ms;
    const until = seller.now.getTime() + lagMs;
    listing.shown = lagMs === 0 ? null : { until, state: { status, sold, quantity: left } };
    listing.sold += quantity;
    listing.quantity = Math.max(0, listing.quantity - quantity);
    listing.status = statusFor(seller, listing.quantity);
  }
  await seller.write("offer", [offer.offerId], offer);
}

async function changeOrder(
  seller: SellerStore,
  orderId: string,
  change: Partial<Pick<OrderRecord, "isCancelled" | "isPaid">>,
): Promise<unknown> {
  const order = await seller.read<OrderRecord>("order", orderId);
  if (order === null) throw new EbayError(404, 32_100, "Invalid order ID.");
  const changed = { ...order, ...change, modifiedAt: seller.now.toISOString() };
  await seller.write("order", [orderId], changed);
  return { order_id: orderId };
}

/** Every SKU that ever had an offer: what it shows now, and how often something was made for it. */
async function listings(seller: SellerStore): Promise<unknown> {
  const offers = await seller.list<OfferRecord>("offer");
  const data = await Promise.all(
    offers.map(async (offer) => {
      const counts = (await seller.read<SkuCounts>("count", offer.sku)) ?? noCounts();
      const { listing, terms, earlierListingIds } = offer;
      return {
        sku: offer.sku,
        offer_id: offer.offerId,
        listing_id: listing?.listingId ?? null,
        listing_status: listing?.status ?? null,
        quantity: listing?.quantity ?? null,
        quantity_sold: listing?.sold ?? null,
        price: terms.pricingSummary?.price ?? null,
        earlier_listing_ids: earlierListingIds,
        ...counts,
      };
    }),
  );
  return { data };
}

async function requireOffer(seller: SellerStore, sku: string): Promise<OfferRecord> {
  const [offer] = await offersOfSku(seller, sku);
  if (offer === undefined) throw noListing();
  return offer;
}

/** `12-34567-89012`. */
function orderIdOf(digits: string): string {
  return `${digits.slice(0, 2)}-${digits.slice(2, 7)}-${digits.slice(7)}`;
}

function noListing(): EbayError {
  return new EbayError(409, 25_713, "The seller has no listing that this can be done with.");
}

const ok = (json: unknown): SimulatedAnswer => ({ status: 200, json });
