import { jobProgress } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import type { JobRow } from "@cardvault/db";

const notBegun = {
  total: null,
  done: 0,
  changed: 0,
  skipped: 0,
  failed: 0,
  in_review: 0,
  waiting: null,
};

/** What an account sees of its job. Members of the progress that only the handler needs stay inside. */
export function jobAnswer(row: JobRow): Job {
  const progress = jobProgress.strip().safeParse(row.progress);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    subject_id: row.subjectId,
    is_cancelling: row.cancelRequestedAt !== null && row.finishedAt === null,
    progress: progress.success ? progress.data : notBegun,
    error: row.error,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}
