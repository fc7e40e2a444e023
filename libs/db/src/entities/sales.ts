import type { Marketplace, UnmatchedReason } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bigint,
  currencyCode,
  flag,
  id,
  integer,
  json,
  optionalReference,
  reference,
  text,
  time,
  uuid,
} from "./columns.ts";
import { Card, Listing } from "./inventory.ts";
import { accountReference } from "./people.ts";

export const MarketplaceOrderLine = defineEntity({
  name: "MarketplaceOrderLine",
  properties: {
    id: id("sale").primary(),
    accountId: accountReference,
    marketplace: text().$type<Marketplace>(),
    orderId: text(),
    lineId: text(),
    listingId: () => optionalReference(Listing, "listing_id", "cascade"),
    cardId: () => optionalReference(Card, "card_id", "cascade"),
    unmatched: text().$type<UnmatchedReason>().nullable(),
    externalListingId: text().nullable(),
    sku: text().nullable(),
    title: text(),
    quantity: integer(),
    total: bigint(),
    currency: currencyCode(),
    cancelledQuantity: integer().default(0),
    cancelledTotal: bigint().defaultRaw("0"),
    refunded: bigint().defaultRaw("0"),
    fee: bigint().nullable(),
    costEach: bigint().nullable(),
    isPaid: flag().default(true),
    soldAt: time(),
    modifiedAt: time(),
    recordedAt: time(),
    cancelledAt: time().nullable(),
    pulledAt: time().nullable(),
    pulledBy: text().nullable(),
  },
  uniques: [
    {
      name: "marketplace_order_line_key",
      properties: ["accountId", "marketplace", "orderId", "lineId"],
    },
  ],
  indexes: [
    { name: "marketplace_order_line_sold_at_index", properties: ["accountId", "soldAt", "id"] },
    { name: "marketplace_order_line_card_id_index", properties: ["cardId", "soldAt", "id"] },
    { name: "marketplace_order_line_listing_id_index", properties: "listingId" },
    {
      name: "marketplace_order_line_to_pull_index",
      properties: ["accountId", "id"],
      where: "pulled_at is null and cancelled_quantity < quantity and unmatched is null",
    },
    {
      name: "marketplace_order_line_unmatched_index",
      properties: ["accountId", "soldAt", "id"],
      where: "unmatched is not null",
    },
  ],
  checks: [
    {
      name: "marketplace_order_line_unmatched_check",
      expression: "unmatched in ('no_listing', 'other_currency', 'refused')",
    },
    { name: "marketplace_order_line_quantity_check", expression: "quantity > 0" },
    { name: "marketplace_order_line_total_check", expression: "total >= 0" },
    { name: "marketplace_order_line_fee_check", expression: "fee >= 0" },
    { name: "marketplace_order_line_cost_each_check", expression: "cost_each >= 0" },
    {
      name: "marketplace_order_line_check",
      expression: "(unmatched is null) = (listing_id is not null)",
    },
    {
      name: "marketplace_order_line_check1",
      expression: "cancelled_quantity >= 0 and cancelled_quantity <= quantity",
    },
    {
      name: "marketplace_order_line_check2",
      expression:
        "cancelled_total >= 0 and refunded >= 0 and (cancelled_total + refunded) <= total",
    },
  ],
});

export const MarketplaceSync = defineEntity({
  name: "MarketplaceSync",
  properties: {
    accountId: () => accountReference().primary(),
    ordersUntil: time(),
    ordersReadAt: time().nullable(),
    dueAt: time(),
    leaseToken: uuid().nullable(),
    leaseUntil: time().nullable(),
    closedEndedAt: time().nullable(),
    closedId: uuid().nullable(),
    syncedAt: time().nullable(),
    failure: json<{ code: string }>().nullable(),
    failedSince: time().nullable(),
  },
  indexes: [{ name: "marketplace_sync_due_at_index", properties: "dueAt" }],
});

export const ListingDifference = defineEntity({
  name: "ListingDifference",
  properties: {
    listingId: () => reference(Listing, "listing_id", "cascade").primary(),
    accountId: accountReference,
    price: bigint().nullable(),
    quantity: integer().nullable(),
    seenAt: time(),
  },
  indexes: [{ name: "listing_difference_account_index", properties: ["accountId", "listingId"] }],
  checks: [
    { name: "listing_difference_price_check", expression: "price >= 0" },
    { name: "listing_difference_quantity_check", expression: "quantity >= 0" },
    {
      name: "listing_difference_check",
      expression: "price is not null or quantity is not null",
    },
  ],
});
