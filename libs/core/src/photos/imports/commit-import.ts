import { job, photoImportCommitInput, VaultError } from "@cardvault/contract";
import type { Job, PhotoImportCommit } from "@cardvault/contract";
import {
  changeAccount,
  enqueueJob,
  lockPhotoImport,
  readImportFiles,
  readJob,
  workChannel,
  writeArrangement,
  writePhotoImport,
} from "@cardvault/db";
import type { AccountUnit, PhotoImportFileRow, PhotoImportRow } from "@cardvault/db";
import { arrangement, decideBatch, settled } from "@cardvault/domain";
import type { Access } from "../../context.ts";
import { jobAnswer } from "../../jobs/job-answer.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { isMissing } from "./preview-import.ts";
import { photoImportKind } from "./run-import.ts";

/**
 * Makes the cards of an import, by a job: a bounded number in each commit, each exactly once. An import
 * whose job was cancelled or has failed goes on where it stopped.
 * @throws VaultError `not_found`; `batch_complete`; `conflict` for an import that has no cards to make,
 * whose files are not all here, that has leftovers, or whose job is at work
 */
function commitImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { id, leave_out_leftovers: leavesOut }: PhotoImportCommit,
): Promise<Job> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { tx } = unit;
    const found = await lockPhotoImport(tx, accountId, id);
    await requireIdle(unit, found);
    const files = await readImportFiles(tx, id);
    const waiting = files.filter(({ cardId }) => cardId === null);
    requireReady(found, waiting, leavesOut);
    const batch = await unit.batches.get(found.batchId);
    const { state } = decideBatch(batch, { type: "job_started", kind: "membership" }, unit.stamp);
    unit.batches.save(state);
    // From here on the pairs are what the rows say, whatever the rule would make of them.
    await writeArrangement(tx, id, settled(waiting, found.pairing));
    const now = clock.now();
    const jobId = await enqueueJob(
      tx,
      {
        kind: photoImportKind,
        accountId,
        payload: { import_id: id },
        createdBy: access.actor.id ?? undefined,
        subjectId: found.batchId,
        batchId: found.batchId,
        changesMembership: true,
      },
      now,
    );
    await writePhotoImport(tx, id, { status: "committing", jobId }, now);
    tx.afterCommit(() => db.notify(workChannel));
    const row = await readJob(tx, jobId);
    if (row === undefined) throw new VaultError("internal_error");
    return jobAnswer(row);
  });
}

async function requireIdle({ tx }: AccountUnit, found: PhotoImportRow): Promise<void> {
  if (found.status === "open") return;
  const last = found.jobId === null ? undefined : await readJob(tx, found.jobId);
  const hasStopped = last?.status === "failed" || last?.status === "cancelled";
  if (found.status === "done" || !hasStopped) {
    throw new VaultError("conflict", {
      message:
        found.status === "done"
          ? "The cards of this import have been made."
          : "The cards of this import are being made.",
    });
  }
}

function requireReady(
  { pairing }: PhotoImportRow,
  files: readonly PhotoImportFileRow[],
  leavesOut: boolean,
): void {
  const missing = files.filter(isMissing).length;
  if (missing > 0) throw notReady(`${missing} announced files have not been uploaded.`);
  const { groups, leftovers } = arrangement(files, pairing);
  if (leftovers.length > 0 && !leavesOut) {
    throw notReady(`${leftovers.length} files belong to no card: pair, drop or leave them out.`);
  }
  if (groups.length === 0) throw notReady("The import has no cards to make.");
}

function notReady(message: string): VaultError {
  return new VaultError("conflict", { message });
}

export const commitImportProcedure = session()
  .input(photoImportCommitInput)
  .output(job)
  .mutation(({ ctx, input }) => commitImport(ctx.services, ctx.access, input));
