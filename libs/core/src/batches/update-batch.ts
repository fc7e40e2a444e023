import { batch, batchUpdateInput } from "@cardvault/contract";
import type { Batch, BatchUpdate } from "@cardvault/contract";
import { getBatch } from "@cardvault/db";
import { requireAsRead } from "../as-read.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { batchPatchFrom } from "./batch-patch.ts";
import { changeBatch } from "./change-batch.ts";

/**
 * @throws VaultError `batch_not_found`; `batch_complete`; `validation_failed`; `conflict`;
 * `precondition_failed` where a member is not what was expected of it
 */
function updateBatch(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { id, expected, ...fields }: BatchUpdate,
): Promise<Batch> {
  const patch = batchPatchFrom(fields);
  return changeBatch(services, access, id, async ({ tx, accountId }) => {
    if (expected !== undefined) {
      requireAsRead(await getBatch(tx, accountId, id), expected, "batch");
    }
    return { type: "edit", patch, accountCurrency: access.currency };
  });
}

export const updateBatchProcedure = session()
  .input(batchUpdateInput)
  .output(batch)
  .mutation(({ ctx, input }) => updateBatch(ctx.services, ctx.access, input));
