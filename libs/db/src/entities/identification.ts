import type {
  ActorKind,
  IdentificationStatus,
  PriceKind,
  ReviewDecisionKind,
  ReviewReason,
} from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import { bigint, currencyCode, id, integer, json, reference, text, time, uuid } from "./columns.ts";
import { Card } from "./inventory.ts";
import { accountReference } from "./people.ts";

const p = defineEntity.properties;

const cardReference = () => reference(Card, "card_id", "cascade");

export const Identification = defineEntity({
  name: "Identification",
  properties: {
    id: id("idn").primary(),
    accountId: accountReference,
    cardId: cardReference,
    status: text().$type<IdentificationStatus>(),
    reviewReason: text().$type<ReviewReason>().nullable(),
    threshold: p.double(),
    candidates: json<unknown[]>().defaultRaw("'[]'::jsonb"),
    evidence: json<unknown[]>().defaultRaw("'[]'::jsonb"),
    attempts: json<unknown[]>().defaultRaw("'[]'::jsonb"),
    changedAt: time().nullable(),
    actorKind: text().$type<ActorKind>(),
    actorId: text().nullable(),
    jobId: uuid().nullable(),
    startedAt: time(),
    leaseUntil: time().nullable(),
    finishedAt: time().nullable(),
  },
  uniques: [
    {
      name: "identification_running_key",
      properties: "cardId",
      where: "status = 'running'",
    },
  ],
  indexes: [{ name: "identification_card_index", properties: ["cardId", "startedAt", "id"] }],
  checks: [
    {
      name: "identification_status_check",
      expression:
        "status in ('running', 'applied', 'review', 'failed', 'late', 'interrupted', 'undone')",
    },
    {
      name: "identification_actor_kind_check",
      expression: "actor_kind in ('member', 'token', 'operator', 'system')",
    },
    {
      name: "identification_check",
      expression: "(status = 'running') = (finished_at is null)",
    },
    {
      name: "identification_check1",
      expression: "(status = 'running') = (lease_until is not null)",
    },
  ],
});

export const ReviewLock = defineEntity({
  name: "ReviewLock",
  properties: {
    cardId: () => cardReference().primary(),
    accountId: accountReference,
    userId: text(),
    lockedUntil: time(),
  },
  indexes: [{ name: "review_lock_user_index", properties: ["accountId", "userId"] }],
});

export const ReviewDecision = defineEntity({
  name: "ReviewDecision",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    cardId: cardReference,
    userId: text(),
    kind: text().$type<ReviewDecisionKind>(),
    decidedAt: time(),
    changedAt: time().nullable(),
    undoneAt: time().nullable(),
  },
  indexes: [
    {
      name: "review_decision_user_index",
      properties: ["accountId", "userId", "decidedAt", "id"],
    },
    {
      name: "review_decision_card_index",
      properties: ["cardId", "userId"],
      where: "kind = 'skipped' and undone_at is null",
    },
    { name: "review_decision_card_id_index", properties: "cardId" },
  ],
  checks: [
    {
      name: "review_decision_kind_check",
      expression: "kind in ('accepted', 'corrected', 'skipped')",
    },
  ],
});

export const PriceQuote = defineEntity({
  name: "PriceQuote",
  properties: {
    accountId: accountReference,
    cardId: () => cardReference().primary(),
    day: time().primary(),
    source: text().primary(),
    kind: text().$type<PriceKind>().primary(),
    quotedAt: time(),
    asOf: time(),
    currency: currencyCode().nullable(),
    price: bigint().nullable(),
    low: bigint().nullable(),
    high: bigint().nullable(),
    sampleSize: integer().nullable(),
  },
  checks: [
    { name: "price_quote_kind_check", expression: "kind in ('sold', 'asking', 'guide')" },
    { name: "price_quote_price_check", expression: "price >= 0" },
    { name: "price_quote_low_check", expression: "low >= 0" },
    { name: "price_quote_high_check", expression: "high >= 0" },
    { name: "price_quote_sample_size_check", expression: "sample_size >= 0" },
    {
      name: "price_quote_check",
      expression: "(price is null and low is null and high is null) or currency is not null",
    },
  ],
});

export const ProviderUsage = defineEntity({
  name: "ProviderUsage",
  properties: {
    accountId: () => accountReference().primary(),
    day: time().primary(),
    engine: text().primary(),
    calls: integer().default(0),
    failures: integer().default(0),
    costMicros: bigint().defaultRaw("0"),
  },
});

export const ProviderCap = defineEntity({
  name: "ProviderCap",
  properties: {
    accountId: () => accountReference().primary(),
    engine: text().primary(),
    capMicros: bigint().nullable(),
  },
  checks: [{ name: "provider_cap_cap_micros_check", expression: "cap_micros >= 0" }],
});
