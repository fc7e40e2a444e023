import type { ImportMatch, ImportOutcome, ImportVerdict } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { StatementParts } from "../read/statement.ts";

export interface ImportRowProblem {
  /** The header of the column. */
  column: string | null;
  message: string;
}

/** A row of a list as it was checked. */
export interface CheckedRow {
  row: number;
  verdict: ImportVerdict;
  /** What it says of a card, by the contract's names. */
  fields: Record<string, unknown>;
  problems: ImportRowProblem[];
  matchedBy: "card_id" | ImportMatch | null;
  sameAsRow: number | null;
  cardId: string | null;
}

/** And what became of it. */
export interface StagedRow extends CheckedRow {
  outcome: ImportOutcome | null;
  changedAt: Date | null;
}

interface StoredRow {
  row: number;
  verdict: ImportVerdict;
  fields: Record<string, unknown>;
  problems: ImportRowProblem[] | null;
  matched_by: CheckedRow["matchedBy"];
  same_as_row: number | null;
  outcome: ImportOutcome | null;
  card_id: string | null;
  changed_at: Date | null;
}

const columns =
  "row, verdict, fields, problems, matched_by, same_as_row, outcome, card_id, changed_at";
const clearAtOnce = 20_000;

export async function insertImportRows(
  tx: Queryable,
  importId: string,
  rows: readonly CheckedRow[],
): Promise<void> {
  await tx.query(
    `insert into card_import_row (import_id, row, verdict, fields, problems, matched_by, same_as_row, card_id)
     select $1, n.row, n.verdict, n.fields, n.problems, n.matched_by, n.same_as_row, n.card_id
     from unnest($2::int[], $3::text[], $4::jsonb[], $5::jsonb[], $6::text[], $7::int[], $8::uuid[])
       as n (row, verdict, fields, problems, matched_by, same_as_row, card_id)`,
    [
      toUuid(importId, "imp"),
      rows.map(({ row }) => row),
      rows.map(({ verdict }) => verdict),
      rows.map(({ fields }) => JSON.stringify(fields)),
      rows.map(({ problems }) => (problems.length === 0 ? null : JSON.stringify(problems))),
      rows.map(({ matchedBy }) => matchedBy),
      rows.map(({ sameAsRow }) => sameAsRow),
      rows.map(({ cardId }) => (cardId === null ? null : toUuid(cardId, "card"))),
    ],
    "import-rows-insert",
  );
}

/**
 * Gives keys to the rows that say them first.
 * @returns of the keys that an earlier row has already, that row
 */
export async function claimImportKeys(
  tx: Queryable,
  importId: string,
  keys: readonly { key: string; row: number }[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{ key: string; row: number }>(
    `with n as (
       select k.key, min(k.row) as row from unnest($2::text[], $3::int[]) as k (key, row) group by k.key
     ), made as (
       insert into card_import_key (import_id, key, row) select $1, n.key, n.row from n
       on conflict (import_id, key) do nothing
     )
     select c.key, c.row from card_import_key c where c.import_id = $1 and c.key = any ($2)
     union all
     select n.key, n.row from n where not exists
       (select 1 from card_import_key c where c.import_id = $1 and c.key = n.key)`,
    [toUuid(importId, "imp"), keys.map(({ key }) => key), keys.map(({ row }) => row)],
    "import-keys-claim",
  );
  return new Map(rows.map(({ key, row }) => [key, row]));
}

/** Forgets what an earlier check found, a bounded number of rows. Answers whether anything is left. */
export async function clearImportRows(tx: Queryable, importId: string): Promise<boolean> {
  const id = toUuid(importId, "imp");
  let isLeft = false;
  for (const table of ["card_import_row", "card_import_key"]) {
    const gone = await tx.query(
      `delete from ${table} where ctid = any (array(
         select ctid from ${table} where import_id = $1 limit ${clearAtOnce})) returning 1 as one`,
      [id],
    );
    isLeft ||= gone.length === clearAtOnce;
  }
  return isLeft;
}

/** The next rows that are to be made cards, in the order of the file. */
export async function readRowsToImport(
  db: Queryable,
  importId: string,
  page: { after: number; limit: number },
): Promise<StagedRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${columns} from card_import_row
     where import_id = $1 and row > $2 and outcome is null and verdict in ('valid', 'duplicate')
     order by row limit $3`,
    [toUuid(importId, "imp"), page.after, page.limit],
    "import-rows-next",
  );
  return rows.map(rowOf);
}

/** The rows whose cards an undo has to give back, the last ones first. */
export async function readRowsToUndo(
  db: Queryable,
  importId: string,
  page: { before: number; limit: number },
): Promise<StagedRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${columns} from card_import_row
     where import_id = $1 and row < $2 and outcome in ('created', 'updated', 'added')
     order by row desc limit $3`,
    [toUuid(importId, "imp"), page.before, page.limit],
    "import-rows-undo",
  );
  return rows.map(rowOf);
}

/** The cards of these rows of a file, where they are imported. */
export async function readRowCards(
  db: Queryable,
  importId: string,
  rows: readonly number[],
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const found = await db.query<{ row: number; card_id: string }>(
    `select row, card_id from card_import_row
     where import_id = $1 and row = any ($2) and outcome is not null and card_id is not null`,
    [toUuid(importId, "imp"), rows],
    "import-row-cards",
  );
  return new Map(found.map(({ row, card_id }) => [row, toId("card", card_id)]));
}

/** What became of a row. */
export interface RowMark {
  row: number;
  outcome: ImportOutcome;
  cardId: string | null;
  changedAt: Date | null;
  problems: ImportRowProblem[];
}

/**
 * Writes what became of rows, in the commit that changes their cards.
 * @param from the outcomes that they may have now; a row that has another one is not written
 * @returns how many were written: fewer than given means that another run has been at them
 */
export async function markImportRows(
  tx: Queryable,
  importId: string,
  marks: readonly RowMark[],
  from: readonly ImportOutcome[] | null,
): Promise<number> {
  const rows = await tx.query(
    `update card_import_row r set outcome = n.outcome, card_id = n.card_id, changed_at = n.changed_at,
       problems = coalesce(n.problems, r.problems)
     from unnest($2::int[], $3::text[], $4::uuid[], $5::timestamptz[], $6::jsonb[])
       as n (row, outcome, card_id, changed_at, problems)
     where r.import_id = $1 and r.row = n.row
       and case when $7::text[] is null then r.outcome is null else r.outcome = any ($7) end
     returning 1 as one`,
    [
      toUuid(importId, "imp"),
      marks.map(({ row }) => row),
      marks.map(({ outcome }) => outcome),
      marks.map(({ cardId }) => (cardId === null ? null : toUuid(cardId, "card"))),
      marks.map(({ changedAt }) => changedAt),
      marks.map(({ problems }) => (problems.length === 0 ? null : JSON.stringify(problems))),
      from,
    ],
    "import-rows-mark",
  );
  return rows.length;
}

/** One page of the rows of an import. The import is the caller's to check. */
export async function listImportRows(
  db: Queryable,
  importId: string,
  query: {
    verdict?: ImportVerdict | undefined;
    outcome?: ImportOutcome | undefined;
    after: number;
    limit: number;
  },
): Promise<{ rows: StagedRow[]; hasMore: boolean }> {
  const { verdict, outcome, after, limit } = query;
  // Only what is asked for stands in the statement, so that it finds its index.
  const parts = new StatementParts();
  parts.where(`import_id = ${parts.bind(toUuid(importId, "imp"), "uuid")}`);
  parts.where(`row > ${parts.bind(after, "int")}`);
  if (verdict !== undefined) parts.where(`verdict = ${parts.bind(verdict, "text")}`);
  if (outcome !== undefined) parts.where(`outcome = ${parts.bind(outcome, "text")}`);
  const rows = await db.query<StoredRow>(
    `select ${columns} from card_import_row where ${parts.conditions.join(" and ")}
     order by row limit ${parts.bind(limit + 1, "int")}`,
    parts.values,
  );
  return { rows: rows.slice(0, limit).map(rowOf), hasMore: rows.length > limit };
}

function rowOf(stored: StoredRow): StagedRow {
  return {
    row: stored.row,
    verdict: stored.verdict,
    fields: stored.fields,
    problems: stored.problems ?? [],
    matchedBy: stored.matched_by,
    sameAsRow: stored.same_as_row,
    outcome: stored.outcome,
    cardId: stored.card_id === null ? null : toId("card", stored.card_id),
    changedAt: stored.changed_at,
  };
}
