import type { CardSelection, Money } from "@cardvault/contract";
import { toId } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { money } from "../change/card-mapping.ts";
import { selectedCards } from "./selection.ts";
import type { SelectionPage } from "./selection.ts";
import { StatementParts } from "./statement.ts";

/** What a price rule looks at, and what shows a card. */
export interface PricedRow {
  id: string;
  sku: string | null;
  title: string | null;
  quantity: number;
  askingPrice: Money | null;
  priceFloor: Money | null;
  /** May be in another currency than the account's. */
  marketPrice: Money | null;
}

interface Row {
  id: string;
  sku: string | null;
  title: string | null;
  quantity: number;
  asking_price: number | null;
  price_floor: number | null;
  market_price: number | null;
  market_price_currency: string | null;
  currency: string;
}

/** A selection's cards with their prices, in the order of their ids. */
export async function readPricedCards(
  db: Queryable,
  accountId: string,
  selection: CardSelection,
  { after, limit }: SelectionPage,
): Promise<PricedRow[]> {
  const parts = new StatementParts();
  const ids = await selectedCards(db, accountId, selection, parts, after);
  const rows = await db.query<Row>(
    `select c.id, c.sku, c.title, c.quantity, c.asking_price, c.price_floor, c.market_price,
       c.market_price_currency, a.currency
     from (${ids} order by c.id limit ${parts.bind(limit, "int")}) s
     join card c on c.id = s.id join account a on a.id = c.account_id order by c.id`,
    parts.values,
  );
  return rows.map((row) => ({
    id: toId("card", row.id),
    sku: row.sku,
    title: row.title,
    quantity: row.quantity,
    askingPrice: money(row.asking_price, row.currency),
    priceFloor: money(row.price_floor, row.currency),
    marketPrice: money(row.market_price, row.market_price_currency ?? row.currency),
  }));
}
