import { beginSync, saveOrdersUntil } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import type { MarketplaceFailure, MarketplaceOrder } from "@cardvault/providers";
import type { OpenedMarketplace } from "./open-marketplace.ts";
import { takeOrders } from "./sync-take-orders.ts";

export interface OrderNeeds {
  db: Database;
  clock: Clock;
  logger: Logger;
}

/** What a look at the orders came to. `readAt` is when it began: an order made before it has been seen. */
type OrderLook =
  | { readonly ok: true; readonly readAt: Date; readonly taken: number }
  | { readonly ok: false; readonly failure: MarketplaceFailure };

/** Orders that the marketplace shows late, and clocks that differ, are met by reading so much again. */
const overlapMs = 30 * 60_000;
/** The longest window that is asked for at once, whatever the outage was. */
const mostWindowMs = 30 * 24 * 60 * 60_000;
/** eBay shows orders of two years, and refuses to be asked for older ones. */
const mostAgeMs = 729 * 24 * 60 * 60_000;
/** A window that is no longer than this is read page by page. */
const leastWindowMs = 1_000;

/**
 * Reads the orders that were changed since they were last read, up to now, and takes what is new in them. Windows are
 * read from the oldest and made small enough for one page: between two pages an order that is changed would move
 * others past the reader. How far it came is kept after each, so that an outage of any length is made up for.
 * @param renew called between windows; false stops the look, as if the marketplace had gone
 */
export async function lookAtOrders(
  needs: OrderNeeds,
  accountId: string,
  marketplace: OpenedMarketplace,
  renew: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<OrderLook> {
  const { db, clock } = needs;
  const { port, seller } = marketplace;
  const { ordersUntil } = await beginSync(db, accountId, clock.now());
  const since = Math.max(ordersUntil.getTime() - overlapMs, clock.now().getTime() - mostAgeMs);
  let from = new Date(since);
  let windowMs = mostWindowMs;
  let taken = 0;
  for (;;) {
    const readAt = clock.now();
    const to = new Date(Math.min(readAt.getTime(), from.getTime() + windowMs));
    const first = await port.readOrders(seller, { from, to });
    if (!first.ok) return { ok: false, failure: first };
    const lengthMs = to.getTime() - from.getTime();
    if (first.next !== null && lengthMs > leastWindowMs) {
      windowMs = Math.max(leastWindowMs, Math.ceil(lengthMs / 2));
      continue;
    }
    const orders = [...first.orders];
    for (let { next } = first; next !== null;) {
      const page = await port.readOrders(seller, { from, to, next });
      if (!page.ok) return { ok: false, failure: page };
      orders.push(...page.orders);
      next = page.next;
    }
    const outcome = await takeOrders(needs, accountId, marketplace, orders.toSorted(byCreation));
    if (!outcome.ok) return outcome;
    taken += outcome.taken;
    const isLast = to.getTime() >= readAt.getTime();
    await saveOrdersUntil(db, accountId, { until: to, readAt: isLast ? readAt : undefined });
    if (isLast) return { ok: true, readAt, taken };
    if (!(await renew())) return { ok: false, failure: interrupted(first.report) };
    from = to;
    windowMs = Math.min(mostWindowMs, windowMs * 2);
  }
}

/** Copies go in the order in which they were sold. */
function byCreation(one: MarketplaceOrder, other: MarketplaceOrder): number {
  return (
    one.createdAt.getTime() - other.createdAt.getTime() ||
    (one.orderId < other.orderId ? -1 : Number(one.orderId > other.orderId))
  );
}

function interrupted(report: MarketplaceFailure["report"]): MarketplaceFailure {
  return {
    ok: false,
    code: "cancelled",
    isPassing: true,
    retryAfterMs: null,
    problems: [],
    report,
  };
}
