import type { HandSale } from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { written } from "../people/written.ts";

interface SaleRow {
  id: string;
  card_id: string;
  quantity: number;
  price: number;
  fee: number | null;
  currency: string;
  place: string;
  note: string | null;
  sold_at: Date;
  created_at: Date;
  voided_at: Date | null;
}

const columns = `s.id, s.card_id, s.quantity, s.price, s.fee, s.place, s.note, s.sold_at, s.created_at, s.voided_at,
  (select a.currency from account a where a.id = s.account_id) as currency`;

function saleAnswer(row: SaleRow): HandSale {
  return {
    id: toId("sale", row.id),
    card_id: toId("card", row.card_id),
    quantity: row.quantity,
    price: { amount: row.price, currency: row.currency },
    fee: row.fee === null ? null : { amount: row.fee, currency: row.currency },
    place: row.place,
    note: row.note,
    sold_at: row.sold_at.toISOString(),
    recorded_at: row.created_at.toISOString(),
    voided_at: row.voided_at?.toISOString() ?? null,
  };
}

interface NewHandSale {
  id: string;
  cardId: string;
  quantity: number;
  /** For all copies, minor units of the account's currency. */
  price: number;
  /** What the place took, likewise. */
  fee: number | null;
  /** What one copy had cost, likewise; null where unknown. */
  costEach: number | null;
  place: string;
  note: string | null;
  soldAt: Date;
  requestId: string | null;
  createdBy: string | null;
  createdAt: Date;
}

export async function insertHandSale(
  tx: Queryable,
  accountId: string,
  sale: NewHandSale,
): Promise<HandSale> {
  const [row] = await tx.query<SaleRow>(
    `insert into hand_sale as s (id, account_id, card_id, quantity, price, place, note, sold_at, request_id,
       created_by, created_at, fee, cost_each)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${columns}`,
    [
      toUuid(sale.id, "sale"),
      toUuid(accountId),
      toUuid(sale.cardId, "card"),
      sale.quantity,
      sale.price,
      sale.place,
      sale.note,
      sale.soldAt,
      sale.requestId,
      sale.createdBy,
      sale.createdAt,
      sale.fee,
      sale.costEach,
    ],
  );
  return saleAnswer(written(row));
}

/** A sale by its id; null where the account has none such. */
export async function findHandSale(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<HandSale | null> {
  if (!isId("sale", id)) return null;
  const [row] = await db.query<SaleRow>(
    `select ${columns} from hand_sale s where s.account_id = $1 and s.id = $2`,
    [toUuid(accountId), toUuid(id)],
  );
  return row === undefined ? null : saleAnswer(row);
}

/** The sale that a request has recorded. */
export async function findHandSaleOfRequest(
  db: Queryable,
  accountId: string,
  requestId: string,
): Promise<HandSale | null> {
  const [row] = await db.query<SaleRow>(
    `select ${columns} from hand_sale s where s.account_id = $1 and s.request_id = $2`,
    [toUuid(accountId), requestId],
  );
  return row === undefined ? null : saleAnswer(row);
}

export async function markSaleVoid(
  tx: Queryable,
  accountId: string,
  id: string,
  by: { userId: string | null; at: Date },
): Promise<HandSale> {
  const [row] = await tx.query<SaleRow>(
    `update hand_sale s set voided_at = $3, voided_by = $4 where s.account_id = $1 and s.id = $2
     returning ${columns}`,
    [toUuid(accountId), toUuid(id, "sale"), by.at, by.userId],
  );
  return saleAnswer(written(row));
}

/** A card's sales by hand, the latest recorded first. */
export async function listHandSales(
  db: Queryable,
  accountId: string,
  cardId: string,
): Promise<HandSale[]> {
  const rows = await db.query<SaleRow>(
    `select ${columns} from hand_sale s where s.account_id = $1 and s.card_id = $2
     order by s.created_at desc, s.id desc limit 1000`,
    [toUuid(accountId), toUuid(cardId, "card")],
  );
  return rows.map(saleAnswer);
}

/** Whether the account has such a card. */
export async function hasCard(db: Queryable, accountId: string, cardId: string): Promise<boolean> {
  if (!isId("card", cardId)) return false;
  const rows = await db.query(
    `select 1 from card where account_id = $1 and id = $2`,
    [toUuid(accountId), toUuid(cardId)],
    "card_exists",
  );
  return rows.length > 0;
}
