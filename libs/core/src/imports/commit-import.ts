import { VaultError } from "@cardvault/contract";
import {
  enqueueJob,
  getImport,
  markImportRows,
  readRowsToImport,
  workChannel,
  writeImport,
  addOutcomes,
} from "@cardvault/db";
import type { Database, RowMark, StagedRow } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { chunkLimits, runChunks } from "../bulk/run-chunks.ts";
import type { ChunkStep } from "../bulk/run-chunks.ts";
import { settleBatch } from "../bulk/settle-batches.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "../work/handler.ts";
import { commitRows, sentenceOf, tally, tryRows } from "./commit-rows.ts";
import type { Committed, CommitRun } from "./commit-rows.ts";
import {
  behindAllRows,
  commitProgress,
  importUndoKind,
  notBegun,
  payloadOf,
} from "./import-job.ts";
import type { CommitProgress } from "./import-job.ts";

interface Needs {
  db: Database;
  clock: Clock;
}

/**
 * Makes the rows of a checked list cards, in chunks of about a tenth of a second. With all or nothing every
 * row is tried first, and where one is refused later all the same, what was made is undone by a job.
 */
export function importCommitHandler(needs: Needs): WorkHandler {
  return {
    pausesWhenSuspended: true,
    run: (context) => runImport(needs, context),
    ended: async ({ accountId, batchId }) => {
      if (accountId !== null && batchId !== null) await settleBatch(needs, { accountId, batchId });
    },
  };
}

async function runImport({ db, clock }: Needs, context: WorkContext): Promise<WorkOutcome> {
  const { accountId, import_id: importId, actor } = payloadOf(context.job);
  const found = await getImport(db, accountId, importId);
  const run: CommitRun = { db, clock, context, found, actor };
  const isAll = found.mode === "all_or_nothing";
  const saved = commitProgress.safeParse(context.job.progress);
  let progress: CommitProgress = saved.success
    ? saved.data
    : { ...notBegun, total: null, phase: isAll ? "proving" : "importing", after: 0 };
  let refused: RowMark | undefined;
  const isDone = await runChunks(context, chunkLimits, async (size): Promise<ChunkStep> => {
    const page = { after: progress.after, limit: size };
    const rows = await readRowsToImport(db, importId, page);
    if (rows.length === 0 && progress.phase === "importing") {
      await writeImport(db, importId, { status: "imported" }, clock.now());
      return { heldMs: 0, isLast: true };
    }
    if (rows.length === 0) {
      progress = { ...progress, phase: "importing", after: 0, done: 0 };
      await context.saveProgress(db, progress);
      return { heldMs: 0, isLast: false };
    }
    const step = await (progress.phase === "proving"
      ? proveNext(run, rows, progress)
      : commitNext(run, rows, progress));
    progress = step.progress;
    refused = isAll ? step.marks.find(({ outcome }) => outcome === "failed") : undefined;
    return {
      heldMs: step.heldMs,
      isLast: refused !== undefined,
      mustStop: step.isSuspended,
    };
  });
  if (refused !== undefined) return giveUp(run, progress, refused);
  return { type: isDone ? "done" : "chunk", progress };
}

type Step = Committed & { progress: CommitProgress };

async function proveNext(
  run: CommitRun,
  rows: readonly StagedRow[],
  before: CommitProgress,
): Promise<Step> {
  const tried = await tryRows(run, rows);
  const progress = {
    ...before,
    after: rows.at(-1)?.row ?? before.after,
    done: before.done + rows.length,
  };
  await run.context.saveProgress(run.db, progress);
  return { ...tried, progress };
}

async function commitNext(
  run: CommitRun,
  rows: readonly StagedRow[],
  before: CommitProgress,
): Promise<Step> {
  try {
    let progress = before;
    const committed = await commitRows(run, rows, (marks) => {
      progress = advanced(before, marks);
      return progress;
    });
    return { ...committed, progress };
  } catch (error) {
    if (!isOfRows(error)) throw error;
    const { logger } = run.context;
    logger.warn({ err: error, rows: rows.length }, "rows of an import are done one by one");
    return oneByOne(run, rows, before);
  }
}

/** Where the database refuses a chunk, each of its rows is a chunk, and the one that is refused says so. */
async function oneByOne(
  run: CommitRun,
  rows: readonly StagedRow[],
  before: CommitProgress,
): Promise<Step> {
  let step: Step = { marks: [], heldMs: 0, isSuspended: false, progress: before };
  for (const row of rows) {
    const { marks, progress } = step;
    try {
      let next = progress;
      const one = await commitRows(run, [row], (made) => {
        next = advanced(progress, made);
        return next;
      });
      step = { ...one, marks: [...marks, ...one.marks], progress: next };
    } catch (error) {
      if (!isOfRows(error)) throw error;
      run.context.logger.warn({ err: error, row: row.row }, "a row of an import was refused");
      const known = error instanceof VaultError ? error : new VaultError("internal_error");
      const problems = [{ column: null, message: sentenceOf(known) }];
      const mark = {
        row: row.row,
        outcome: "failed",
        cardId: null,
        changedAt: null,
        problems,
      } as const;
      const next = await markRefused(run, progress, mark);
      step = { marks: [...marks, mark], heldMs: 0, isSuspended: false, progress: next };
    }
    if (step.isSuspended) break;
  }
  return step;
}

/** Throws where it was not the row's fault, but another run has taken the job over. */
function markRefused(
  { db, clock, context, found }: CommitRun,
  before: CommitProgress,
  mark: RowMark,
): Promise<CommitProgress> {
  return db.transaction(async (tx) => {
    const next = advanced(before, [mark]);
    await context.saveProgress(tx, next);
    await markImportRows(tx, found.id, [mark], null);
    await addOutcomes(tx, found.id, tally([mark]), clock.now());
    return next;
  });
}

/** A database that is away is no row's fault: the run ends, and is repeated. */
function isOfRows(error: unknown): boolean {
  return !(error instanceof VaultError && error.code === "service_unavailable");
}

function advanced(progress: CommitProgress, marks: readonly RowMark[]): CommitProgress {
  const { created = 0, updated = 0, added = 0, skipped = 0, failed = 0 } = tally(marks);
  return {
    ...progress,
    after: marks.at(-1)?.row ?? progress.after,
    done: progress.done + marks.length,
    changed: progress.changed + created + updated + added,
    skipped: progress.skipped + skipped,
    failed: progress.failed + failed,
  };
}

/** All or nothing, and a row was refused: nothing, by undoing what there is already. */
async function giveUp(
  { db, clock, found, context, actor }: CommitRun,
  progress: CommitProgress,
  { row, problems }: RowMark,
): Promise<WorkOutcome> {
  const message = `Row ${row}: ${problems[0]?.message ?? "The row was refused."} Nothing is kept.`;
  const now = clock.now();
  await db.transaction(async (tx) => {
    await context.saveProgress(tx, progress);
    if (progress.phase === "proving") {
      // Nothing was made: it can be started again, or in the other mode.
      await writeImport(tx, found.id, { status: "checked" }, now);
      return;
    }
    const jobId = await enqueueJob(
      tx,
      {
        kind: importUndoKind,
        accountId: found.accountId,
        payload: { import_id: found.id, actor },
        createdBy: actor.id ?? undefined,
        subjectId: found.id,
        batchId: found.batchId ?? undefined,
        progress: { ...notBegun, total: progress.changed, before: behindAllRows },
      },
      now,
    );
    await writeImport(tx, found.id, { status: "undoing", jobId }, now);
    tx.afterCommit(() => db.notify(workChannel));
  });
  return { type: "failed", reason: "row_refused", message };
}
