import { batch, batchCompleteInput } from "@cardvault/contract";
import type { Batch } from "@cardvault/contract";
import { countUnfinished } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { changeBatch } from "./change-batch.ts";

/**
 * Completes a batch. What its cards lack is counted in the same change, so that nobody acknowledges less
 * than there is.
 * @throws VaultError `batch_not_found`; `batch_complete`; `conflict` while an import or a change of
 * membership runs, and for unfinished cards that are not acknowledged: `details` count them
 */
function completeBatch(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { id, acknowledged = false }: { id: string; acknowledged?: boolean | undefined },
): Promise<Batch> {
  return changeBatch(services, access, id, async (unit) => {
    const left = acknowledged ? [] : await countUnfinished(unit.tx, access.accountId, id);
    return { type: "complete", left, acknowledged };
  });
}

export const completeBatchProcedure = session()
  .input(batchCompleteInput)
  .output(batch)
  .mutation(({ ctx, input }) => completeBatch(ctx.services, ctx.access, input));
