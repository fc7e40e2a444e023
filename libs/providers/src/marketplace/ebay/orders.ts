import { currencies, maxAmount } from "@cardvault/contract";
import type { Money } from "@cardvault/contract";
import * as z from "zod";
import { cleanText, loose } from "../../fields.ts";
import type { MarketplaceOrder } from "../port.ts";
import type { Send } from "./client.ts";

/** Small enough that a page is far below what is read of an answer. */
const pageSize = 50;
const maxTitle = 200;

/** A sum of an order, 0 too. What is none makes the answer malformed: a sale is never left out. */
const sum = z
  .object({ value: z.string(), currency: z.string() })
  .transform(({ value, currency }, ctx): Money => {
    const isSum = /^\d{1,10}(\.\d{1,4})?$/.test(value) && currencies.includes(currency);
    const amount = isSum ? Math.round(Number(value) * 100) : maxAmount + 1;
    if (amount <= maxAmount) return { amount, currency };
    ctx.addIssue({ code: "custom", message: "is no sum of money" });
    return z.NEVER;
  });
const moment = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const id = z.string().min(1).max(100);

const order = z.object({
  orderId: id,
  creationDate: moment,
  lastModifiedDate: moment,
  orderPaymentStatus: z.string().nullish(),
  cancelStatus: z.object({ cancelState: z.string().nullish() }).nullish(),
  totalMarketplaceFee: sum.nullish().catch(null),
  lineItems: z.array(
    z.object({
      lineItemId: id,
      legacyItemId: id.nullish(),
      sku: z.string().max(100).nullish(),
      title: loose,
      quantity: z.number().int().min(1),
      lineItemCost: sum,
      discountedLineItemCost: sum.nullish(),
    }),
  ),
});
const ordersAnswer = z.object({
  total: z.number().int().min(0),
  orders: z.array(order).nullish(),
});

const unpaid: ReadonlySet<string> = new Set(["PENDING", "FAILED"]);

function orderOf(one: z.output<typeof order>): MarketplaceOrder {
  return {
    orderId: one.orderId,
    createdAt: one.creationDate,
    modifiedAt: one.lastModifiedDate,
    isCancelled: one.cancelStatus?.cancelState === "CANCELED",
    isPaid: !unpaid.has(one.orderPaymentStatus ?? ""),
    fee: one.totalMarketplaceFee ?? null,
    lines: one.lineItems.map((line) => ({
      lineId: line.lineItemId,
      sku: line.sku ?? null,
      externalListingId: line.legacyItemId ?? null,
      title: cleanText(line.title, maxTitle) ?? "",
      quantity: line.quantity,
      total: line.discountedLineItemCost ?? line.lineItemCost,
    })),
  };
}

/**
 * A page of the orders that were last modified in the window. eBay counts its pages off: an order that is
 * modified meanwhile leaves the window, and those behind it move up over a page's edge. The total tells
 * so, and the page begins as much earlier: an order can come twice, and none is missed.
 */
export async function readOrderPage(
  send: Send,
  window: { readonly from: Date; readonly to: Date; readonly next?: string | undefined },
): Promise<{ orders: readonly MarketplaceOrder[]; next: string | null }> {
  const filter = `lastmodifieddate:[${window.from.toISOString()}..${window.to.toISOString()}]`;
  let { offset, total: expected } = placeOf(window.next);
  for (;;) {
    const limit = String(pageSize);
    const query = new URLSearchParams({ filter, limit, offset: String(offset) });
    const path = `/sell/fulfillment/v1/order?${query.toString()}`;
    const { total, orders } = await send({ path }, ordersAnswer);
    const moved = expected === null ? 0 : expected - total;
    expected = total;
    if (moved > 0 && offset > 0) {
      offset = Math.max(0, offset - moved);
      continue;
    }
    const end = offset + pageSize;
    return {
      orders: (orders ?? []).map(orderOf),
      next: end < total ? `${end}.${total}` : null,
    };
  }
}

function placeOf(next: string | undefined): { offset: number; total: number | null } {
  const [, offset, total] = /^(\d{1,9})\.(\d{1,9})$/.exec(next ?? "") ?? [];
  return offset === undefined
    ? { offset: 0, total: null }
    : { offset: Number(offset), total: Number(total) };
}
