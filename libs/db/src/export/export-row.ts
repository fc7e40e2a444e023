import { toId } from "@cardvault/kit";
import type { IdPrefix } from "@cardvault/kit";

/** A row as the database gives it, and a line of an export: ids as the API writes them, money with its currency. */
export type ExportRow = Record<string, unknown>;

/** Columns whose uuid is an id of ours, by their names. `id` itself is the table's own. */
const idColumns: Readonly<Record<string, IdPrefix>> = {
  card_id: "card",
  batch_id: "batch",
  listing_id: "lst",
  event_id: "evt",
  event_ids: "evt",
  endpoint_id: "whe",
  delivery_id: "dlv",
  job_id: "job",
  photo_id: "img",
  candidate_ids: "card",
  replaced_by: "key",
};

export interface ExportForm {
  /** Of `id`. Missing: it is no id of ours, and stays as it is. */
  idPrefix?: IdPrefix | undefined;
  /** Minor units of the row's own `currency`, else of the account's. */
  money?: readonly string[] | undefined;
}

/** Times become ISO 8601 in UTC when the line is written. */
export function exportRow(
  row: ExportRow,
  { idPrefix, money = [] }: ExportForm,
  accountCurrency: string,
): ExportRow {
  const currency = typeof row["currency"] === "string" ? row["currency"] : accountCurrency;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null) return [name, null];
      if (money.includes(name)) return [name, { amount: value, currency }];
      const prefix = name === "id" ? idPrefix : idColumns[name];
      return [name, prefix === undefined ? value : idOf(prefix, value)];
    }),
  );
}

function idOf(prefix: IdPrefix, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => idOf(prefix, one));
  return typeof value === "string" ? toId(prefix, value) : value;
}
