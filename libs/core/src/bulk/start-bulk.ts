import { bulkStartInput, job } from "@cardvault/contract";
import type { BulkStart, Job } from "@cardvault/contract";
import { findBatchId } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { startBulkJob } from "./start-job.ts";
import type { BulkOrder } from "./start-job.ts";

/**
 * Begins a job that does one thing to many cards. However many they are, it is accepted at once.
 * @throws VaultError `batch_not_found`; `batch_complete`; `idempotency_key_reused`
 */
async function startBulk(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { selection, action, idempotency_key: idempotencyKey }: BulkStart,
): Promise<Job> {
  return startBulkJob(services, access, {
    kind: `bulk.${action.type}`,
    work: action,
    selection,
    batch: await batchOf(services, access, { selection, action }),
    idempotencyKey,
  });
}

/** The batch that a job puts cards into or takes them out of, else the one that its filter names alone. */
async function batchOf(
  { db }: Pick<Services, "db">,
  { accountId }: Access,
  { selection, action }: Pick<BulkStart, "selection" | "action">,
): Promise<BulkOrder["batch"]> {
  const changesMembership = action.type === "put_in_batch" || action.type === "remove_from_batch";
  const named = changesMembership ? action.batch_id : undefined;
  if (named !== undefined) return { id: named, changesMembership };
  const [wanted, ...others] = "filter" in selection ? (selection.filter.batch ?? []) : [];
  if (wanted === undefined || others.length > 0) return undefined;
  const id = await findBatchId(db, accountId, wanted);
  return id === null ? undefined : { id, changesMembership };
}

export const startBulkProcedure = session()
  .input(bulkStartInput)
  .output(job)
  .mutation(({ ctx, input }) => startBulk(ctx.services, ctx.access, input));
