import { scanOutcomes, VaultError } from "@cardvault/contract";
import type { Run, Scan, ScannedCardAnswer, ScanOutcome } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { written } from "../people/written.ts";
import { readScannedCards } from "./find-scanned.ts";

/** A scan as it is stored. */
export interface StoredScan {
  id: string;
  runId: string;
  number: number;
  text: string;
  outcome: ScanOutcome;
  location: string | null;
  fromLocation: string | null;
  cardId: string | null;
  candidateIds: readonly string[];
  createdAt: Date;
  undoneAt: Date | null;
}

interface ScanRow extends Omit<StoredScan, "cardId" | "candidateIds"> {
  cardId: string | null;
  candidateIds: string[];
}

const scanColumns = `s.id, s.run_id as "runId", s.number, s.text, s.outcome, s.location,
  s.from_location as "fromLocation", s.card_id as "cardId", s.candidate_ids::text[] as "candidateIds",
  s.created_at as "createdAt", s.undone_at as "undoneAt"`;

function storedScan(row: ScanRow): StoredScan {
  return {
    ...row,
    cardId: row.cardId === null ? null : toId("card", row.cardId),
    candidateIds: row.candidateIds.map((id) => toId("card", id)),
  };
}

/** Begins a run; one that has begun already stays as it is. */
export async function insertRun(
  db: Queryable,
  accountId: string,
  run: { id: string; location: string | null; createdBy: string | null; now: Date },
): Promise<void> {
  await db.query(
    `insert into scan_run (account_id, id, location, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
    [toUuid(accountId), run.id, run.location, run.createdBy, run.now],
  );
}

interface RunRow {
  id: string;
  location: string | null;
  created_at: Date;
  last_scan_at: Date | null;
  counts: Partial<Record<ScanOutcome, number>> | null;
}

const runColumns = `r.id, r.location, r.created_at,
  (select max(s.created_at) from scan s where s.account_id = $1 and s.run_id = r.id) as last_scan_at,
  (select json_object_agg(n.outcome, n.scans) from (
    select s.outcome, count(*) as scans from scan s
    where s.account_id = $1 and s.run_id = r.id and s.undone_at is null group by 1) n) as counts`;

function runAnswer(row: RunRow): Run {
  return {
    run_id: row.id,
    location: row.location,
    counts: Object.fromEntries(
      scanOutcomes.map((name) => [name, row.counts?.[name] ?? 0]),
    ) as Run["counts"],
    started_at: row.created_at.toISOString(),
    last_scan_at: row.last_scan_at?.toISOString() ?? null,
  };
}

/** @throws VaultError `not_found` */
export async function readRun(db: Queryable, accountId: string, runId: string): Promise<Run> {
  const [row] = await db.query<RunRow>(
    `select ${runColumns} from scan_run r where r.account_id = $1 and r.id = $2`,
    [toUuid(accountId), runId],
    "scan_run",
  );
  if (row === undefined) throw new VaultError("not_found");
  return runAnswer(row);
}

/** The account's runs, the latest first. */
export async function listRuns(db: Queryable, accountId: string, limit: number): Promise<Run[]> {
  const rows = await db.query<RunRow>(
    `select ${runColumns} from scan_run r where r.account_id = $1
     order by r.created_at desc, r.id desc limit $2`,
    [toUuid(accountId), limit],
    "scan_runs",
  );
  return rows.map(runAnswer);
}

/** Where a run is. @throws VaultError `not_found` */
export async function findRunLocation(
  tx: Queryable,
  accountId: string,
  runId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ location: string | null }>(
    `select location from scan_run where account_id = $1 and id = $2`,
    [toUuid(accountId), runId],
    "scan_run_location",
  );
  if (row === undefined) throw new VaultError("not_found");
  return row.location;
}

export async function findScan(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredScan | null> {
  const [row] = await db.query<ScanRow>(
    `select ${scanColumns} from scan s where s.account_id = $1 and s.id = $2`,
    [toUuid(accountId), id],
    "find_scan",
  );
  return row === undefined ? null : storedScan(row);
}

/** The run's last scan that did something and was not undone. */
export async function findLastEffect(
  tx: Queryable,
  accountId: string,
  runId: string,
): Promise<StoredScan | null> {
  const [row] = await tx.query<ScanRow>(
    `select ${scanColumns} from scan s where s.account_id = $1 and s.run_id = $2
       and s.outcome in ('moved', 'place') and s.undone_at is null order by s.number desc limit 1`,
    [toUuid(accountId), runId],
    "last_scan_effect",
  );
  return row === undefined ? null : storedScan(row);
}

/** Writes a scan with the run's next number; a place's scan takes the run there. */
export async function insertScan(
  tx: Queryable,
  accountId: string,
  scan: Omit<StoredScan, "number" | "undoneAt">,
): Promise<StoredScan> {
  const [row] = await tx.query<ScanRow>(
    `with r as (
       update scan_run set next_number = next_number + 1, updated_at = $10,
         location = case when $5 = 'place' then $6 else location end
       where account_id = $1 and id = $3 returning next_number - 1 as number
     )
     insert into scan as s (account_id, id, run_id, number, text, outcome, location, from_location, card_id,
       candidate_ids, created_at)
     select $1, $2, $3, r.number, $4, $5, $6, $7, $8, $9::uuid[], $10 from r
     returning ${scanColumns}`,
    [
      toUuid(accountId),
      scan.id,
      scan.runId,
      scan.text,
      scan.outcome,
      scan.location,
      scan.fromLocation,
      scan.cardId === null ? null : toUuid(scan.cardId),
      scan.candidateIds.map((id) => toUuid(id)),
      scan.createdAt,
    ],
    "insert_scan",
  );
  return storedScan(written(row));
}

/** Marks a scan as undone; a place's takes the run back to where it was. */
export async function markScanUndone(
  tx: Queryable,
  accountId: string,
  scan: StoredScan,
  at: Date,
): Promise<void> {
  await tx.query(
    `with s as (update scan set undone_at = $3 where account_id = $1 and id = $2 returning run_id)
     update scan_run r set updated_at = $3, location = case when $4 then $5 else r.location end
     from s where r.account_id = $1 and r.id = s.run_id`,
    [toUuid(accountId), scan.id, at, scan.outcome === "place", scan.fromLocation],
  );
}

/** A run's scans, the latest first. @param before a number */
export async function listScans(
  db: Queryable,
  accountId: string,
  query: { runId: string; before: number | null; limit: number },
): Promise<StoredScan[]> {
  const rows = await db.query<ScanRow>(
    `select ${scanColumns} from scan s where s.account_id = $1 and s.run_id = $2
       and s.number < coalesce($3::int, 2147483647) order by s.number desc limit $4`,
    [toUuid(accountId), query.runId, query.before, query.limit],
    "list_scans",
  );
  return rows.map(storedScan);
}

/** Scans with their cards as these are now. */
export async function scanAnswers(
  db: Queryable,
  accountId: string,
  scans: readonly StoredScan[],
): Promise<Scan[]> {
  const ids = scans.flatMap(({ cardId, candidateIds }) =>
    cardId === null ? candidateIds : [cardId, ...candidateIds],
  );
  const cards = await readScannedCards(db, accountId, ids);
  const isThere = (card: ScannedCardAnswer | undefined) => card !== undefined;
  return scans.map((scan) => ({
    scan_id: scan.id,
    number: scan.number,
    text: scan.text,
    outcome: scan.outcome,
    location: scan.location,
    from_location: scan.fromLocation,
    card: scan.cardId === null ? null : (cards.get(scan.cardId) ?? null),
    candidates: scan.candidateIds.map((id) => cards.get(id)).filter(isThere),
    undone_at: scan.undoneAt?.toISOString() ?? null,
    scanned_at: scan.createdAt.toISOString(),
  }));
}
