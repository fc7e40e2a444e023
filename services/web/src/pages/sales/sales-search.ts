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
  by?: SalesGrouping | undefined;
  kind?: "marketplace" | "by_hand" | undefined;
  state?: "counted" | "cancelled" | undefined;
  batch?: string | undefined;
  card?: string | undefined;
}

export function salesSearch(given: Given): SalesSearch {
  return {
    tab: salesTabs.find((tab) => tab === given["tab"]),
    period: ledgerPeriods.find((period) => period === given["period"]),
    by: groupings.find((by) => by === given["by"]),
    kind: (["marketplace", "by_hand"] as const).find((kind) => kind === given["kind"]),
    state: (["counted", "cancelled"] as const).find((state) => state === given["state"]),
    batch: textOf(given["batch"]),
    card: textOf(given["card"]),
  };
}
