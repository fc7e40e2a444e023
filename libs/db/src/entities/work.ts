import type { JobItemOutcome, JobStatus } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bytes,
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
import { Batch } from "./inventory.ts";
import { Account, accountReference } from "./people.ts";

const p = defineEntity.properties;

export const Job = defineEntity({
  name: "Job",
  properties: {
    id: id("job").primary(),
    accountId: () => optionalReference(Account, "account_id", "cascade"),
    kind: text(),
    status: text().$type<JobStatus>().default("queued"),
    payload: json<Record<string, unknown>>(),
    progress: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    error: json<Record<string, unknown>>().nullable(),
    nextRunAt: time().nullable(),
    batchId: () => optionalReference(Batch, "batch_id"),
    changesMembership: flag().default(false),
    pausedByHand: flag().default(false),
    pausedBySuspension: flag().default(false),
    cancelRequestedAt: time().nullable(),
    createdBy: text().nullable(),
    createdAt: time(),
    updatedAt: time(),
    finishedAt: time().nullable(),
    enqueuedAt: time().nullable(),
    relayUntil: time().nullable(),
    leaseToken: uuid().nullable(),
    leaseUntil: time().nullable(),
    claims: integer().default(0),
    subjectId: text().nullable(),
    idempotencyKey: text().nullable(),
    requestId: uuid().nullable(),
    traceparent: text().nullable(),
  },
  uniques: [
    { name: "job_idempotency_key", properties: ["accountId", "idempotencyKey"] },
    {
      name: "job_recover_key",
      properties: "subjectId",
      where: "kind = 'webhook.recover' and status in ('queued', 'running', 'paused')",
    },
    {
      name: "job_retention_key",
      properties: "kind",
      where: "kind = 'webhook.retention' and status in ('queued', 'running', 'paused')",
    },
  ],
  indexes: [
    { name: "job_account_id_index", properties: ["accountId", "createdAt", "id"] },
    { name: "job_updated_at_index", properties: ["accountId", "updatedAt", "id"] },
    {
      name: "job_batch_index",
      properties: "batchId",
      where: "status in ('queued', 'running', 'paused')",
    },
    {
      name: "job_unrelayed_index",
      properties: "id",
      where: "enqueued_at is null and status in ('queued', 'running')",
    },
    { name: "job_due_index", properties: "nextRunAt", where: "status in ('queued', 'running')" },
  ],
  checks: [
    {
      name: "job_status_check",
      expression: "status in ('queued', 'running', 'paused', 'done', 'failed', 'cancelled')",
    },
    {
      name: "job_due_check",
      expression:
        "(status <> all (array['queued'::text, 'running'::text])) or (next_run_at is not null)",
    },
    {
      name: "job_check",
      expression: "(status in ('done', 'failed', 'cancelled')) = (finished_at is not null)",
    },
  ],
});

export const JobItem = defineEntity({
  name: "JobItem",
  properties: {
    jobId: () => reference(Job, "job_id", "cascade").primary(),
    cardId: id("card").primary(),
    outcome: text().$type<JobItemOutcome>().nullable(),
    code: text().nullable(),
    message: text().nullable(),
    changedAt: time().nullable(),
    details: json<Record<string, unknown>[]>().nullable(),
  },
  indexes: [
    {
      name: "job_item_remarked_index",
      properties: ["jobId", "cardId"],
      where: "code is not null",
    },
  ],
  checks: [
    {
      name: "job_item_outcome_check",
      expression: "outcome in ('changed', 'unchanged', 'skipped', 'failed')",
    },
  ],
});

export const JobPatch = defineEntity({
  name: "JobPatch",
  properties: {
    jobId: () => reference(Job, "job_id", "cascade").primary(),
    cardId: id("card").primary(),
    patch: json<Record<string, unknown>>(),
    ifVersion: integer().nullable(),
  },
});

export const IdempotencyRecord = defineEntity({
  name: "IdempotencyRecord",
  properties: {
    accountId: () => accountReference().primary(),
    method: text().primary(),
    path: text().primary(),
    key: text().primary(),
    requestHash: bytes(),
    owner: uuid(),
    deadlineAt: time(),
    createdAt: time(),
    responseStatus: integer().nullable(),
    responseHeaders: json<Record<string, string>>().nullable(),
    responseBody: text().nullable(),
  },
  indexes: [{ name: "idempotency_record_created_at_index", properties: "createdAt" }],
});

export const RateWindow = defineEntity({
  name: "RateWindow",
  properties: {
    key: text().primary(),
    hits: p.array().columnType("timestamptz[]"),
    expiresAt: time(),
  },
  indexes: [{ name: "rate_window_expires_at_index", properties: "expiresAt" }],
});
