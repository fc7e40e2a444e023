import { useEffect, useSyncExternalStore } from "react";
import type { CardOrder } from "../../parts/card-order.ts";
import { cardRows } from "../../parts/card-rows.ts";
import type { CardRows } from "../../parts/card-rows.ts";

/** The rows of the window that is drawn; draws again when one of them has come or changed. */
export function useRows(order: CardOrder, start: number, end: number): CardRows {
  const rows = cardRows();
  useSyncExternalStore(rows.subscribe, rows.version);
  useEffect(() => rows.show(order, start, end), [rows, order, start, end]);
  return rows;
}
