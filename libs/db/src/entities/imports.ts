import type {
  ImportMapping,
  ImportMode,
  ImportOutcome,
  ImportSettings,
  ImportVerdict,
} from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import {
  bigint,
  bytes,
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
import { accountReference } from "./people.ts";

export const CardImport = defineEntity({
  name: "CardImport",
  properties: {
    id: id("imp").primary(),
    accountId: accountReference,
    status: text(),
    fileName: text(),
    fileSize: bigint().defaultRaw("0"),
    fileHash: bytes().nullable(),
    reading: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    mapping: json<ImportMapping>().nullable(),
    mappingFrom: text().nullable(),
    settings: json<Partial<ImportSettings>>().defaultRaw("'{}'::jsonb"),
    mode: text().$type<ImportMode>().nullable(),
    batchId: () => optionalReference(Batch, "batch_id"),
    verdicts: json<Record<string, number>>().defaultRaw("'{}'::jsonb"),
    outcomes: json<Record<string, number>>().defaultRaw("'{}'::jsonb"),
    jobId: uuid().nullable(),
    createdBy: text().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  indexes: [
    { name: "card_import_account_id_index", properties: ["accountId", "createdAt", "id"] },
    { name: "card_import_file_hash_index", properties: ["accountId", "fileHash"] },
  ],
  checks: [
    {
      name: "card_import_status_check",
      expression:
        "status in ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'unreadable')",
    },
  ],
});

export const CardImportPart = defineEntity({
  name: "CardImportPart",
  properties: {
    importId: () => reference(CardImport, "import_id", "cascade").primary(),
    position: integer().primary(),
    bytes: bytes(),
  },
});

export const CardImportRow = defineEntity({
  name: "CardImportRow",
  properties: {
    importId: () => reference(CardImport, "import_id", "cascade").primary(),
    row: integer().primary(),
    verdict: text().$type<ImportVerdict>(),
    fields: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    problems: json<unknown[]>().nullable(),
    matchedBy: text().nullable(),
    sameAsRow: integer().nullable(),
    outcome: text().$type<ImportOutcome>().nullable(),
    cardId: uuid().nullable(),
    changedAt: time().nullable(),
  },
  indexes: [
    { name: "card_import_row_verdict_index", properties: ["importId", "verdict", "row"] },
    { name: "card_import_row_outcome_index", properties: ["importId", "outcome", "row"] },
  ],
  checks: [
    {
      name: "card_import_row_verdict_check",
      expression: "verdict in ('valid', 'invalid', 'duplicate', 'ignored')",
    },
    {
      name: "card_import_row_outcome_check",
      expression:
        "outcome in ('created', 'updated', 'added', 'skipped', 'failed', 'undone', 'kept')",
    },
  ],
});

export const CardImportKey = defineEntity({
  name: "CardImportKey",
  properties: {
    importId: () => reference(CardImport, "import_id", "cascade").primary(),
    key: text().primary(),
    row: integer(),
  },
});

export const ImportMappingRow = defineEntity({
  name: "ImportMapping",
  properties: {
    accountId: () => accountReference().primary(),
    signature: text().primary(),
    name: text(),
    mapping: json<ImportMapping>(),
    updatedAt: time(),
  },
});
