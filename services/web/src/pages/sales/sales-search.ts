import type { SalesGrouping } from "@cardvault/contract";
import { textOf } from "../../app/search.ts";
import type { Given } from "../../app/search.ts";

export const salesTabs = ["live", "pull", "settle", "sold", "ended", "failed", "ledger"] as const;
export type SalesTab = (typeof salesTabs)[number];
// Named here: the contract's own list would bring its schemas into the first page.
export const groupings = [
  "month",
  "day",
  "batch",
  "card",
  "place",
] as const satisfies readonly SalesGrouping[];
const ledgerPeriods = ["30d", "90d", "365d", "all"] as const;
export type LedgerPeriod = (typeof ledgerPeriods)[number];

/** What the address of the sales says. */
export interface SalesSearch {
  tab?: SalesTab | undefined;
  period?: LedgerPeriod | undefined;
  /** One day alone, `2026-11-20`, in the time zone of whoever reads; it goes before the period. */
  day?: string | undefined;
  by?: SalesGrouping | undefined;
  kind?: "marketplace" | "by_hand" | undefined;
  state?: "counted" | "cancelled" | undefined;
  batch?: string | undefined;
  card?: string | undefined;
}

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);
  return isDay && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export function salesSearch(given: Given): SalesSearch {
  return {
    tab: salesTabs.find((tab) => tab === given["tab"]),
    period: ledgerPeriods.find((period) => period === given["period"]),
    day: dayOf(given["day"]),
    by: groupings.find((by) => by === given["by"]),
    kind: (["marketplace", "by_hand"] as const).find((kind) => kind === given["kind"]),
    state: (["counted", "cancelled"] as const).find((state) => state === given["state"]),
    batch: textOf(given["batch"]),
    card: textOf(given["card"]),
  };
}
