import type { DeliveryStatus, DropReason, EventType } from "@cardvault/contract";
import type { BreakerPhase } from "@cardvault/domain";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bytes,
  flag,
  id,
  integer,
  json,
  real,
  reference,
  text,
  textArray,
  time,
  uuid,
} from "./columns.ts";
import { accountReference } from "./people.ts";

export const WebhookEndpoint = defineEntity({
  name: "WebhookEndpoint",
  properties: {
    id: id("whe").primary(),
    accountId: accountReference,
    url: text(),
    description: text().nullable(),
    /** Null: all. */
    eventTypes: textArray().$type<EventType[]>().nullable(),
    enabled: flag().default(true),
    disabledReason: text().nullable(),
    disabledAt: time().nullable(),
    secret: text(),
    nextSecret: text().nullable(),
    secretSwitchAt: time().nullable(),
    deletedAt: time().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  indexes: [
    {
      name: "webhook_endpoint_account_id_index",
      properties: ["accountId", "createdAt", "id"],
      where: "deleted_at is null",
    },
  ],
  checks: [
    {
      name: "webhook_endpoint_check",
      expression: "(next_secret is null) = (secret_switch_at is null)",
    },
  ],
});

export const WebhookEndpointHealth = defineEntity({
  name: "WebhookEndpointHealth",
  properties: {
    endpointId: () => reference(WebhookEndpoint, "endpoint_id", "cascade").primary(),
    phase: text().$type<BreakerPhase>().default("closed"),
    failures: integer().default(0),
    failedProbes: integer().default(0),
    probeAt: time().nullable(),
    openedAt: time().nullable(),
  },
  indexes: [
    {
      name: "webhook_endpoint_health_open_index",
      properties: "phase",
      where: "phase <> 'closed'",
    },
  ],
  checks: [
    {
      name: "webhook_endpoint_health_phase_check",
      expression: "phase in ('closed', 'open', 'half_open')",
    },
    {
      name: "webhook_endpoint_health_check",
      expression: "(phase = 'closed') = (probe_at is null)",
    },
  ],
});

export const WebhookEndpointSlots = defineEntity({
  name: "WebhookEndpointSlots",
  properties: {
    endpointId: () => reference(WebhookEndpoint, "endpoint_id", "cascade").primary(),
    holders: json<Record<string, [number, number]>>().default("{}"),
  },
});

export const WebhookEvent = defineEntity({
  name: "WebhookEvent",
  properties: {
    id: id("evt").primary(),
    accountId: accountReference,
    type: text().$type<EventType>(),
    subjectId: uuid().nullable(),
    body: text(),
    createdAt: time(),
    requestId: uuid().nullable(),
    traceparent: text().nullable(),
  },
  indexes: [
    { name: "webhook_event_created_at_index", properties: ["accountId", "createdAt", "id"] },
    { name: "webhook_event_type_index", properties: ["accountId", "type", "createdAt", "id"] },
    {
      name: "webhook_event_subject_index",
      properties: ["accountId", "subjectId", "createdAt", "id"],
    },
  ],
});

const undelivered = "status in ('pending', 'retrying')";

export const WebhookDelivery = defineEntity({
  name: "WebhookDelivery",
  properties: {
    id: id("dlv").primary().defaultRaw("uuidv7()"),
    accountId: accountReference,
    eventId: () => reference(WebhookEvent, "event_id", "cascade"),
    endpointId: () => reference(WebhookEndpoint, "endpoint_id", "cascade"),
    generation: integer().default(1),
    status: text().$type<DeliveryStatus>().default("pending"),
    dropReason: text().$type<DropReason>().nullable(),
    attempts: integer().default(0),
    nextAttemptAt: time().nullable(),
    deadlineAt: time(),
    lastStatusCode: integer().nullable(),
    lastErrorCode: text().nullable(),
    createdAt: time(),
    finishedAt: time().nullable(),
    dismissedAt: time().nullable(),
    dismissedNote: text().nullable(),
    enqueuedAt: time().nullable(),
    relayUntil: time().nullable(),
    leaseToken: uuid().nullable(),
    leaseUntil: time().nullable(),
    claims: integer().default(0),
  },
  uniques: [{ properties: ["eventId", "endpointId", "generation"] }],
  indexes: [
    { name: "webhook_delivery_account_id_index", properties: ["accountId", "createdAt", "id"] },
    { name: "webhook_delivery_endpoint_index", properties: ["endpointId", "createdAt", "id"] },
    {
      name: "webhook_delivery_dropped_index",
      properties: ["accountId", "finishedAt", "id"],
      where: "status = 'dropped' and dismissed_at is null",
    },
    { name: "webhook_delivery_due_index", properties: "nextAttemptAt", where: undelivered },
    {
      name: "webhook_delivery_open_index",
      expression: `create index webhook_delivery_open_index on webhook_delivery (endpoint_id, ((enqueued_at is null)::int), next_attempt_at, id) where ${undelivered}`,
    },
    {
      name: "webhook_delivery_status_index",
      properties: ["accountId", "status", "createdAt", "id"],
      where: "status in ('retrying', 'dropped', 'cancelled')",
    },
    {
      name: "webhook_delivery_endpoint_dropped_index",
      properties: ["endpointId", "finishedAt"],
      where: "status = 'dropped'",
    },
  ],
  checks: [
    { name: "webhook_delivery_generation_check", expression: "generation > 0" },
    {
      name: "webhook_delivery_status_check",
      expression: "status in ('pending', 'retrying', 'delivered', 'dropped', 'cancelled')",
    },
    { name: "webhook_delivery_attempts_check", expression: "attempts >= 0 and attempts <= 7" },
    {
      name: "webhook_delivery_check",
      expression: "(status = 'dropped') = (drop_reason is not null)",
    },
    {
      name: "webhook_delivery_check1",
      expression: `(${undelivered}) = (next_attempt_at is not null)`,
    },
    { name: "webhook_delivery_check2", expression: `(${undelivered}) = (finished_at is null)` },
  ],
});

const failed = "status_code is null or status_code < 200 or status_code > 299";

export const WebhookAttempt = defineEntity({
  name: "WebhookAttempt",
  properties: {
    id: uuid().primary(),
    accountId: accountReference,
    deliveryId: () => reference(WebhookDelivery, "delivery_id", "cascade"),
    endpointId: id("whe"),
    number: integer(),
    startedAt: time(),
    statusCode: integer().nullable(),
    errorCode: text().nullable(),
    dnsMs: real().nullable(),
    connectMs: real().nullable(),
    tlsMs: real().nullable(),
    firstByteMs: real().nullable(),
    totalMs: real(),
    responseHeaders: json<Record<string, string>>().nullable(),
    responseBody: bytes().nullable(),
    responseTruncated: flag().default(false),
    eventType: text().$type<EventType>(),
  },
  uniques: [{ properties: ["deliveryId", "number"] }],
  indexes: [
    { name: "webhook_attempt_account_id_index", properties: ["accountId", "startedAt", "id"] },
    { name: "webhook_attempt_endpoint_index", properties: ["endpointId", "startedAt", "id"] },
    {
      name: "webhook_attempt_event_type_index",
      properties: ["accountId", "eventType", "startedAt", "id"],
    },
    {
      name: "webhook_attempt_failed_index",
      properties: ["accountId", "startedAt", "id"],
      where: failed,
    },
    {
      name: "webhook_attempt_endpoint_failed_index",
      properties: ["endpointId", "startedAt", "id"],
      where: failed,
    },
    {
      name: "webhook_attempt_status_code_index",
      properties: ["accountId", "statusCode", "startedAt", "id"],
      where: "status_code < 200 or status_code > 299",
    },
    {
      name: "webhook_attempt_error_code_index",
      properties: ["accountId", "errorCode", "startedAt", "id"],
      where: "status_code is null",
    },
  ],
  checks: [{ name: "webhook_attempt_number_check", expression: "number >= 1 and number <= 7" }],
});
