import { importSettings, importVerdicts, maxImportRows, VaultError } from "@cardvault/contract";
import type { ImportVerdict } from "@cardvault/contract";
import {
  claimImportKeys,
  clearImportRows,
  findAccount,
  getImport,
  insertImportRows,
  matchCards,
  readImportPart,
  writeImport,
} from "@cardvault/db";
import type { Database, ImportRow, Transaction } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { runChunks } from "../bulk/run-chunks.ts";
import type { ChunkStep } from "../bulk/run-chunks.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "../work/handler.ts";
import { asDuplicate, judgeRow } from "./check-rows.ts";
import type { CheckPlan, JudgedRow } from "./check-rows.ts";
import { countsOf } from "./import-answer.ts";
import { checkProgress, notBegun, payloadOf } from "./import-job.ts";
import type { CheckProgress } from "./import-job.ts";
import { fileReader } from "./read-file.ts";
import type { FilePlace } from "./read-file.ts";
import { keysOf, marksOf, matchOf } from "./row-marks.ts";

interface Needs {
  db: Database;
  clock: Clock;
}

/** Nobody waits for these commits: they touch only the import's own rows. */
const limits = { size: 500, least: 50, most: 2_000, targetMs: 200, runMs: 5_000 };

/**
 * Checks every row of a list: valid, invalid with its reasons, duplicate, or passed over. What was
 * checked, and the byte of the file that comes next, are one commit: it does not matter where it dies.
 */
export function importCheckHandler(needs: Needs): WorkHandler {
  return { pausesWhenSuspended: true, run: (context) => runCheck(needs, context) };
}

async function runCheck(needs: Needs, context: WorkContext): Promise<WorkOutcome> {
  const { db } = needs;
  const { accountId, import_id: importId } = payloadOf(context.job);
  const found = await getImport(db, accountId, importId);
  const plan = await planOf(db, found);
  if ((await readImportPart(db, importId, 0)) === null) {
    const message = "The file is kept for 30 days, and has been removed. Upload it again.";
    return { type: "failed", reason: "file_gone", message };
  }
  const read = fileReader(db, importId, plan.reading);
  const saved = checkProgress.safeParse(context.job.progress);
  let progress: CheckProgress = saved.success
    ? saved.data
    : { ...notBegun, total: null, phase: "clearing", at: null };
  if (progress.done === 0) progress = { ...progress, total: plan.reading.lines };
  let tooMany = false;
  const isDone = await runChunks(context, limits, async (size): Promise<ChunkStep> => {
    const startedMs = performance.now();
    const step = await (progress.phase === "clearing"
      ? clear(needs, context, found, progress)
      : checkNext(needs, context, { plan, read, found }, progress, size));
    progress = step.progress;
    tooMany = (progress.at?.row ?? 0) > maxImportRows + (plan.reading.headerRow ?? 0) + 1;
    return { heldMs: performance.now() - startedMs, isLast: step.isLast || tooMany };
  });
  if (tooMany) {
    const message = `The list has more than ${maxImportRows.toLocaleString("en")} rows. Import it in parts.`;
    return { type: "failed", reason: "too_many_rows", message };
  }
  return { type: isDone ? "done" : "chunk", progress };
}

async function planOf(db: Database, found: ImportRow): Promise<CheckPlan> {
  const { reading, mapping } = found;
  const account = await findAccount(db, found.accountId);
  if (reading === null || mapping === null || account === null) throw new VaultError("not_found");
  const settings = importSettings.parse(found.settings);
  return { reading, mapping, settings, currency: account.currency };
}

interface Step {
  progress: CheckProgress;
  isLast: boolean;
}

/** What an earlier check found is forgotten first, some thousand rows at a time. */
async function clear(
  { db, clock }: Needs,
  { saveProgress }: WorkContext,
  found: ImportRow,
  progress: CheckProgress,
): Promise<Step> {
  return db.transaction(async (tx) => {
    const isLeft = await clearImportRows(tx, found.id);
    const next: CheckProgress = isLeft ? progress : { ...progress, phase: "reading" };
    await writeImport(tx, found.id, { verdicts: {} }, clock.now());
    found.verdicts = {};
    await saveProgress(tx, next);
    return { progress: next, isLast: false };
  });
}

interface Place {
  plan: CheckPlan;
  read: ReturnType<typeof fileReader>;
  found: ImportRow;
}

async function checkNext(
  { db, clock }: Needs,
  { saveProgress }: WorkContext,
  { plan, read, found }: Place,
  progress: CheckProgress,
  size: number,
): Promise<Step> {
  const from: FilePlace = progress.at ?? plan.reading.start;
  const { rows, next, isEnd } = await read(from, size);
  const judged = rows.map((row) => judgeRow(row, plan));
  return db.transaction(async (tx) => {
    const checked = await findDuplicates(tx, found, plan, judged);
    await insertImportRows(tx, found.id, checked);
    const counted = advanced(progress, checked, next, isEnd);
    await writeImport(
      tx,
      found.id,
      {
        verdicts: added(found, checked),
        ...(isEnd && { status: "checked" as const }),
      },
      clock.now(),
    );
    await saveProgress(tx, counted);
    return { progress: counted, isLast: isEnd };
  });
}

/** In the inventory as it is now, and among the rows before it. */
async function findDuplicates(
  tx: Transaction,
  found: ImportRow,
  { settings }: CheckPlan,
  judged: readonly JudgedRow[],
): Promise<JudgedRow[]> {
  const valid = judged.filter(({ verdict }) => verdict === "valid");
  const marks = valid.map(({ fields }) => marksOf(fields, settings));
  const matches = await matchCards(tx, found.accountId, marks);
  const keys = marks.map((one) => keysOf(one));
  const first = await claimImportKeys(
    tx,
    found.id,
    keys.flatMap((all, index) => all.map(({ key }) => ({ key, row: valid[index]?.row ?? 0 }))),
  );
  const duplicates = new Map<JudgedRow, JudgedRow>();
  for (const [index, row] of valid.entries()) {
    const match = matchOf(matches[index]);
    const repeated = (keys[index] ?? []).find(({ key }) => (first.get(key) ?? row.row) < row.row);
    const sameAsRow = repeated === undefined ? null : (first.get(repeated.key) ?? null);
    if (row.fields.card_id !== undefined && match?.by !== "card_id") {
      const message = "There is no card with this id in the account.";
      duplicates.set(row, { ...row, verdict: "invalid", problems: [{ column: null, message }] });
    } else if (match !== null) {
      duplicates.set(row, asDuplicate(row, { ...match, sameAsRow }));
    } else if (repeated !== undefined) {
      duplicates.set(row, asDuplicate(row, { cardId: null, by: repeated.by, sameAsRow }));
    }
  }
  return judged.map((row) => duplicates.get(row) ?? row);
}

/** Kept on the import, so that it can be read while the check goes on. */
function added(found: ImportRow, rows: readonly JudgedRow[]): Record<ImportVerdict, number> {
  const counts = countsOf(importVerdicts, found.verdicts);
  for (const { verdict } of rows) counts[verdict] += 1;
  found.verdicts = counts;
  return counts;
}

function advanced(
  progress: CheckProgress,
  rows: readonly JudgedRow[],
  at: FilePlace,
  isEnd: boolean,
): CheckProgress {
  const count = (...verdicts: ImportVerdict[]): number =>
    rows.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const done = progress.done + rows.length;
  return {
    ...progress,
    done,
    total: isEnd ? done : Math.max(progress.total ?? 0, done),
    changed: progress.changed + count("valid"),
    skipped: progress.skipped + count("duplicate", "ignored"),
    failed: progress.failed + count("invalid"),
    at,
  };
}
