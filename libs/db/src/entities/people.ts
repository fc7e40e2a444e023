import type { Environment, Role, Scope } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bigint,
  bytes,
  currencyCode,
  id,
  integer,
  json,
  optionalReference,
  reference,
  text,
  textArray,
  time,
  uuid,
} from "./columns.ts";
import type { OptionalReference } from "./columns.ts";

const p = defineEntity.properties;

export const Account = defineEntity({
  name: "Account",
  properties: {
    id: id("acc").primary(),
    name: text(),
    environment: text().$type<Environment>(),
    liveAccountId: (): OptionalReference =>
      optionalReference(Account, "live_account_id").unique(true),
    currency: currencyCode(),
    skuFormat: text().default("{batch}-{n:5}"),
    locationSeparator: text().default("/"),
    reviewThreshold: p.decimal("number").precision(4).scale(3).defaultRaw("0.85"),
    highValueLimit: bigint().nullable(),
    titleTemplate: text().nullable(),
    descriptionTemplate: text().nullable(),
    providerBudgetMicros: bigint().nullable(),
    limitRead: integer().nullable(),
    limitWrite: integer().nullable(),
    limitAi: integer().nullable(),
    suspendedAt: time().nullable(),
    suspendedReason: text().nullable(),
    createdAt: time(),
  },
  checks: [
    { name: "account_environment_check", expression: "environment in ('live', 'test')" },
    {
      name: "account_review_threshold_check",
      expression: "review_threshold >= 0.85 and review_threshold <= 1",
    },
    {
      name: "account_location_separator_check",
      expression: "length(location_separator) >= 1 and length(location_separator) <= 3",
    },
    {
      name: "account_provider_budget_micros_check",
      expression: "provider_budget_micros >= 0",
    },
    { name: "account_limit_read_check", expression: "limit_read > 0" },
    { name: "account_limit_write_check", expression: "limit_write > 0" },
    { name: "account_limit_ai_check", expression: "limit_ai > 0" },
    {
      name: "account_check",
      expression: "live_account_id is null or environment = 'test'",
    },
  ],
});

/** Every row but an operator's belongs to an account, and goes with it. */
export const accountReference = () => reference(Account, "account_id", "cascade");

export const AccountClock = defineEntity({
  name: "AccountClock",
  properties: {
    accountId: () => accountReference().primary(),
    lastChange: time(),
    nextCardNumber: bigint().defaultRaw("1"),
    nextBatchNumber: bigint().defaultRaw("1"),
  },
});

const roleCheck = "role in ('owner', 'member')";

export const Member = defineEntity({
  name: "Member",
  properties: {
    accountId: () => accountReference().primary(),
    userId: text().primary(),
    role: text().$type<Role>(),
    createdAt: time(),
  },
  indexes: [{ name: "member_user_id_index", properties: "userId" }],
  checks: [{ name: "member_role_check", expression: roleCheck }],
});

export const PlatformOperator = defineEntity({
  name: "PlatformOperator",
  properties: { userId: text().primary(), createdAt: time() },
});

export const Invitation = defineEntity({
  name: "Invitation",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    email: text(),
    role: text().$type<Role>(),
    tokenHash: bytes().unique(true),
    invitedBy: text(),
    createdAt: time(),
    expiresAt: time(),
    acceptedAt: time().nullable(),
  },
  indexes: [{ name: "invitation_account_id_index", properties: ["accountId", "createdAt"] }],
  checks: [{ name: "invitation_role_check", expression: roleCheck }],
});

export const ApiKey = defineEntity({
  name: "ApiKey",
  properties: {
    id: id("key").primary(),
    accountId: accountReference,
    name: text(),
    prefix: text(),
    lastFour: text(),
    tokenHash: bytes().unique(true),
    scopes: textArray().$type<Scope[]>(),
    createdBy: text(),
    createdAt: time(),
    expiresAt: time().nullable(),
    revokedAt: time().nullable(),
    replacedBy: (): OptionalReference => optionalReference(ApiKey, "replaced_by"),
    lastUsedAt: time().nullable(),
  },
  indexes: [{ name: "api_key_account_id_index", properties: ["accountId", "createdAt", "id"] }],
});

export const TrailEntry = defineEntity({
  name: "TrailEntry",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    actorKind: text(),
    actorId: text().nullable(),
    action: text(),
    subjectId: uuid().nullable(),
    details: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    createdAt: time(),
  },
  indexes: [
    { name: "trail_entry_account_id_index", properties: ["accountId", "createdAt", "id"] },
    {
      name: "trail_entry_subject_index",
      properties: ["accountId", "subjectId", "createdAt", "id"],
    },
  ],
  checks: [
    {
      name: "trail_entry_actor_kind_check",
      expression: "actor_kind in ('member', 'token', 'operator', 'system')",
    },
  ],
});
