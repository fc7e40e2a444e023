import { cardImport, importStartInput, VaultError } from "@cardvault/contract";
import type { CardImport } from "@cardvault/contract";
import {
  changeAccount,
  enqueueJob,
  getImport,
  lockImport,
  workChannel,
  writeImport,
} from "@cardvault/db";
import type { AccountUnit, ImportRow } from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { BatchState } from "@cardvault/domain";
import type * as z from "zod";
import { newBatch } from "../batches/create-batch.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { importAnswer, importStatus } from "./import-answer.ts";
import { importCommitKind, notBegun } from "./import-job.ts";

type Input = z.output<typeof importStartInput>;

/**
 * Begins to make the checked rows cards, in the background; or goes on with an import that has stopped.
 * @throws VaultError `not_found`; `batch_not_found`; `batch_complete`; `conflict` before the check has
 * ended, where nothing can be imported, and with all or nothing where a row is invalid
 */
async function startImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  input: Input,
): Promise<CardImport> {
  const { accountId, actor } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { tx } = unit;
    const found = await lockImport(tx, accountId, input.id);
    const total = requireStartable(found, input);
    const batch = await batchFor(unit, found, input);
    const batchId = batch?.id ?? null;
    const mode = importStatus(found) === "stopped" ? (found.mode ?? input.mode) : input.mode;
    const now = clock.now();
    const jobId = await enqueueJob(
      tx,
      {
        kind: importCommitKind,
        accountId,
        payload: { import_id: input.id, actor },
        createdBy: actor.id ?? undefined,
        subjectId: input.id,
        batchId: batchId ?? undefined,
        changesMembership: batchId !== null,
        progress: {
          ...notBegun,
          total,
          phase: mode === "all_or_nothing" ? "proving" : "importing",
          after: 0,
        },
      },
      now,
    );
    await writeImport(tx, input.id, { status: "importing", mode, batchId, jobId }, now);
    tx.afterCommit(() => db.notify(workChannel));
    return importAnswer(await getImport(tx, accountId, input.id));
  });
}

/** @returns how many rows there are to import */
function requireStartable(found: ImportRow, { mode }: Input): number {
  const refuse = (message: string): never => {
    throw new VaultError("conflict", { message });
  };
  const { valid = 0, invalid = 0, duplicate = 0 } = found.verdicts;
  const done = Object.values(found.outcomes).reduce((sum, count) => sum + count, 0);
  const status = importStatus(found);
  if (status === "stopped" && found.status === "undoing") refuse("The import is being undone.");
  if (status === "imported") refuse("The list has been imported.");
  if (status !== "checked" && status !== "stopped") refuse("The list has not been checked.");
  if (mode === "all_or_nothing" && invalid > 0) {
    refuse(`${invalid} of the rows ${invalid === 1 ? "is" : "are"} invalid.`);
  }
  const total = valid + duplicate - done;
  if (total <= 0) refuse("There is no row that could be imported.");
  return total;
}

/** The batch, which is processing from now on. An import that goes on keeps the one that it has. */
async function batchFor(
  unit: AccountUnit,
  found: ImportRow,
  { batch_id, new_batch }: Input,
): Promise<BatchState | null> {
  const isGoingOn = importStatus(found) === "stopped";
  const id = isGoingOn ? found.batchId : (batch_id ?? null);
  if (id === null && (new_batch === undefined || isGoingOn)) return null;
  const batch =
    id === null ? await newBatch(unit, new_batch ?? { name: "" }) : await unit.batches.get(id);
  const { state } = decideBatch(batch, { type: "job_started", kind: "membership" }, unit.stamp);
  unit.batches.save(state);
  await unit.tx.em.flush();
  return state;
}

export const startImportProcedure = session()
  .input(importStartInput)
  .output(cardImport)
  .mutation(({ ctx, input }) => startImport(ctx.services, ctx.access, input));
