import type { UnmatchedReason } from "@cardvault/contract";
import { changeAccount, matchExternalIds, matchSkus, readOrderLines } from "@cardvault/db";
import type { MatchRow, OrderLineRow, Queryable } from "@cardvault/db";
import { lineChanges } from "@cardvault/domain";
import type { LineChange, OrderNow } from "@cardvault/domain";
import type {
  MarketplaceFailure,
  MarketplaceOffer,
  MarketplaceOrder,
  MarketplaceOrderLine,
} from "@cardvault/providers";
import type { OpenedMarketplace } from "./open-marketplace.ts";
import type { OrderNeeds } from "./orders.ts";
import { byMarketplace, takeLine } from "./sync-take-line.ts";

/** Orders of one commit: about 100 ms of the account's clock. */
const ordersAtOnce = 15;

type OrdersTaken =
  | { readonly ok: true; readonly taken: number }
  | { readonly ok: false; readonly failure: MarketplaceFailure };

/**
 * Takes what is new in orders, each of which may have been read before. The ledger's unique key decides what is new,
 * in the commit that takes the copies: whoever reads them, and however often, counts each line once.
 */
export async function takeOrders(
  needs: OrderNeeds,
  accountId: string,
  marketplace: OpenedMarketplace,
  orders: readonly MarketplaceOrder[],
): Promise<OrdersTaken> {
  const { db, clock } = needs;
  const { name } = marketplace.port;
  let taken = 0;
  for (let start = 0; start < orders.length; start += ordersAtOnce) {
    const some = orders.slice(start, start + ordersAtOnce);
    const news = await newsIn(db, accountId, name, some);
    if (news.length === 0) continue;
    const offers = await offersOf(marketplace, await unknownSkus(db, accountId, name, news));
    if (!offers.ok) return offers;
    await changeAccount(db, { accountId, clock, by: byMarketplace }, async (unit) => {
      for (const order of news) {
        const known = await readOrderLines(unit.tx, accountId, name, [order.orderId]);
        const matches = await matchesOf(unit.tx, accountId, name, order.lines);
        const context = { ...needs, unit, marketplace: name, order, offers: offers.bySku };
        for (const change of changesOf(known, order, matches)) {
          const seen = order.lines.find(({ lineId }) => lineId === change.lineId);
          const row = known.find(({ lineId }) => lineId === change.lineId) ?? null;
          await takeLine(context, { change, seen, row, match: matches(seen ?? row) });
          await unit.tx.em.flush();
        }
      }
    });
    taken += news.length;
  }
  return { ok: true, taken };
}

/** Those of the orders that have something new, before anything is locked. */
async function newsIn(
  db: Queryable,
  accountId: string,
  marketplace: OpenedMarketplace["port"]["name"],
  orders: readonly MarketplaceOrder[],
): Promise<MarketplaceOrder[]> {
  const ids = orders.map(({ orderId }) => orderId);
  const known = await readOrderLines(db, accountId, marketplace, ids);
  const matches = await matchesOf(
    db,
    accountId,
    marketplace,
    known.filter(({ unmatched }) => unmatched === "no_listing"),
  );
  return orders.filter((order) => {
    const lines = known.filter(({ orderId }) => orderId === order.orderId);
    return changesOf(lines, order, matches).length > 0;
  });
}

/** What is new in an order: what the rule says, and lines that match a listing or card by now. */
function changesOf(
  known: readonly OrderLineRow[],
  order: MarketplaceOrder,
  matches: (line: Named | null) => MatchRow | null,
): LineChange[] {
  const changes = lineChanges(known.map(ledgerLineOf), orderNow(order));
  const changed = new Set(changes.map(({ lineId }) => lineId));
  const matchedNow = known.filter(
    (line) =>
      line.unmatched === ("no_listing" satisfies UnmatchedReason) &&
      !changed.has(line.lineId) &&
      line.cancelledQuantity < line.quantity &&
      matches(line) !== null,
  );
  return [
    ...changes,
    ...matchedNow.map((line) => ({
      lineId: line.lineId,
      isNew: false,
      line: ledgerLineOf(line),
      sold: 0,
      cancelled: null,
    })),
  ];
}

/** The row's own members as the rule takes them: others would never be the same. */
function ledgerLineOf(row: OrderLineRow): LineChange["line"] {
  const { lineId, quantity, total, cancelledQuantity, cancelledTotal, refunded, fee, isPaid } = row;
  return { lineId, quantity, total, cancelledQuantity, cancelledTotal, refunded, fee, isPaid };
}

function orderNow({ isCancelled, isPaid, fee, lines }: MarketplaceOrder): OrderNow {
  const currency = lines[0]?.total.currency;
  return {
    isCancelled,
    isPaid,
    // In another currency than its lines a fee cannot be shared among them.
    fee: fee === null || fee.currency !== currency ? null : fee.amount,
    lines: lines.map(({ lineId, quantity, total }) => ({ lineId, quantity, total: total.amount })),
  };
}

type Named = Pick<MarketplaceOrderLine, "externalListingId" | "sku">;

/** By the marketplace's listing id; by SKU where the order has none, or none of our rows has it. */
async function matchesOf(
  db: Queryable,
  accountId: string,
  marketplace: OpenedMarketplace["port"]["name"],
  lines: readonly Named[],
): Promise<(line: Named | null) => MatchRow | null> {
  const externalIds = lines.flatMap(({ externalListingId: id }) => (id === null ? [] : [id]));
  const skus = lines.flatMap(({ sku }) => (sku === null ? [] : [sku]));
  if (externalIds.length + skus.length === 0) return () => null;
  const byId = await matchExternalIds(db, accountId, marketplace, externalIds);
  const bySku = await matchSkus(db, accountId, skus);
  return (line) => byId.get(line?.externalListingId ?? "") ?? bySku.get(line?.sku ?? "") ?? null;
}

/** SKUs of ours that are sold and of whose listing we do not know where it is live. */
async function unknownSkus(
  db: Queryable,
  accountId: string,
  marketplace: OpenedMarketplace["port"]["name"],
  orders: readonly MarketplaceOrder[],
): Promise<string[]> {
  const lines = orders.flatMap((order) => order.lines);
  const matches = await matchesOf(db, accountId, marketplace, lines);
  const skus = lines.flatMap((line) => {
    const match = matches(line);
    const isKnown = match === null || (match.status !== null && match.status in takesOrders);
    return isKnown || line.sku === null ? [] : [line.sku];
  });
  return [...new Set(skus)];
}

/** A listing in these states takes an order as it is. */
const takesOrders = { live: true, sold: true, ended: true } as const;

async function offersOf(
  { port, seller }: OpenedMarketplace,
  skus: readonly string[],
): Promise<
  | { ok: true; bySku: ReadonlyMap<string, MarketplaceOffer> }
  | { ok: false; failure: MarketplaceFailure }
> {
  const bySku = new Map<string, MarketplaceOffer>();
  for (const sku of skus) {
    const found = await port.findOffer(seller, sku);
    if (!found.ok && found.code !== "not_found") return { ok: false, failure: found };
    if (found.ok && found.offer !== null) bySku.set(sku, found.offer);
  }
  return { ok: true, bySku };
}
