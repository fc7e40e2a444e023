import type { PhotoImport, PhotoImportStatus, PhotoPairing } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import type { ArrangedFile } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable, Transaction } from "../connection/database.ts";
import type { Page, PageQuery } from "../read/events.ts";
import { readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { StatementParts } from "../read/statement.ts";

/** An import of photos as its rules need it. */
export interface PhotoImportRow {
  id: string;
  batchId: string;
  status: PhotoImportStatus;
  pairing: PhotoPairing;
  jobId: string | null;
}

/** A file of an import. */
export interface PhotoImportFileRow extends ArrangedFile {
  contentHash: Uint8Array;
  byteSize: number;
  /** Null until it is here. */
  photoId: string | null;
  cardId: string | null;
}

export async function insertPhotoImport(
  db: Queryable,
  accountId: string,
  row: Omit<PhotoImportRow, "status" | "jobId"> & { createdBy: string | null },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into photo_import (id, account_id, batch_id, status, pairing, created_by, created_at, updated_at)
     values ($1, $2, $3, 'open', $4, $5, $6, $6)`,
    [toUuid(row.id), toUuid(accountId), toUuid(row.batchId), row.pairing, row.createdBy, now],
    "photo-import-insert",
  );
}

/**
 * The import, locked until the commit: its files are counted and placed one after the other.
 * @throws VaultError `not_found`
 */
export async function lockPhotoImport(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<PhotoImportRow> {
  const [row] = isId("pim", id)
    ? await tx.query<{
        batch_id: string;
        status: PhotoImportStatus;
        pairing: PhotoPairing;
        job_id: string | null;
      }>(
        `select batch_id, status, pairing, job_id from photo_import
         where id = $1 and account_id = $2 for update`,
        [toUuid(id), toUuid(accountId)],
        "photo-import-lock",
      )
    : [];
  if (row === undefined) throw new VaultError("not_found");
  return {
    id,
    batchId: toId("batch", row.batch_id),
    status: row.status,
    pairing: row.pairing,
    jobId: row.job_id === null ? null : toId("job", row.job_id),
  };
}

/** Writes what differs, and that somebody works on it. */
export async function writePhotoImport(
  tx: Transaction,
  id: string,
  changes: { status?: PhotoImportStatus; pairing?: PhotoPairing; jobId?: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `update photo_import set status = coalesce($2, status), pairing = coalesce($3, pairing),
       job_id = coalesce($4, job_id), updated_at = $5 where id = $1`,
    [
      toUuid(id),
      changes.status ?? null,
      changes.pairing ?? null,
      changes.jobId === undefined ? null : toUuid(changes.jobId),
      now,
    ],
    "photo-import-write",
  );
}

const fileColumns = `f.position, f.name, f.content_hash, f.byte_size, f.photo_id, f.is_dropped,
  f.group_no, f.group_side, f.card_id`;

interface StoredFile {
  position: number;
  name: string;
  content_hash: Uint8Array;
  byte_size: number;
  photo_id: string | null;
  is_dropped: boolean;
  group_no: number | null;
  group_side: "front" | "back" | null;
  card_id: string | null;
}

/** The files of an import that have these bytes, and where the next one would stand. */
export async function findImportFiles(
  tx: Transaction,
  importId: string,
  contentHash: Uint8Array,
): Promise<{ files: PhotoImportFileRow[]; next: number }> {
  const rows = await tx.query<StoredFile>(
    `select ${fileColumns} from photo_import_file f
     where f.import_id = $1 and f.content_hash = $2 order by f.position`,
    [toUuid(importId), contentHash],
    "photo-import-files-of-hash",
  );
  const [last] = await tx.query<{ next: number }>(
    "select coalesce(max(position) + 1, 0) as next from photo_import_file where import_id = $1",
    [toUuid(importId)],
    "photo-import-next",
  );
  return { files: rows.map(fileOf), next: last?.next ?? 0 };
}

/** All files of an import, in their order. */
export async function readImportFiles(
  db: Queryable,
  importId: string,
): Promise<PhotoImportFileRow[]> {
  const rows = await db.query<StoredFile>(
    `select ${fileColumns} from photo_import_file f where f.import_id = $1 order by f.position`,
    [toUuid(importId)],
    "photo-import-files",
  );
  return rows.map(fileOf);
}

function fileOf(row: StoredFile): PhotoImportFileRow {
  return {
    position: row.position,
    name: row.name,
    contentHash: row.content_hash,
    byteSize: row.byte_size,
    photoId: row.photo_id === null ? null : toId("img", row.photo_id),
    isDropped: row.is_dropped,
    group: row.group_no,
    side: row.group_side,
    cardId: row.card_id === null ? null : toId("card", row.card_id),
  };
}

export async function insertImportFiles(
  tx: Transaction,
  importId: string,
  files: readonly Pick<
    PhotoImportFileRow,
    "position" | "name" | "contentHash" | "byteSize" | "isDropped"
  >[],
): Promise<void> {
  await tx.query(
    `insert into photo_import_file (import_id, position, name, content_hash, byte_size, is_dropped)
     select $1, n.position, n.name, decode(n.hash, 'hex'), n.byte_size, n.is_dropped
     from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::boolean[])
       as n (position, name, hash, byte_size, is_dropped)`,
    [
      toUuid(importId),
      files.map(({ position }) => position),
      files.map(({ name }) => name),
      files.map(({ contentHash }) => Buffer.from(contentHash).toString("hex")),
      files.map(({ byteSize }) => byteSize),
      files.map(({ isDropped }) => isDropped),
    ],
    "photo-import-files-insert",
  );
}

/** The file has come: it has a photo, and perhaps a card that looks like it. */
export async function writeImportPhotos(
  tx: Transaction,
  importId: string,
  photos: readonly { position: number; photoId: string }[],
  similar: { cardId: string; distance: number } | null,
): Promise<void> {
  await tx.query(
    `update photo_import_file f set photo_id = n.photo_id, similar_card_id = $4, similar_distance = $5
     from unnest($2::int[], $3::uuid[]) as n (position, photo_id)
     where f.import_id = $1 and f.position = n.position`,
    [
      toUuid(importId),
      photos.map(({ position }) => position),
      photos.map(({ photoId }) => toUuid(photoId, "img")),
      similar === null ? null : toUuid(similar.cardId, "card"),
      similar?.distance ?? null,
    ],
    "photo-import-photos",
  );
}

/** Writes where each file is put. */
export async function writeArrangement(
  tx: Transaction,
  importId: string,
  files: readonly ArrangedFile[],
): Promise<void> {
  await tx.query(
    `update photo_import_file f set is_dropped = n.is_dropped, group_no = n.group_no, group_side = n.side
     from unnest($2::int[], $3::boolean[], $4::int[], $5::text[]) as n (position, is_dropped, group_no, side)
     where f.import_id = $1 and f.position = n.position
       and (f.is_dropped, f.group_no, f.group_side) is distinct from (n.is_dropped, n.group_no, n.side)`,
    [
      toUuid(importId),
      files.map(({ position }) => position),
      files.map(({ isDropped }) => isDropped),
      files.map(({ group }) => group),
      files.map(({ side }) => side),
    ],
    "photo-import-arrange",
  );
}

/** A file that is to become a card's photo. */
export interface ImportedPhoto {
  position: number;
  photoId: string;
  group: number;
  side: "front" | "back";
}

const waitingFiles = "not is_dropped and card_id is null and group_no is not null";

/** The next files of which no card has been made, whole cards at a time, in the order of the cards. */
export async function nextImportGroups(
  tx: Transaction,
  importId: string,
  limit: number,
): Promise<ImportedPhoto[]> {
  const rows = await tx.query<{
    position: number;
    photo_id: string;
    group_no: number;
    group_side: "front" | "back";
  }>(
    `select position, photo_id, group_no, group_side from photo_import_file
     where import_id = $1 and ${waitingFiles} and photo_id is not null and group_no in (
       select distinct group_no from photo_import_file where import_id = $1 and ${waitingFiles}
       order by group_no limit $2)
     order by group_no, group_side desc`,
    [toUuid(importId), limit],
    "photo-import-next-groups",
  );
  return rows.map((row) => ({
    position: row.position,
    photoId: toId("img", row.photo_id),
    group: row.group_no,
    side: row.group_side,
  }));
}

/** Cards that were made of an import, and those that are to be. */
export async function countImportCards(
  tx: Transaction,
  importId: string,
): Promise<{ made: number; left: number }> {
  const [row] = await tx.query<{ made: number; left: number }>(
    `select count(distinct card_id) as made,
       count(distinct group_no) filter (where ${waitingFiles} and photo_id is not null) as left
     from photo_import_file where import_id = $1`,
    [toUuid(importId)],
    "photo-import-count-cards",
  );
  return row ?? { made: 0, left: 0 };
}

/** Marks files with the cards that were made of them. */
export async function markImported(
  tx: Transaction,
  importId: string,
  made: readonly { position: number; cardId: string }[],
): Promise<void> {
  await tx.query(
    `update photo_import_file f set card_id = n.card_id
     from unnest($2::int[], $3::uuid[]) as n (position, card_id)
     where f.import_id = $1 and f.position = n.position`,
    [
      toUuid(importId),
      made.map(({ position }) => position),
      made.map(({ cardId }) => toUuid(cardId, "card")),
    ],
    "photo-import-mark",
  );
}

/** Another file of the account's cards that is the same or looks like it, by the file's position. */
export interface ImportDuplicate {
  position: number;
  cardId: string;
  distance: number;
}

/** Files whose very bytes, or nearly whose picture, a card has that is not of this import. */
export async function findImportDuplicates(
  db: Queryable,
  accountId: string,
  importId: string,
): Promise<ImportDuplicate[]> {
  const rows = await db.query<{ position: number; card_id: string; distance: number }>(
    `select distinct on (f.position, p.card_id) f.position, p.card_id, 0 as distance
     from photo_import_file f
     join photo p on p.account_id = $1 and p.content_hash = f.content_hash and p.card_id is not null
       and p.card_id is distinct from f.card_id
     where f.import_id = $2
     union all
     select f.position, f.similar_card_id, f.similar_distance from photo_import_file f
     where f.import_id = $2 and f.similar_card_id is not null and f.similar_distance > 0
       and exists (select 1 from card c where c.id = f.similar_card_id)`,
    [toUuid(accountId), toUuid(importId)],
    "photo-import-duplicates",
  );
  return rows.map(({ position, card_id, distance }) => ({
    position,
    cardId: toId("card", card_id),
    distance,
  }));
}

/** What the pictures of an import's files look like, for those that are here. */
export async function readImportHashes(
  db: Queryable,
  accountId: string,
  importId: string,
): Promise<
  { position: number; hash: Uint8Array; photoId: string; width: number; height: number }[]
> {
  const rows = await db.query<{
    position: number;
    photo_id: string;
    hash: string;
    width: number;
    height: number;
  }>(
    `select f.position, f.photo_id, k.perceptual_hash::text as hash, k.width, k.height
     from photo_import_file f
     join picture k on k.account_id = $1 and k.content_hash = f.content_hash
     where f.import_id = $2 and f.photo_id is not null order by f.position`,
    [toUuid(accountId), toUuid(importId)],
    "photo-import-hashes",
  );
  return rows.map(({ photo_id, hash, ...row }) => ({
    ...row,
    photoId: toId("img", photo_id),
    hash: Uint8Array.from({ length: hash.length / 8 }, (_, at) =>
      Number.parseInt(hash.slice(at * 8, at * 8 + 8), 2),
    ),
  }));
}

const answerColumns = `c.batch_id, c.status, c.pairing, c.job_id, c.created_at, c.updated_at,
  (select count(*) from photo_import_file f where f.import_id = c.id) as file_count,
  (select count(*) from photo_import_file f where f.import_id = c.id and f.photo_id is not null)
    as uploaded_count,
  (select count(distinct f.card_id) from photo_import_file f where f.import_id = c.id) as card_count`;

interface StoredImport {
  id: string;
  batch_id: string;
  status: PhotoImportStatus;
  pairing: PhotoPairing;
  job_id: string | null;
  created_at: Date;
  updated_at: Date;
  file_count: number;
  uploaded_count: number;
  card_count: number;
}

function answerOf(row: StoredImport): PhotoImport {
  const { status, pairing, file_count, uploaded_count, card_count } = row;
  return {
    id: toId("pim", row.id),
    batch_id: toId("batch", row.batch_id),
    status,
    pairing,
    file_count,
    uploaded_count,
    card_count,
    job_id: row.job_id === null ? null : toId("job", row.job_id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** @throws VaultError `not_found` */
export async function getPhotoImport(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<PhotoImport> {
  const [row] = isId("pim", id)
    ? await db.query<StoredImport>(
        `select c.id, ${answerColumns} from photo_import c where c.account_id = $1 and c.id = $2`,
        [toUuid(accountId), toUuid(id)],
        "photo-import-get",
      )
    : [];
  if (row === undefined) throw new VaultError("not_found");
  return answerOf(row);
}

const importList: KeysetList = {
  name: "photo-imports",
  table: "photo_import",
  projection: answerColumns,
  sorts: { created_at: { column: "created_at", type: "timestamptz" } },
};

/** One page of an account's imports of photos, the latest first. */
export async function listPhotoImports(
  db: Queryable,
  accountId: string,
  { limit, cursor }: PageQuery,
): Promise<Page<PhotoImport>> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  const page = await readPage<StoredImport>(
    db,
    importList,
    { accountId, sort: "-created_at", limit, cursor, scope: [] },
    parts,
  );
  return { data: page.rows.map(answerOf), next_cursor: page.next_cursor, has_more: page.has_more };
}

/** Removes an import and its photos that no card has. Cards that were made of it stay. */
export async function deletePhotoImport(
  tx: Transaction,
  accountId: string,
  importId: string,
): Promise<Uint8Array[]> {
  const photos = await tx.query<{ content_hash: Uint8Array }>(
    `delete from photo p using photo_import_file f
     where f.import_id = $1 and p.id = f.photo_id and p.account_id = $2 and p.card_id is null
     returning p.content_hash`,
    [toUuid(importId), toUuid(accountId)],
    "photo-import-delete-photos",
  );
  await tx.query(
    "delete from photo_import where id = $1 and account_id = $2",
    [toUuid(importId), toUuid(accountId)],
    "photo-import-delete",
  );
  return photos.map(({ content_hash }) => content_hash);
}

/** Imports that nobody has touched since a moment; those whose cards are being made are not among them. */
export async function findStaleImports(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ accountId: string; id: string }[]> {
  const rows = await db.query<{ account_id: string; id: string }>(
    `select account_id, id from photo_import
     where updated_at < $1 and status <> 'committing' order by updated_at limit $2`,
    [before, limit],
    "photo-imports-stale",
  );
  return rows.map((row) => ({ accountId: toId("acc", row.account_id), id: toId("pim", row.id) }));
}
