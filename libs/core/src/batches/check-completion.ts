import { batchIdInput, completionCheck } from "@cardvault/contract";
import { readCompletionCheck } from "@cardvault/db";
import { session } from "../procedures.ts";

export const completionCheckProcedure = session()
  .input(batchIdInput)
  .output(completionCheck)
  .query(({ ctx, input }) => readCompletionCheck(ctx.services.db, ctx.access.accountId, input.id));
