import { batchIdInput, batchProgress } from "@cardvault/contract";
import { readBatchProgress } from "@cardvault/db";
import { session } from "../procedures.ts";

export const batchProgressProcedure = session()
  .input(batchIdInput)
  .output(batchProgress)
  .query(({ ctx, input }) => readBatchProgress(ctx.services.db, ctx.access.accountId, input.id));
