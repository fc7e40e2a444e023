import type { SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import { EbayError } from "./errors.ts";
import { pageOf } from "./pages.ts";
import type { SellerStore } from "./seller.ts";
import type { OrderRecord } from "./shapes.ts";

const domain = "API_FULFILLMENT";
const path = "/sell/fulfillment/v1/order";
/** Clocks differ by as much. */
const toleranceMs = 5 * 60_000;
const twoYearsMs = 2 * 366 * 86_400_000;
/** What is taken of a sale: 13.25 % of it and 40 cents an order. */
const feeShare = 0.1325;
const feeCents = 40;
const deliveryCents = 499;

/** `GET /order?filter=lastmodifieddate:[from..to]`: the one made last first, as eBay has them. */
export async function listOrders(
  seller: SellerStore,
  { query }: SimulatedRequest,
): Promise<SimulatedAnswer> {
  const { from, to } = windowOf(query.get("filter") ?? "", seller.now);
  const orders = (await seller.list<OrderRecord>("order"))
    .filter(({ modifiedAt }) => {
      const at = Date.parse(modifiedAt);
      return at >= from && at <= to;
    })
    .reverse();
  const { rows, ...page } = pageOf(orders, query, path, {
    limit: 50,
    max: 200,
    errorId: 31_100,
    domain,
  });
  return { status: 200, json: { ...page, orders: rows.map((one) => orderAnswer(seller, one)) } };
}

/** `GET /order/{orderId}`. */
export async function getOrder(seller: SellerStore, orderId: string): Promise<SimulatedAnswer> {
  const order = await seller.read<OrderRecord>("order", orderId);
  if (order === null) throw new EbayError(404, 32_100, "Invalid order ID.", {}, domain);
  return { status: 200, json: orderAnswer(seller, order) };
}

/** In milliseconds, both inclusive. */
function windowOf(filter: string, now: Date): { from: number; to: number } {
  if (filter === "") return { from: now.getTime() - 90 * 86_400_000, to: now.getTime() };
  const wrong = (errorId: number, message: string): EbayError =>
    new EbayError(400, errorId, message, {}, domain);
  const [, first, last] =
    /^lastmodifieddate:\[([^.\]]*(?:\.\d{3}Z)?)\.\.([^\]]*)\]$/.exec(filter) ?? [];
  if (first === undefined) throw wrong(30_700, "Invalid filter name.");
  if (first === "") throw wrong(30_820, "Start date is missing");
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  if (!form.test(first) || (last !== "" && !form.test(last ?? ""))) {
    throw wrong(30_810, "Invalid date format");
  }
  const from = Date.parse(first);
  const to = last === "" || last === undefined ? now.getTime() : Date.parse(last);
  if (from > to) throw wrong(30_840, "Start date should be before end date");
  if (to > now.getTime() + toleranceMs) {
    throw wrong(30_850, "Start and end dates can't be in the future");
  }
  if (from < now.getTime() - twoYearsMs) throw wrong(30_830, "Time range must be within 2 years.");
  return { from, to };
}

/** In the marketplace's decimals. */
const decimals = (cents: number): string => (cents / 100).toFixed(2);
const centsOf = (value: string): number => Math.round(Number(value) * 100);

function orderAnswer({ seller }: SellerStore, order: OrderRecord): object {
  const { orderId, createdAt, modifiedAt, isCancelled, isPaid, buyer, lines } = order;
  const currency = lines[0]?.price.currency ?? "USD";
  const amount = (cents: number): object => ({ value: decimals(cents), currency });
  const costOf = (line: OrderRecord["lines"][number]): number =>
    centsOf(line.price.value) * line.quantity;
  const subtotal = lines.reduce((sum, line) => sum + costOf(line), 0);
  const total = subtotal + deliveryCents;
  const fee = Math.round(total * feeShare) + feeCents;
  return {
    orderId,
    creationDate: createdAt,
    lastModifiedDate: modifiedAt,
    orderFulfillmentStatus: "NOT_STARTED",
    orderPaymentStatus: isCancelled ? "FULLY_REFUNDED" : isPaid ? "PAID" : "PENDING",
    sellerId: seller,
    buyer: { username: buyer },
    pricingSummary: {
      priceSubtotal: amount(subtotal),
      deliveryCost: amount(deliveryCents),
      total: amount(total),
    },
    cancelStatus: isCancelled
      ? {
          cancelState: "CANCELED",
          cancelledDate: modifiedAt,
          cancelRequests: [
            {
              cancelInitiator: "BUYER",
              cancelReason: "BUYER_ASKED_CANCEL",
              cancelRequestId: `5${orderId.replaceAll("-", "")}`,
              cancelRequestState: "COMPLETED",
              cancelRequestedDate: modifiedAt,
              cancelCompletedDate: modifiedAt,
            },
          ],
        }
      : { cancelState: "NONE_REQUESTED", cancelRequests: [] },
    paymentSummary: {
      totalDueSeller: amount(total - fee),
      payments: isPaid
        ? [
            {
              paymentMethod: "EBAY",
              paymentReferenceId: orderId,
              paymentDate: createdAt,
              amount: amount(total),
              paymentStatus: "PAID",
            },
          ]
        : [],
    },
    lineItems: lines.map((line, index) => ({
      lineItemId: line.lineItemId,
      ...(line.listingId === null ? {} : { legacyItemId: line.listingId }),
      ...(line.sku === null ? {} : { sku: line.sku }),
      title: line.title,
      lineItemCost: amount(costOf(line)),
      quantity: line.quantity,
      soldFormat: "FIXED_PRICE",
      listingMarketplaceId: "EBAY_US",
      purchaseMarketplaceId: "EBAY_US",
      lineItemFulfillmentStatus: "NOT_STARTED",
      total: amount(costOf(line) + (index === 0 ? deliveryCents : 0)),
      deliveryCost: { shippingCost: amount(index === 0 ? deliveryCents : 0) },
      properties: { buyerProtection: true },
    })),
    totalFeeBasisAmount: amount(total),
    totalMarketplaceFee: amount(fee),
  };
}
