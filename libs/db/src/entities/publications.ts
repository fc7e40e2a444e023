import type { ListingEndReason } from "@cardvault/contract";
import type { ListingError } from "@cardvault/domain";
import { defineEntity } from "@mikro-orm/postgresql";
import { integer, json, optionalReference, reference, text, time, uuid } from "./columns.ts";
import { Batch, Card, Listing } from "./inventory.ts";
import { accountReference } from "./people.ts";

export const ListingPublication = defineEntity({
  name: "ListingPublication",
  properties: {
    listingId: () => reference(Listing, "listing_id", "cascade").primary(),
    accountId: accountReference,
    sku: text(),
    offerId: text().nullable(),
    step: text().default("waiting"),
    stepBeganAt: time().nullable(),
    stepEndedAt: time().nullable(),
    unsettledAt: time().nullable(),
    tries: integer().default(0),
    nextTryAt: time().nullable(),
    deadlineAt: time(),
    cancelRequestedAt: time().nullable(),
    refusal: json<ListingError>().nullable(),
    given: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    asked: json<Record<string, unknown>>().nullable(),
    wanted: json<Record<string, unknown>>().nullable(),
    wantedCount: integer().default(0),
    withdrawReason: text().$type<ListingEndReason>().nullable(),
    seenEndedAt: time().nullable(),
    seenEndReason: text().$type<ListingEndReason>().nullable(),
    bulkJobId: uuid().nullable(),
  },
  indexes: [
    { name: "listing_publication_account_index", properties: "accountId" },
    {
      name: "listing_publication_pending_index",
      properties: "listingId",
      where: "(wanted is not null) or ((withdraw_reason is not null) and (seen_ended_at is null))",
    },
    {
      name: "listing_publication_bulk_job_index",
      properties: "bulkJobId",
      where: "bulk_job_id is not null",
    },
    {
      name: "listing_publication_seen_ended_index",
      properties: ["accountId", "listingId"],
      where: "seen_ended_at is not null",
    },
  ],
  checks: [
    {
      name: "listing_publication_step_check",
      expression: "step in ('waiting', 'look', 'item', 'offer', 'terms', 'publish', 'done')",
    },
    { name: "listing_publication_tries_check", expression: "tries >= 0" },
  ],
});

export const ListingTemplate = defineEntity({
  name: "ListingTemplate",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    batchId: () => optionalReference(Batch, "batch_id", "cascade"),
    cardId: () => optionalReference(Card, "card_id", "cascade"),
    title: text().nullable(),
    description: text().nullable(),
    updatedAt: time(),
  },
  uniques: [
    {
      name: "listing_template_batch_key",
      properties: "batchId",
      where: "batch_id is not null",
    },
    { name: "listing_template_card_key", properties: "cardId", where: "card_id is not null" },
  ],
  indexes: [{ name: "listing_template_account_index", properties: "accountId" }],
  checks: [
    {
      name: "listing_template_check",
      expression: "(batch_id is null) <> (card_id is null)",
    },
  ],
});
