import { defineEntity } from "@mikro-orm/postgresql";
import { bigint, integer, json, text, time, uuid } from "./columns.ts";

export const CatalogueCard = defineEntity({
  name: "CatalogueCard",
  properties: {
    id: uuid().primary().defaultRaw("uuidv7()"),
    source: text(),
    sourceId: text(),
    game: text(),
    setName: text(),
    setCode: text().nullable(),
    number: text(),
    setTotal: integer().nullable(),
    name: text(),
    rarity: text().nullable(),
    year: integer().nullable(),
    externalIds: json<Record<string, string>>().defaultRaw("'{}'::jsonb"),
    imageUrl: text().nullable(),
    comparedName: text(),
    comparedNumber: text(),
    comparedSet: text(),
    words: text(),
    importedAt: time(),
  },
  uniques: [{ name: "catalogue_card_source_source_id_key", properties: ["source", "sourceId"] }],
  indexes: [
    { name: "catalogue_card_number_index", properties: ["comparedNumber", "setTotal"] },
    { name: "catalogue_card_name_index", properties: "comparedName" },
    {
      name: "catalogue_card_words_index",
      expression:
        "create index catalogue_card_words_index on catalogue_card using gin (words gin_trgm_ops)",
    },
  ],
});

export const CatalogueImport = defineEntity({
  name: "CatalogueImport",
  properties: {
    id: uuid().primary().defaultRaw("uuidv7()"),
    source: text(),
    listKey: text(),
    status: text().$type<"running" | "done">(),
    position: bigint().defaultRaw("0"),
    total: bigint().nullable(),
    written: integer().default(0),
    skipped: integer().default(0),
    startedAt: time(),
    updatedAt: time(),
  },
  uniques: [{ name: "catalogue_import_source_list_key_key", properties: ["source", "listKey"] }],
  checks: [{ name: "catalogue_import_status_check", expression: "status in ('running', 'done')" }],
});

export const ProviderTurn = defineEntity({
  name: "ProviderTurn",
  properties: { provider: text().primary(), busyUntil: time() },
});

export const ProviderOutcome = defineEntity({
  name: "ProviderOutcome",
  properties: {
    provider: text().primary(),
    succeeded: bigint().defaultRaw("0"),
    failed: bigint().defaultRaw("0"),
    consecutiveFailures: integer().default(0),
    totalMs: bigint().defaultRaw("0"),
    lastCode: text().nullable(),
    lastSucceededAt: time().nullable(),
    lastFailedAt: time().nullable(),
    updatedAt: time(),
  },
});

export const SandboxRecord = defineEntity({
  name: "SandboxRecord",
  properties: {
    protocol: text().primary(),
    key: text().primary(),
    value: json<unknown>(),
    updatedAt: time(),
  },
});
