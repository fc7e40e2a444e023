import type { Marketplace, UnmatchedReason } from "@cardvault/contract";
import type { LedgerLine } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** A line of a marketplace's order as it is stored. */
export interface OrderLineRow extends LedgerLine {
  id: string;
  orderId: string;
  marketplace: Marketplace;
  listingId: string | null;
  cardId: string | null;
  unmatched: UnmatchedReason | null;
  externalListingId: string | null;
  sku: string | null;
  title: string;
  /** ISO 4217 */
  currency: string;
  /** What one copy had cost when it was sold, in minor units of the account's currency. */
  costEach: number | null;
  soldAt: Date;
  modifiedAt: Date;
  cancelledAt: Date | null;
}

type StoredLine = Omit<OrderLineRow, "id" | "listingId" | "cardId"> & {
  id: string;
  listingId: string | null;
  cardId: string | null;
};

const columns = `l.id, l.marketplace, l.order_id as "orderId", l.line_id as "lineId", l.listing_id as "listingId",
  l.card_id as "cardId", l.unmatched, l.external_listing_id as "externalListingId", l.sku, l.title, l.quantity,
  l.total, l.currency, l.cancelled_quantity as "cancelledQuantity", l.cancelled_total as "cancelledTotal",
  l.refunded, l.fee, l.cost_each as "costEach", l.is_paid as "isPaid", l.sold_at as "soldAt",
  l.modified_at as "modifiedAt", l.cancelled_at as "cancelledAt"`;

function rowOf(stored: StoredLine): OrderLineRow {
  return {
    ...stored,
    id: toId("sale", stored.id),
    listingId: stored.listingId === null ? null : toId("lst", stored.listingId),
    cardId: stored.cardId === null ? null : toId("card", stored.cardId),
  };
}

/** What the ledger has of these orders, in the order of their recording. */
export async function readOrderLines(
  db: Queryable,
  accountId: string,
  marketplace: Marketplace,
  orderIds: readonly string[],
): Promise<OrderLineRow[]> {
  const rows = await db.query<StoredLine>(
    `select ${columns} from marketplace_order_line l
     where l.account_id = $1 and l.marketplace = $2 and l.order_id = any ($3::text[]) order by l.id`,
    [toUuid(accountId), marketplace, orderIds],
    "order_lines",
  );
  return rows.map(rowOf);
}

/** One line by its id; null where the account has none such. */
export async function findOrderLine(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<OrderLineRow | null> {
  if (!isId("sale", id)) return null;
  const [row] = await db.query<StoredLine>(
    `select ${columns} from marketplace_order_line l where l.account_id = $1 and l.id = $2`,
    [toUuid(accountId), toUuid(id)],
    "order_line",
  );
  return row === undefined ? null : rowOf(row);
}

/** Writes a line down. A second one of the same order and number is refused by the database. */
export async function insertOrderLine(
  tx: Queryable,
  accountId: string,
  line: OrderLineRow,
  recordedAt: Date,
): Promise<void> {
  await tx.query(
    `insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id,
       unmatched, external_listing_id, sku, title, quantity, total, currency, cancelled_quantity, cancelled_total,
       refunded, fee, cost_each, is_paid, sold_at, modified_at, cancelled_at, recorded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
       $23, $24)`,
    [
      toUuid(line.id, "sale"),
      toUuid(accountId),
      line.marketplace,
      line.orderId,
      line.lineId,
      line.listingId === null ? null : toUuid(line.listingId, "lst"),
      line.cardId === null ? null : toUuid(line.cardId, "card"),
      line.unmatched,
      line.externalListingId,
      line.sku,
      line.title,
      line.quantity,
      line.total,
      line.currency,
      line.cancelledQuantity,
      line.cancelledTotal,
      line.refunded,
      line.fee,
      line.costEach,
      line.isPaid,
      line.soldAt,
      line.modifiedAt,
      line.cancelledAt,
      recordedAt,
    ],
    "insert_order_line",
  );
}

/** Writes what a later look at an order, or a person, has changed of a line. */
export async function updateOrderLine(
  tx: Queryable,
  accountId: string,
  line: OrderLineRow,
): Promise<void> {
  await tx.query(
    `update marketplace_order_line set listing_id = $3, card_id = $4, unmatched = $5, cancelled_quantity = $6,
       cancelled_total = $7, refunded = $8, fee = $9, cost_each = $10, is_paid = $11, modified_at = $12,
       cancelled_at = $13
     where account_id = $1 and id = $2`,
    [
      toUuid(accountId),
      toUuid(line.id, "sale"),
      line.listingId === null ? null : toUuid(line.listingId, "lst"),
      line.cardId === null ? null : toUuid(line.cardId, "card"),
      line.unmatched,
      line.cancelledQuantity,
      line.cancelledTotal,
      line.refunded,
      line.fee,
      line.costEach,
      line.isPaid,
      line.modifiedAt,
      line.cancelledAt,
    ],
    "update_order_line",
  );
}
