import type { ScanOutcome } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import { bigint, id, integer, optionalReference, reference, text, time, uuid } from "./columns.ts";
import { Batch, Card } from "./inventory.ts";
import { accountReference } from "./people.ts";

const p = defineEntity.properties;

export const KnownPlace = defineEntity({
  name: "KnownPlace",
  properties: {
    accountId: () => accountReference().primary(),
    path: text().collation("C").primary(),
    code: text().nullable(),
    note: text().nullable(),
    capacity: integer().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  uniques: [{ properties: ["accountId", "code"] }],
  checks: [
    { name: "known_place_path_check", expression: "length(path) >= 1 and length(path) <= 120" },
    { name: "known_place_capacity_check", expression: "capacity > 0" },
  ],
});

export const ScanRun = defineEntity({
  name: "ScanRun",
  properties: {
    accountId: () => accountReference().primary(),
    id: uuid().primary(),
    location: text().nullable(),
    nextNumber: integer().default(1),
    createdBy: text().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  indexes: [{ name: "scan_run_created_at_index", properties: ["accountId", "createdAt", "id"] }],
});

export const Scan = defineEntity({
  name: "Scan",
  properties: {
    accountId: () => accountReference().primary(),
    id: uuid().primary(),
    runId: uuid(),
    number: integer(),
    text: text(),
    outcome: text().$type<ScanOutcome>(),
    location: text().nullable(),
    fromLocation: text().nullable(),
    cardId: () => optionalReference(Card, "card_id", "cascade"),
    candidateIds: p.array().columnType("uuid[]").defaultRaw("'{}'::uuid[]"),
    createdAt: time(),
    undoneAt: time().nullable(),
  },
  uniques: [{ properties: ["accountId", "runId", "number"] }],
  indexes: [{ name: "scan_card_id_index", properties: "cardId" }],
  checks: [
    {
      name: "scan_outcome_check",
      expression:
        "outcome in ('place', 'moved', 'already_here', 'unknown', 'ambiguous', 'sold', 'archived')",
    },
  ],
});

export const HandSale = defineEntity({
  name: "HandSale",
  properties: {
    id: id("sale").primary(),
    accountId: accountReference,
    cardId: () => reference(Card, "card_id", "cascade"),
    quantity: integer(),
    price: bigint(),
    place: text(),
    note: text().nullable(),
    soldAt: time(),
    requestId: uuid().nullable(),
    createdBy: text().nullable(),
    createdAt: time(),
    voidedBy: text().nullable(),
    voidedAt: time().nullable(),
    fee: bigint().nullable(),
    costEach: bigint().nullable(),
  },
  uniques: [{ properties: ["accountId", "requestId"] }],
  indexes: [
    { name: "hand_sale_card_id_index", properties: ["cardId", "createdAt", "id"] },
    { name: "hand_sale_sold_at_index", properties: ["accountId", "soldAt", "id"] },
  ],
  checks: [
    { name: "hand_sale_quantity_check", expression: "quantity > 0" },
    { name: "hand_sale_price_check", expression: "price > 0" },
    { name: "hand_sale_fee_check", expression: "fee >= 0" },
    { name: "hand_sale_cost_each_check", expression: "cost_each >= 0" },
  ],
});

export const BatchCostShare = defineEntity({
  name: "BatchCostShare",
  properties: {
    cardId: () => reference(Card, "card_id", "cascade").primary(),
    accountId: accountReference,
    batchId: () => reference(Batch, "batch_id", "cascade"),
    jobId: uuid(),
    foundAmount: bigint().nullable(),
    amount: bigint(),
  },
  indexes: [{ name: "batch_cost_share_batch_id_index", properties: "batchId" }],
  checks: [{ name: "batch_cost_share_amount_check", expression: "amount >= 0" }],
});
