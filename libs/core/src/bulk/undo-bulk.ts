import { bulkUndoInput, job, VaultError } from "@cardvault/contract";
import type { Job } from "@cardvault/contract";
import { hasChangedItems, readJob } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { bulkUndoKind, readBulkJob } from "./bulk-job.ts";
import { startBulkJob } from "./start-job.ts";
import { hasUndo } from "./undoable.ts";

const endings = ["done", "failed", "cancelled"];

/**
 * Begins a job that gives each card back what another job replaced, where the card still has that job's
 * value; the others are skipped, and say so. An undo can be undone. Events that were sent stay sent. What was
 * published is ended.
 * @throws VaultError `not_found`; `conflict` while the job has not ended; `invalid_transition` for a job
 * that changes no cards, or whose cards are not kept any longer; `batch_complete`
 */
async function undoBulk(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { id, idempotencyKey }: { id: string; idempotencyKey: string | undefined },
): Promise<Job> {
  const undone = isId("job", id) ? await readJob(services.db, id) : undefined;
  if (undone?.accountId !== access.accountId) throw new VaultError("not_found");
  if (!hasUndo(undone)) {
    throw new VaultError("invalid_transition", { message: "This job cannot be undone." });
  }
  if (!endings.includes(undone.status)) {
    throw new VaultError("conflict", { message: "The job has not ended yet." });
  }
  if (readBulkJob(undone).progress.changed > 0 && !(await hasChangedItems(services.db, id))) {
    const message = "What the job has changed is not kept any longer.";
    throw new VaultError("invalid_transition", { message });
  }
  return startBulkJob(services, access, {
    kind: bulkUndoKind,
    work: {
      type: undone.kind === "bulk.publish_listings" ? "end_published" : "undo",
      job_id: id,
    },
    selection: { changed_by: id },
    batch:
      undone.batchId === null
        ? undefined
        : { id: undone.batchId, changesMembership: undone.changesMembership },
    subjectId: id,
    idempotencyKey,
  });
}

export const undoBulkProcedure = session()
  .input(bulkUndoInput)
  .output(job)
  .mutation(({ ctx, input }) =>
    undoBulk(ctx.services, ctx.access, { id: input.id, idempotencyKey: input.idempotency_key }),
  );
