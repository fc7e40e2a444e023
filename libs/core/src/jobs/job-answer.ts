import { jobProgress } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import { findJobsWithItems } from "@cardvault/db";
import type { Database, JobRow } from "@cardvault/db";
import { hasUndo } from "../bulk/undoable.ts";

const notBegun = {
  total: null,
  done: 0,
  changed: 0,
  skipped: 0,
  failed: 0,
  in_review: 0,
  waiting: null,
};

/**
 * What an account sees of its job. Members of the progress that only the handler needs stay inside. For one that
 * ended long ago {@link jobAnswers}, which knows whether its cards are still kept.
 */
export function jobAnswer(row: JobRow): Job {
  const parsed = jobProgress.strip().safeParse(row.progress);
  const progress = parsed.success ? parsed.data : notBegun;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    subject_id: row.subjectId,
    created_by: row.createdBy,
    is_cancelling: row.cancelRequestedAt !== null && row.finishedAt === null,
    can_undo: row.finishedAt !== null && progress.changed > 0 && hasUndo(row),
    progress,
    error: row.error,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** Of each job what an account sees of it, however long ago it ended: without its cards there is no undo. */
export async function jobAnswers(db: Database, rows: readonly JobRow[]): Promise<Job[]> {
  const answers = rows.map(jobAnswer);
  const asked = answers.filter(({ can_undo: canUndo }) => canUndo).map(({ id }) => id);
  if (asked.length === 0) return answers;
  const kept = await findJobsWithItems(db, asked);
  return answers.map((job) => ({ ...job, can_undo: job.can_undo && kept.has(job.id) }));
}
