import type {
  BatchStatus,
  CardStatus,
  Condition,
  IdentifiedBy,
  ListingEndReason,
  ListingFormat,
  ListingStatus,
  Marketplace,
  PhotoSide,
  ReviewReason,
  WorkflowStatus,
} from "@cardvault/contract";
import type { BatchDefaults, ListingError } from "@cardvault/domain";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bigint,
  bytes,
  currencyCode,
  flag,
  id,
  integer,
  json,
  optionalReference,
  reference,
  text,
  textArray,
  time,
} from "./columns.ts";
import type { OptionalReference } from "./columns.ts";
import { accountReference } from "./people.ts";

const p = defineEntity.properties;

export const Batch = defineEntity({
  name: "Batch",
  properties: {
    id: id("batch").primary(),
    accountId: accountReference,
    code: text(),
    name: text(),
    status: text().$type<BatchStatus>(),
    source: text().nullable(),
    description: text().nullable(),
    defaults: json<Partial<BatchDefaults>>().defaultRaw("'{}'::jsonb"),
    costBasis: bigint().nullable(),
    acquiredAt: time().nullable(),
    completedAt: time().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  uniques: [{ properties: ["accountId", "code"] }],
  indexes: [
    { name: "batch_created_at_index", properties: ["accountId", "createdAt", "id"] },
    { name: "batch_updated_at_index", properties: ["accountId", "updatedAt", "id"] },
    { name: "batch_name_index", properties: ["accountId", "name", "id"] },
    {
      name: "batch_open_index",
      properties: ["accountId", "createdAt", "id"],
      where: "status <> 'complete'",
    },
    {
      name: "batch_processing_index",
      properties: ["accountId", "id"],
      where: "status = 'processing'",
    },
  ],
  checks: [
    { name: "batch_status_check", expression: "status in ('open', 'processing', 'complete')" },
    { name: "batch_cost_basis_check", expression: "cost_basis >= 0" },
    {
      name: "batch_check",
      expression: "(status = 'complete') = (completed_at is not null)",
    },
  ],
});

const searchExpression =
  "to_tsvector('simple'::regconfig, regexp_replace(lower((((((COALESCE(title, ''::text) || ' '::text) " +
  "|| COALESCE(set_name, ''::text)) || ' '::text) || COALESCE(number, ''::text)) || ' '::text) || " +
  "COALESCE(subject, ''::text)), '[^[:alnum:]]+'::text, ' '::text, 'g'::text)) stored";

const setOrderExpression =
  "((natural_order(set_name) || chr(1)) || COALESCE(natural_order(number), ''::text)) stored";
const locationOrderExpression = "natural_order(location) stored";

const cardIndex = "create index";

export const Card = defineEntity({
  name: "Card",
  properties: {
    id: id("card").primary(),
    accountId: accountReference,
    batchId: () => optionalReference(Batch, "batch_id"),
    sku: text().nullable(),
    status: text().$type<CardStatus>(),
    workflowStatus: text().$type<WorkflowStatus>(),
    needsReview: flag().default(false),
    reviewReason: text().$type<ReviewReason>().nullable(),
    title: text().nullable(),
    game: text().nullable(),
    setName: text().nullable(),
    setCode: text().nullable(),
    number: text().nullable(),
    year: integer().nullable(),
    subject: text().nullable(),
    team: text().nullable(),
    manufacturer: text().nullable(),
    variant: text().nullable(),
    rarity: text().nullable(),
    language: text().nullable(),
    printRun: integer().nullable(),
    serialNumber: text().nullable(),
    isRookie: flag().default(false),
    isAutograph: flag().default(false),
    isMemorabilia: flag().default(false),
    condition: text().$type<Condition>().nullable(),
    grader: text().nullable(),
    grade: text().nullable(),
    certNumber: text().nullable(),
    qualifier: text().nullable(),
    quantity: integer().default(1),
    askingPrice: bigint().nullable(),
    priceFloor: bigint().nullable(),
    purchasePrice: bigint().nullable(),
    marketPrice: bigint().nullable(),
    marketPriceCurrency: currencyCode().nullable(),
    marketPriceSource: text().nullable(),
    marketPriceAsOf: time().nullable(),
    firstPricedAt: time().nullable(),
    location: text().nullable(),
    externalIds: json<Record<string, string>>().defaultRaw("'{}'::jsonb"),
    notes: text().nullable(),
    tags: textArray().defaultRaw("'{}'::text[]"),
    identifiedBy: text().$type<IdentifiedBy>().nullable(),
    identificationConfidence: p.double().nullable(),
    identifiedAt: time().nullable(),
    pendingReturnQuantity: integer().default(0),
    oversoldQuantity: integer().default(0),
    listingId: (): OptionalReference => optionalReference(Listing, "listing_id"),
    version: integer().default(1),
    createdAt: time(),
    updatedAt: time(),
    hasPhoto: flag().default(false),
    setOrder: text().generated(setOrderExpression).lazy().nullable(),
    locationOrder: text().generated(locationOrderExpression).lazy().nullable(),
    search: p.string().columnType("tsvector").generated(searchExpression).lazy().nullable(),
  },
  uniques: [{ properties: ["accountId", "sku"] }],
  indexes: [
    { name: "card_created_at_index", properties: ["accountId", "createdAt", "id"] },
    { name: "card_updated_at_index", properties: ["accountId", "updatedAt", "id"] },
    { name: "card_title_index", properties: ["accountId", "title", "id"] },
    { name: "card_asking_price_index", properties: ["accountId", "askingPrice", "id"] },
    {
      name: "card_workflow_status_index",
      properties: ["accountId", "workflowStatus", "createdAt", "id"],
    },
    { name: "card_batch_index", properties: ["accountId", "batchId", "createdAt", "id"] },
    {
      name: "card_location_index",
      expression: `${cardIndex} card_location_index on card (account_id, location text_pattern_ops, created_at, id)`,
    },
    {
      name: "card_set_name_index",
      expression: `${cardIndex} card_set_name_index on card (account_id, lower(set_name), created_at, id)`,
    },
    {
      name: "card_set_code_index",
      expression: `${cardIndex} card_set_code_index on card (account_id, lower(set_code), created_at, id)`,
    },
    {
      name: "card_needs_review_index",
      properties: ["accountId", "createdAt", "id"],
      where: "needs_review",
    },
    {
      name: "card_graded_index",
      properties: ["accountId", "createdAt", "id"],
      where: "grader is not null",
    },
    {
      name: "card_search_index",
      expression: `${cardIndex} card_search_index on card using gin (account_id, search) with (gin_pending_list_limit = 256)`,
    },
    {
      name: "card_facet_index",
      expression:
        `${cardIndex} card_facet_index on card using gin (account_id, status, game, language, rarity, condition, ` +
        "grader, grade, year, review_reason, has_photo, tags) with (gin_pending_list_limit = 256)",
    },
    { name: "card_id_index", properties: ["accountId", "id"] },
    { name: "card_set_order_index", properties: ["accountId", "setOrder", "id"] },
    { name: "card_location_order_index", properties: ["accountId", "locationOrder", "id"] },
    { name: "card_market_price_index", properties: ["accountId", "marketPrice", "id"] },
    { name: "card_purchase_price_index", properties: ["accountId", "purchasePrice", "id"] },
    {
      name: "card_sku_prefix_index",
      expression: `${cardIndex} card_sku_prefix_index on card (account_id, lower(sku) text_pattern_ops)`,
    },
    {
      name: "card_external_ids_index",
      expression: `${cardIndex} card_external_ids_index on card using gin (account_id, external_ids jsonb_path_ops) with (gin_pending_list_limit = 256) where external_ids <> '{}'::jsonb`,
    },
    {
      name: "card_cert_number_index",
      properties: ["accountId", "certNumber"],
      where: "cert_number is not null",
    },
    { name: "card_copies_index", properties: ["accountId", "quantity"], where: "quantity > 1" },
    {
      name: "card_listing_id_index",
      properties: "listingId",
      where: "listing_id is not null",
    },
  ],
  checks: [
    { name: "card_sku_check", expression: "length(sku) >= 1 and length(sku) <= 50" },
    { name: "card_status_check", expression: "status in ('imported', 'identified')" },
    {
      name: "card_workflow_status_check",
      expression:
        "workflow_status in ('imported', 'identified', 'priced', 'photographed', 'listed', 'sold', 'archived')",
    },
    { name: "card_quantity_check", expression: "quantity >= 0" },
    { name: "card_asking_price_check", expression: "asking_price >= 0" },
    { name: "card_price_floor_check", expression: "price_floor >= 0" },
    { name: "card_purchase_price_check", expression: "purchase_price >= 0" },
    { name: "card_market_price_check", expression: "market_price >= 0" },
    { name: "card_pending_return_quantity_check", expression: "pending_return_quantity >= 0" },
    { name: "card_oversold_quantity_check", expression: "oversold_quantity >= 0" },
    { name: "card_check", expression: "condition is null or grader is null" },
    { name: "card_check1", expression: "needs_review = (review_reason is not null)" },
    { name: "card_check2", expression: "status <> 'identified' or title is not null" },
  ],
});

export const Photo = defineEntity({
  name: "Photo",
  properties: {
    id: id("img").primary(),
    accountId: accountReference,
    cardId: () => optionalReference(Card, "card_id", "cascade"),
    side: text().$type<PhotoSide>(),
    position: integer().default(0),
    contentHash: bytes(),
    width: integer(),
    height: integer(),
    createdAt: time(),
  },
  indexes: [
    { name: "photo_card_id_index", properties: ["cardId", "position", "id"] },
    { name: "photo_content_hash_index", properties: ["accountId", "contentHash"] },
    { name: "photo_unattached_index", properties: "createdAt", where: "card_id is null" },
  ],
  checks: [
    { name: "photo_side_check", expression: "side in ('front', 'back', 'listing')" },
    { name: "photo_width_check", expression: "width > 0" },
    { name: "photo_height_check", expression: "height > 0" },
  ],
});

export const Listing = defineEntity({
  name: "Listing",
  properties: {
    id: id("lst").primary(),
    accountId: accountReference,
    cardId: () => reference(Card, "card_id"),
    marketplace: text().$type<Marketplace>(),
    status: text().$type<ListingStatus>(),
    externalListingId: text().nullable(),
    url: text().nullable(),
    title: text(),
    description: text().nullable(),
    categoryId: text().nullable(),
    format: text().$type<ListingFormat>().default("fixed_price"),
    price: bigint(),
    quantity: integer(),
    quantitySold: integer().default(0),
    publishedAt: time().nullable(),
    endedAt: time().nullable(),
    endReason: text().$type<ListingEndReason>().nullable(),
    soldAt: time().nullable(),
    soldPrice: bigint().nullable(),
    orderId: text().nullable(),
    error: json<ListingError>().nullable(),
    lastSyncedAt: time().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  uniques: [
    {
      name: "listing_open_key",
      expression:
        "create unique index listing_open_key on listing (card_id) where status in ('publishing', 'live')",
    },
  ],
  indexes: [
    { name: "listing_card_id_index", properties: "cardId" },
    { name: "listing_created_at_index", properties: ["accountId", "createdAt", "id"] },
    { name: "listing_updated_at_index", properties: ["accountId", "updatedAt", "id"] },
    { name: "listing_price_index", properties: ["accountId", "price", "id"] },
    { name: "listing_status_index", properties: ["accountId", "status", "createdAt", "id"] },
    {
      name: "listing_sold_at_index",
      properties: ["accountId", "soldAt", "id"],
      where: "sold_at is not null",
    },
    { name: "listing_publishing_index", properties: "updatedAt", where: "status = 'publishing'" },
    {
      name: "listing_external_index",
      properties: ["accountId", "marketplace", "externalListingId"],
    },
    { name: "listing_ended_at_index", properties: ["accountId", "status", "endedAt", "id"] },
    {
      name: "listing_to_sync_index",
      expression:
        "create index listing_to_sync_index on listing (account_id, last_synced_at nulls first, id) where status = 'live'",
    },
    {
      name: "listing_closed_to_sync_index",
      expression:
        "create index listing_closed_to_sync_index on listing (account_id, ended_at, id) where status in ('ended', 'sold')",
    },
  ],
  checks: [
    {
      name: "listing_status_check",
      expression: "status in ('publishing', 'live', 'sold', 'ended', 'failed')",
    },
    { name: "listing_price_check", expression: "price > 0" },
    { name: "listing_quantity_check", expression: "quantity >= 0" },
    { name: "listing_quantity_sold_check", expression: "quantity_sold >= 0" },
  ],
});
