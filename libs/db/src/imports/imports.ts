import { VaultError } from "@cardvault/contract";
import type {
  ImportLayout,
  ImportMapping,
  ImportMode,
  ImportOutcome,
  ImportSettings,
  ImportStatus,
  ImportVerdict,
  JobStatus,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** How a file is to be read, as its head says. */
export interface ImportReading {
  encoding: string;
  delimiter: string;
  headerRow: number | null;
  headers: string[];
  signature: string;
  start: { offset: number; row: number };
  sample: { row: number; cells: string[] }[];
  layout: ImportLayout | null;
  /** Ends of lines in the file: at most so many rows. */
  lines: number;
  /** Why it cannot be read. */
  problem?: string | undefined;
}

type Stored = Exclude<ImportStatus, "stopped">;
export type Counts<Name extends string> = Partial<Record<Name, number>>;

/** An import as its handlers and the pages see it. */
export interface ImportRow {
  id: string;
  accountId: string;
  status: Stored;
  fileName: string;
  fileSize: number;
  reading: ImportReading | null;
  mapping: ImportMapping | null;
  mappingFrom: "layout" | "saved" | "guessed" | "given" | null;
  settings: Partial<ImportSettings>;
  mode: ImportMode | null;
  batchId: string | null;
  verdicts: Counts<ImportVerdict>;
  outcomes: Counts<ImportOutcome>;
  jobId: string | null;
  jobStatus: JobStatus | null;
  jobError: { code: string; message: string } | null;
  sameFileAs: string | null;
  createdAt: Date;
  updatedAt: Date;
}

interface StoredImport {
  id: string;
  account_id: string;
  status: Stored;
  file_name: string;
  file_size: number;
  reading: ImportReading | Record<string, never>;
  mapping: ImportMapping | null;
  mapping_from: ImportRow["mappingFrom"];
  settings: Partial<ImportSettings>;
  mode: ImportMode | null;
  batch_id: string | null;
  verdicts: Counts<ImportVerdict>;
  outcomes: Counts<ImportOutcome>;
  job_id: string | null;
  job_status: JobStatus | null;
  job_error: { code: string; message: string } | null;
  same_file_as: string | null;
  created_at: Date;
  updated_at: Date;
}

const columns = `i.id, i.account_id, i.status, i.file_name, i.file_size, i.reading, i.mapping, i.mapping_from, i.settings,
  i.mode, i.batch_id, i.verdicts, i.outcomes, i.job_id, j.status as job_status, j.error as job_error,
  (select s.id from card_import s where s.account_id = i.account_id and s.file_hash = i.file_hash and s.id < i.id
    order by s.id desc limit 1) as same_file_as,
  i.created_at, i.updated_at`;
const source = "card_import i left join job j on j.id = i.job_id";

/** Begins an import: its file comes piece by piece. */
export async function insertImport(
  db: Queryable,
  row: { id: string; accountId: string; fileName: string; createdBy: string | null; now: Date },
): Promise<void> {
  await db.query(
    `insert into card_import (id, account_id, status, file_name, created_by, created_at, updated_at)
     values ($1, $2, 'uploading', $3, $4, $5, $5)`,
    [toUuid(row.id), toUuid(row.accountId), row.fileName, row.createdBy, row.now],
  );
}

/** Lets go of an upload that did not come to its end. */
export async function deleteImport(db: Queryable, id: string): Promise<void> {
  await db.query("delete from card_import where id = $1", [toUuid(id, "imp")]);
}

/** @throws VaultError `not_found` for an id that is unknown, malformed or of another account */
export async function getImport(db: Queryable, accountId: string, id: string): Promise<ImportRow> {
  const rows = isId("imp", id)
    ? await db.query<StoredImport>(
        `select ${columns} from ${source} where i.account_id = $1 and i.id = $2 and i.status <> 'uploading'`,
        [toUuid(accountId), toUuid(id)],
        "import",
      )
    : [];
  const [row] = rows;
  if (row === undefined) throw new VaultError("not_found");
  return rowOf(row);
}

/** The latest imports of an account. */
export async function listImports(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<ImportRow[]> {
  const rows = await db.query<StoredImport>(
    `select ${columns} from ${source} where i.account_id = $1 and i.status <> 'uploading'
     order by i.created_at desc, i.id desc limit $2`,
    [toUuid(accountId), limit],
    "imports",
  );
  return rows.map(rowOf);
}

/**
 * Locks an import until the caller's commit, so that two requests cannot both begin something with it.
 * @throws VaultError `not_found`
 */
export async function lockImport(tx: Queryable, accountId: string, id: string): Promise<ImportRow> {
  const values = isId("imp", id) ? [toUuid(accountId), toUuid(id)] : [];
  if (values.length > 0) {
    await tx.query(
      "select 1 from card_import where account_id = $1 and id = $2 for update",
      values,
    );
  }
  return getImport(tx, accountId, id);
}

/** What of an import can be written; what is left out stays. */
export interface ImportChange {
  status?: Stored;
  fileSize?: number;
  fileHash?: Uint8Array;
  reading?: ImportReading;
  mapping?: ImportMapping | null;
  mappingFrom?: ImportRow["mappingFrom"];
  settings?: Partial<ImportSettings>;
  mode?: ImportMode;
  batchId?: string | null;
  verdicts?: Counts<ImportVerdict>;
  outcomes?: Counts<ImportOutcome>;
  jobId?: string;
}

export async function writeImport(
  db: Queryable,
  id: string,
  change: ImportChange,
  now: Date,
): Promise<void> {
  const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
  const values: Record<string, unknown> = {
    ...("status" in change && { status: change.status }),
    ...("fileSize" in change && { file_size: change.fileSize }),
    ...("fileHash" in change && { file_hash: change.fileHash }),
    ...("reading" in change && { reading: json(change.reading) }),
    ...("mapping" in change && { mapping: json(change.mapping) }),
    ...("mappingFrom" in change && { mapping_from: change.mappingFrom }),
    ...("settings" in change && { settings: json(change.settings) }),
    ...("mode" in change && { mode: change.mode }),
    ...("batchId" in change && {
      batch_id: change.batchId == null ? null : toUuid(change.batchId),
    }),
    ...("verdicts" in change && { verdicts: json(change.verdicts) }),
    ...("outcomes" in change && { outcomes: json(change.outcomes) }),
    ...("jobId" in change && { job_id: toUuid(change.jobId ?? "", "job") }),
  };
  const names = Object.keys(values);
  const sets = names.map((name, index) => `${name} = $${index + 3}`);
  await db.query(
    `update card_import set ${["updated_at = $2", ...sets].join(", ")} where id = $1`,
    [toUuid(id, "imp"), now, ...names.map((name) => values[name])],
  );
}

/** Adds to the counts of outcomes, in the commit that makes them. */
export async function addOutcomes(
  tx: Queryable,
  id: string,
  added: Counts<ImportOutcome>,
  now: Date,
): Promise<void> {
  await tx.query(
    `update card_import i set updated_at = $3, outcomes = i.outcomes || (
       select coalesce(jsonb_object_agg(n.key, n.value::int + coalesce((i.outcomes ->> n.key)::int, 0)), '{}')
       from jsonb_each_text($2::jsonb) as n)
     where i.id = $1`,
    [toUuid(id, "imp"), JSON.stringify(added), now],
    "import-outcomes",
  );
}

/** Files that were never wholly uploaded, and the pieces of files that nobody needs any more. */
export async function sweepImports(
  db: Queryable,
  before: { uploading: Date; files: Date },
): Promise<void> {
  await db.query("delete from card_import where status = 'uploading' and created_at < $1", [
    before.uploading,
  ]);
  await db.query(
    `delete from card_import_part p using card_import i where i.id = p.import_id and i.updated_at < $1
       and i.status in ('imported', 'undone', 'unreadable', 'uploaded', 'checked')`,
    [before.files],
  );
}

function rowOf(stored: StoredImport): ImportRow {
  const idOf = (prefix: "batch" | "job" | "imp", uuid: string | null): string | null =>
    uuid === null ? null : toId(prefix, uuid);
  return {
    id: toId("imp", stored.id),
    accountId: toId("acc", stored.account_id),
    status: stored.status,
    fileName: stored.file_name,
    fileSize: stored.file_size,
    reading: "encoding" in stored.reading ? (stored.reading as ImportReading) : null,
    mapping: stored.mapping,
    mappingFrom: stored.mapping_from,
    settings: stored.settings,
    mode: stored.mode,
    batchId: idOf("batch", stored.batch_id),
    verdicts: stored.verdicts,
    outcomes: stored.outcomes,
    jobId: idOf("job", stored.job_id),
    jobStatus: stored.job_status,
    jobError: stored.job_error,
    sameFileAs: idOf("imp", stored.same_file_as),
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
  };
}
