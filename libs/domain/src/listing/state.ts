import type {
  ListingEndReason,
  ListingFormat,
  ListingStatus,
  Marketplace,
  Money,
} from "@cardvault/contract";
import type { TransitionRow } from "../table.ts";

export type ListingError = { code: string; message: string; field: string | null };

/** A listing. `quantity` = what is left + `quantitySold`, always. */
export type ListingState = {
  id: string;
  cardId: string;
  marketplace: Marketplace;
  status: ListingStatus;
  externalListingId: string | null;
  url: string | null;
  title: string;
  description: string | null;
  categoryId: string | null;
  format: ListingFormat;
  price: Money;
  quantity: number;
  quantitySold: number;
  publishedAt: Date | null;
  /** When it closed, with or without a sale. */
  endedAt: Date | null;
  /** Why it was ended; null where its last copy was sold. */
  endReason: ListingEndReason | null;
  /** When the last order was made. */
  soldAt: Date | null;
  /** The total of its orders. */
  soldPrice: Money | null;
  /** The last order. */
  orderId: string | null;
  error: ListingError | null;
  lastSyncedAt: Date | null;
};

/** What the marketplace knows a live listing by. */
export type ListingAddress = { externalListingId: string; url: string };

/** One order of the marketplace; `total` is for all its copies. The ledger sees to it that an order is given once. */
export type ListingOrder = { orderId: string; quantity: number; total: Money; soldAt: Date };

export type ListingCommand =
  | ({ type: "go_live" } & ListingAddress)
  /** `nothingPublished`: the marketplace was asked and shows that nothing of it is published. */
  | { type: "publishing_failed"; error: ListingError; nothingPublished: boolean }
  /** `address` is needed for an order that is found while the listing is publishing. */
  | { type: "order"; order: ListingOrder; address?: ListingAddress | undefined }
  | { type: "cancel_order"; quantity: number; total: Money }
  /** `ordersReadAt`: when the orders were last read; ended is declared only after one more look. */
  | { type: "close"; reason: ListingEndReason; seenEndedAt: Date; ordersReadAt: Date }
  | {
      type: "revise";
      price?: Money | undefined;
      quantityLeft?: number | undefined;
      title?: string | undefined;
      description?: string | null | undefined;
    }
  | { type: "revision_failed"; error: ListingError }
  | { type: "synced" };

export type ListingTrigger =
  | "went_live"
  | "failed_to_publish"
  | "sold_out"
  | "closed_with_sales"
  | "closed_without_sales"
  | "late_order";

/** What no row names is `invalid_transition`. Publishing again makes a new listing. */
// oxfmt-ignore
export const listingMoves: readonly TransitionRow<ListingStatus, ListingTrigger>[] = [
  { from: ["publishing"], to: ["live"], by: "went_live" },
  { from: ["publishing"], to: ["failed"], by: "failed_to_publish" },
  { from: ["live"], to: ["sold"], by: "sold_out" },
  { from: ["live"], to: ["sold"], by: "closed_with_sales" },
  { from: ["live"], to: ["ended"], by: "closed_without_sales" },
  { from: ["ended"], to: ["sold"], by: "late_order" },
];

/** In which states a command that need not move the listing is taken. */
export const listingCommandStates: Readonly<
  Record<ListingCommand["type"], readonly ListingStatus[]>
> = {
  go_live: ["publishing"],
  publishing_failed: ["publishing"],
  order: ["publishing", "live", "ended", "sold"],
  cancel_order: ["live", "sold"],
  close: ["live"],
  revise: ["live"],
  revision_failed: ["live"],
  synced: ["publishing", "live", "sold", "ended"],
};

/** How many copies the listing still offers. */
export function quantityLeft(listing: Pick<ListingState, "quantity" | "quantitySold">): number {
  return listing.quantity - listing.quantitySold;
}
