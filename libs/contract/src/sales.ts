import * as z from "zod";
import { timeZone } from "./dashboard.ts";
import { batchId, cardId, exampleId, listingId, pathId, saleId } from "./ids.ts";
import { listing, listingMaxima } from "./listing.ts";
import { listTotal, anyOf, pageShape } from "./lists.ts";
import { currency, maxQuantity, price, totalMoney } from "./money.ts";
import { listingStatuses, marketplaces, workflowStatuses } from "./states.ts";
import type { ReviewReason } from "./states.ts";
import { filledText, requestTime, timestamp } from "./text.ts";

/** The ledger: what the marketplace sold, line by line of its orders, and what was recorded by hand. */

export const saleKinds = ["marketplace", "by_hand"] as const;
export type SaleKind = (typeof saleKinds)[number];

/**
 * Why a line of an order takes no copies of a card. `no_listing`: neither its listing nor its SKU is ours.
 * `other_currency`: it is not in the account's. `refused`: the listing could not take it.
 */
export const unmatchedReasons = ["no_listing", "other_currency", "refused"] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

/** `counted`: it stands in the sums. `cancelled`: all of it was, or the sale by hand is void. */
export const saleStates = ["counted", "cancelled", "unmatched"] as const;
export type SaleState = (typeof saleStates)[number];

/** A sum that may be below zero: a profit. */
export const balance = z
  .strictObject({ amount: z.int(), currency })
  .meta({ id: "Balance", description: "An integer amount in minor units, below zero for a loss." });
export type Balance = z.output<typeof balance>;

export const ledgerSale = z
  .strictObject({
    id: saleId,
    kind: z.enum(saleKinds),
    state: z.enum(saleStates),
    /** Where it was sold: the marketplace, or what the person wrote. */
    place: z.string(),
    note: z.string().nullable(),
    marketplace: z.enum(marketplaces).nullable(),
    order_id: z.string().nullable(),
    external_listing_id: z.string().nullable(),
    listing_id: listingId.nullable(),
    card_id: cardId.nullable(),
    batch_id: batchId.nullable(),
    batch_code: z.string().nullable(),
    title: z.string().nullable(),
    sku: z.string().nullable(),
    unmatched: z.enum(unmatchedReasons).nullable(),
    quantity: z.int().min(1),
    cancelled_quantity: z.int().min(0),
    price: totalMoney.meta({ description: "For all copies, before anything was cancelled." }),
    cancelled: totalMoney.meta({ description: "Of the price, what was cancelled." }),
    refunded: totalMoney,
    fee: totalMoney.nullable().meta({ description: "Null while the marketplace does not say." }),
    cost: totalMoney.nullable().meta({
      description: "Of the copies that stayed sold, as it was at the time. Null where unknown.",
    }),
    profit: balance.nullable().meta({
      description: "Price less what was cancelled, refunded, taken as fee, and cost.",
    }),
    is_paid: z.boolean(),
    sold_at: timestamp,
    recorded_at: timestamp,
    cancelled_at: timestamp.nullable(),
    pulled_at: timestamp.nullable(),
  })
  .meta({
    examples: [
      {
        id: exampleId("sale"),
        kind: "marketplace",
        state: "counted",
        place: "eBay",
        note: null,
        marketplace: "ebay",
        order_id: "07-10211-41823",
        external_listing_id: "110554871203",
        listing_id: exampleId("lst"),
        card_id: exampleId("card"),
        batch_id: exampleId("batch"),
        batch_code: "B-0007",
        title: "Vulmora 054 Reverse holo",
        sku: "VUL-0054",
        unmatched: null,
        quantity: 1,
        cancelled_quantity: 0,
        price: { amount: 4250, currency: "USD" },
        cancelled: { amount: 0, currency: "USD" },
        refunded: { amount: 0, currency: "USD" },
        fee: { amount: 563, currency: "USD" },
        cost: { amount: 1200, currency: "USD" },
        profit: { amount: 2487, currency: "USD" },
        is_paid: true,
        sold_at: "2026-11-20T18:04:11.000Z",
        recorded_at: "2026-11-20T18:05:00.000Z",
        cancelled_at: null,
        pulled_at: null,
      },
    ],
  });
export type LedgerSale = z.output<typeof ledgerSale>;

const ledgerFilters = {
  from: requestTime.optional(),
  /** Not included. */
  to: requestTime.optional(),
  batch: pathId("batch").max(120).optional(),
  card: pathId("card").max(120).optional(),
  kind: z.enum(saleKinds).optional(),
};

/** `sales.list`: the latest first. Without a state what is counted and what was cancelled. */
export const salesListInput = z.strictObject({
  ...ledgerFilters,
  state: z.enum(saleStates).optional(),
  ...pageShape,
});
export type SalesListInput = z.output<typeof salesListInput>;
export const salesListAnswer = z.strictObject({
  data: z.array(ledgerSale),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
  total: listTotal,
});
export type SalesList = z.output<typeof salesListAnswer>;

/** A file of the ledger: the same filters, all of it. */
export const salesExport = z.strictObject({
  ...ledgerFilters,
  state: z.enum(saleStates).optional(),
});
export type SalesExport = z.output<typeof salesExport>;

export const salesGroupings = ["day", "month", "batch", "card", "place"] as const;
export type SalesGrouping = (typeof salesGroupings)[number];

/** Sums of what is counted. `profit` is that of the sales whose cost is known; the others' revenue stands beside it. */
const salesSums = {
  sales: z.int().min(0),
  copies: z.int().min(0),
  revenue: balance.meta({ description: "Less what was cancelled and refunded." }),
  fees: totalMoney,
  cost: totalMoney,
  profit: balance,
  revenue_without_cost: balance,
  without_cost: z.int().min(0).meta({ description: "Sales whose cost is not known." }),
  without_fee: z.int().min(0).meta({ description: "Sales whose fee is not known (yet)." }),
};
export const salesTotals = z.strictObject(salesSums);
export type SalesTotals = z.output<typeof salesTotals>;

export const maxSalesGroups = 400;

/** `sales.summary`: sums of a period, and by day, month, batch, card or place. */
export const salesSummaryInput = z.strictObject({
  ...ledgerFilters,
  by: z.enum(salesGroupings).default("month"),
  time_zone: timeZone,
});
export type SalesSummaryInput = z.output<typeof salesSummaryInput>;
export const salesSummary = z.strictObject({
  totals: salesTotals,
  /** Days and months in their order; else the greatest revenue first. At most {@link maxSalesGroups}. */
  groups: z.array(
    z.strictObject({
      /** `2026-03-01`, `2026-03`, an id, a place; null where the sales have none. */
      key: z.string().nullable(),
      label: z.string().nullable(),
      ...salesSums,
    }),
  ),
  has_more_groups: z.boolean(),
  /** What is not sold yet, neither archived: of the batch where one is asked for, else of the account. */
  open: z.strictObject({
    cards: z.int().min(0),
    copies: z.int().min(0),
    asking: totalMoney,
    cost: totalMoney,
  }),
});
export type SalesSummary = z.output<typeof salesSummary>;

/**
 * `sales.toPull`: sold copies that lie in their places still, in the order of the places. 404 `not_found` for
 * an `after` that is no sale of an order.
 */
export const pullInput = z.strictObject({
  limit: z.int().min(1).max(1_000).default(500),
  after: pathId("sale")
    .optional()
    .meta({ description: "The last line that was read, pulled since or not." }),
});
export type PullInput = z.output<typeof pullInput>;
export const pullLine = z.strictObject({
  id: saleId,
  card_id: cardId,
  title: z.string(),
  sku: z.string().nullable(),
  set: z.string().nullable(),
  number: z.string().nullable(),
  location: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
  quantity: z.int().min(1),
  order_id: z.string(),
  is_paid: z.boolean(),
  sold_at: timestamp,
});
export type PullLine = z.output<typeof pullLine>;
export const pullAnswer = z.strictObject({ data: z.array(pullLine), has_more: z.boolean() });
export type PullAnswer = z.output<typeof pullAnswer>;

/** `sales.markPulled`: the tick, and with `pulled: false` its undo. Answers those that it changed. */
export const markPulledInput = z.strictObject({
  ids: z.array(pathId("sale").max(120)).min(1).max(500),
  pulled: z.boolean(),
});
export const markPulledAnswer = z.strictObject({ ids: z.array(saleId) });

/** `sales.assign`: says which card an order line without one has sold. */
export const assignSaleInput = z.strictObject({ id: pathId("sale"), card_id: pathId("card") });

/** Reasons for review that concern copies: they are settled beside the sales, and not in the review queue. */
export const copyReasons = [
  "order_cancelled",
  "oversold",
] as const satisfies readonly ReviewReason[];

/** `sales.settleCopies`: accepts such a card; copies of cancelled orders come back. */
export const settleCopiesInput = z.strictObject({
  card_id: pathId("card"),
  version: z.int().min(1),
});

/** Where the marketplace shows another price, or another number of copies left, than we do. */
export const listingDifference = z.strictObject({
  price: price.nullable(),
  quantity: z.int().min(0).max(maxQuantity).nullable(),
  seen_at: timestamp,
});
export type ListingDifference = z.output<typeof listingDifference>;

export const salesListingSorts = [
  "-created_at",
  "created_at",
  "-price",
  "price",
  "-ended_at",
] as const;

/** `sales.listings`: listings with what a row of the page shows of their cards. */
export const salesListingsInput = z.strictObject({
  status: anyOf(z.enum(listingStatuses)),
  differs: z.literal(true).optional(),
  latest: z.literal(true).optional().meta({ description: "Only those that their cards have now." }),
  sort: z.enum(salesListingSorts).default("-created_at"),
  ...pageShape,
});
export type SalesListingsInput = z.output<typeof salesListingsInput>;
export const salesListing = z.strictObject({
  listing,
  card: z.strictObject({
    id: cardId,
    title: z.string().nullable(),
    sku: z.string().nullable(),
    workflow_status: z.enum(workflowStatuses),
    location: z.string().nullable(),
    quantity: z.int().min(0),
    asking_price: totalMoney.nullable(),
    purchase_price: totalMoney.nullable(),
    thumbnail_url: z.string().nullable(),
    listing_id: listingId.nullable(),
  }),
  difference: listingDifference.nullable(),
});
export type SalesListing = z.output<typeof salesListing>;
export const salesListingsAnswer = z.strictObject({
  data: z.array(salesListing),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
export type SalesListings = z.output<typeof salesListingsAnswer>;

/** Counters of the page stop here. */
export const maxSalesCount = 10_000;

/** `sales.overview`: the counts of the page's tabs, and how the marketplace is read. */
export const salesOverview = z.strictObject({
  listings: z.strictObject(
    Object.fromEntries(listingStatuses.map((name) => [name, z.int().min(0)])) as Record<
      (typeof listingStatuses)[number],
      z.ZodInt
    >,
  ),
  to_pull: z.int().min(0).max(maxSalesCount),
  unmatched: z.int().min(0).max(maxSalesCount),
  differences: z.int().min(0).max(maxSalesCount),
  copies_in_review: z.int().min(0).max(maxSalesCount).meta({
    description: "Cards of which an order was cancelled, or more was sold than there was.",
  }),
  sync: z
    .strictObject({
      /** When the last round ended well. */
      synced_at: timestamp.nullable(),
      orders_until: timestamp,
      next_at: timestamp,
      /** Why the last round came to nothing: a code of the marketplace's failures, `consent_revoked` among them. */
      failure: z.string().nullable(),
      failed_since: timestamp.nullable(),
    })
    .nullable()
    .meta({ description: "Null where nothing was ever read." }),
});
export type SalesOverview = z.output<typeof salesOverview>;

/** `sales.settleDifference`: ours is sent again, or theirs becomes the listing's. */
export const settleDifferenceInput = z.strictObject({
  listing_id: pathId("lst"),
  keep: z.enum(["ours", "theirs"]),
});

/** The marketplace's simulator, moved by hand: for test accounts alone. */
export const sandboxListingInput = z.strictObject({ listing_id: pathId("lst") });
export const sandboxSellInput = z.strictObject({
  listing_id: pathId("lst"),
  quantity: z.int().min(1).max(maxQuantity).default(1),
});
export const sandboxOrderInput = z.strictObject({
  order_id: filledText(listingMaxima.externalId),
});
export const sandboxFailures = ["publish_refused", "publish_answer_lost", "unavailable"] as const;
export type SandboxFailure = (typeof sandboxFailures)[number];
export const sandboxFailInput = z.strictObject({
  failure: z.enum(sandboxFailures).default("publish_refused"),
});
export const sandboxDone = z.strictObject({ order_id: z.string().nullable() });
