import { cardImport, importIdInput, VaultError } from "@cardvault/contract";
import type { CardImport } from "@cardvault/contract";
import {
  changeAccount,
  enqueueJob,
  getImport,
  lockImport,
  workChannel,
  writeImport,
} from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { importAnswer, importStatus } from "./import-answer.ts";
import { behindAllRows, importUndoKind, notBegun } from "./import-job.ts";

/**
 * Begins to take an import back, in the background; or goes on with an undo that has stopped.
 * @throws VaultError `not_found`; `conflict` where nothing was imported, or while it is
 */
async function undoImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<CardImport> {
  const { accountId, actor } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { tx } = unit;
    const found = await lockImport(tx, accountId, id);
    const { created = 0, updated = 0, added = 0 } = found.outcomes;
    if (!["imported", "stopped"].includes(importStatus(found))) {
      throw new VaultError("conflict", { message: "There is nothing to undo at this moment." });
    }
    const { batchId } = found;
    if (batchId !== null) {
      // Which cards are in the batch stays: they are archived in it.
      const batch = await unit.batches.get(batchId);
      unit.batches.save(
        decideBatch(batch, { type: "job_started", kind: "cards" }, unit.stamp).state,
      );
      await tx.em.flush();
    }
    const now = clock.now();
    const jobId = await enqueueJob(
      tx,
      {
        kind: importUndoKind,
        accountId,
        payload: { import_id: id, actor },
        createdBy: actor.id ?? undefined,
        subjectId: id,
        batchId: batchId ?? undefined,
        progress: { ...notBegun, total: created + updated + added, before: behindAllRows },
      },
      now,
    );
    await writeImport(tx, id, { status: "undoing", jobId }, now);
    tx.afterCommit(() => db.notify(workChannel));
    return importAnswer(await getImport(tx, accountId, id));
  });
}

export const undoImportProcedure = session()
  .input(importIdInput)
  .output(cardImport)
  .mutation(({ ctx, input }) => undoImport(ctx.services, ctx.access, input.id));
