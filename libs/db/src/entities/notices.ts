import type { NoticeKind } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import { id, json, optionalReference, reference, text, time } from "./columns.ts";
import { accountReference } from "./people.ts";
import { WebhookEndpoint } from "./webhooks.ts";

export const WebhookEndpointOutcomes = defineEntity({
  name: "WebhookEndpointOutcomes",
  properties: {
    endpointId: () => reference(WebhookEndpoint, "endpoint_id", "cascade").primary(),
    failingSince: time().nullable(),
    lastFailedAt: time().nullable(),
    lastDeliveredAt: time().nullable(),
    countsFrom: time().nullable(),
    checkedUntil: time(),
    dropsToldUntil: time(),
  },
});

export const Notice = defineEntity({
  name: "Notice",
  properties: {
    id: id("ntc").primary(),
    accountId: accountReference,
    kind: text().$type<NoticeKind>(),
    endpointId: () => optionalReference(WebhookEndpoint, "endpoint_id", "cascade"),
    message: text(),
    details: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    onceKey: text(),
    createdAt: time(),
    readAt: time().nullable(),
  },
  uniques: [{ properties: ["accountId", "onceKey"] }],
  indexes: [
    { name: "notice_account_id_index", properties: ["accountId", "createdAt", "id"] },
    {
      name: "notice_unread_index",
      properties: ["accountId", "createdAt", "id"],
      where: "read_at is null",
    },
    { name: "notice_endpoint_id_index", properties: ["endpointId", "createdAt", "id"] },
  ],
  checks: [
    {
      name: "notice_kind_check",
      expression:
        "kind in ('endpoint_failing', 'endpoint_disabled', 'events_dropped', 'marketplace_revoked')",
    },
  ],
});
