import type { LedgerSale } from "@cardvault/contract";
import { csvLine } from "./csv/formula.ts";
import type { CsvCell } from "./csv/formula.ts";
import { formatMoney } from "./values/money.ts";

/** The ledger of sales as a list: the line of its headers, and the line of a sale. */
export interface LedgerWriter {
  readonly head: string;
  line(sale: LedgerSale): string;
}

const columns: Readonly<Record<string, (sale: LedgerSale) => CsvCell>> = {
  "Sold at": ({ sold_at }) => sold_at,
  State: ({ state }) => state,
  Kind: ({ kind }) => (kind === "by_hand" ? "by hand" : kind),
  Place: ({ place }) => place,
  Order: ({ order_id }) => order_id ?? "",
  Listing: ({ external_listing_id }) => external_listing_id ?? "",
  Title: ({ title }) => title ?? "",
  SKU: ({ sku }) => sku ?? "",
  Batch: ({ batch_code }) => batch_code ?? "",
  Copies: ({ quantity }) => String(quantity),
  "Copies cancelled": ({ cancelled_quantity }) => String(cancelled_quantity),
  Currency: ({ price }) => price.currency,
  Price: ({ price }) => formatMoney(price),
  Cancelled: ({ cancelled }) => formatMoney(cancelled),
  Refunded: ({ refunded }) => formatMoney(refunded),
  // Not known is an empty cell, and none is 0.
  Fee: ({ fee }) => (fee === null ? "" : formatMoney(fee)),
  Cost: ({ cost }) => (cost === null ? "" : formatMoney(cost)),
  Profit: ({ profit }) => (profit === null ? "" : { digits: formatBalance(profit) }),
  "Cancelled at": ({ cancelled_at }) => cancelled_at ?? "",
  Note: ({ note }) => note ?? "",
  "Card id": ({ card_id }) => card_id ?? "",
  "Sale id": ({ id }) => id,
};

/** Below zero with a minus, as every spreadsheet reads it. */
function formatBalance({ amount, currency }: { amount: number; currency: string }): string {
  const text = formatMoney({ amount: Math.abs(amount), currency });
  return amount < 0 ? `-${text}` : text;
}

/** Writes sales as a list; a text that a spreadsheet would run as a formula has an apostrophe before it. */
export function createLedgerWriter(): LedgerWriter {
  return {
    head: csvLine(Object.keys(columns)),
    line: (sale) => csvLine(Object.values(columns).map((cellOf) => cellOf(sale))),
  };
}
