import { defineEntity } from "@mikro-orm/postgresql";
import { bytes, flag, id, integer, optionalReference, reference, text, time } from "./columns.ts";
import { Batch, Card, Photo } from "./inventory.ts";
import { accountReference } from "./people.ts";
import { Job } from "./work.ts";

const p = defineEntity.properties;
const hash = () => p.string().columnType("bit(256)");

export const Picture = defineEntity({
  name: "Picture",
  properties: {
    accountId: () => accountReference().primary(),
    contentHash: bytes().primary(),
    state: text(),
    format: text(),
    byteSize: integer(),
    width: integer(),
    height: integer(),
    perceptualHash: hash(),
    touchedAt: time(),
  },
  indexes: [
    { name: "picture_unsettled_index", properties: "touchedAt", where: "state <> 'stored'" },
  ],
  checks: [
    {
      name: "picture_state_check",
      expression: "state in ('writing', 'stored', 'loose', 'removing')",
    },
    { name: "picture_format_check", expression: "format in ('jpeg', 'png', 'webp', 'heic')" },
    { name: "picture_byte_size_check", expression: "byte_size > 0" },
    { name: "picture_width_check", expression: "width > 0" },
    { name: "picture_height_check", expression: "height > 0" },
  ],
});

export const PhotoImport = defineEntity({
  name: "PhotoImport",
  properties: {
    id: id("pim").primary(),
    accountId: accountReference,
    batchId: () => reference(Batch, "batch_id"),
    status: text(),
    pairing: text(),
    jobId: () => optionalReference(Job, "job_id"),
    createdBy: text().nullable(),
    createdAt: time(),
    updatedAt: time(),
  },
  indexes: [
    { name: "photo_import_account_id_index", properties: ["accountId", "createdAt", "id"] },
    { name: "photo_import_batch_id_index", properties: "batchId" },
    { name: "photo_import_job_id_index", properties: "jobId" },
    { name: "photo_import_updated_at_index", properties: "updatedAt" },
  ],
  checks: [
    { name: "photo_import_status_check", expression: "status in ('open', 'committing', 'done')" },
  ],
});

export const PhotoImportFile = defineEntity({
  name: "PhotoImportFile",
  properties: {
    importId: () => reference(PhotoImport, "import_id", "cascade").primary(),
    position: integer().primary(),
    name: text(),
    contentHash: bytes(),
    byteSize: integer(),
    photoId: () => reference(Photo, "photo_id").nullable().deleteRule("set null"),
    isDropped: flag().default(false),
    groupNo: integer().nullable(),
    groupSide: text().nullable(),
    similarCardId: id("card").nullable(),
    similarDistance: integer().nullable(),
    cardId: () => optionalReference(Card, "card_id", "cascade"),
  },
  indexes: [
    { name: "photo_import_file_hash_index", properties: ["importId", "contentHash"] },
    { name: "photo_import_file_photo_id_index", properties: "photoId" },
    { name: "photo_import_file_card_id_index", properties: "cardId" },
  ],
  checks: [
    {
      name: "photo_import_file_group_side_check",
      expression: "group_side in ('front', 'back')",
    },
  ],
});

export const LearnedHash = defineEntity({
  name: "LearnedHash",
  properties: {
    accountId: () => accountReference().primary(),
    photoId: () => reference(Photo, "photo_id", "cascade").primary(),
    cardId: () => reference(Card, "card_id", "cascade"),
    hash: hash(),
    learnedAt: time(),
  },
  indexes: [
    { name: "learned_hash_photo_id_index", properties: "photoId" },
    { name: "learned_hash_card_id_index", properties: "cardId" },
  ],
});

export const LearnerPosition = defineEntity({
  name: "LearnerPosition",
  properties: {
    accountId: () => accountReference().primary(),
    changedAt: time(),
    cardId: id("card"),
    lookedAt: time(),
  },
});
