import { runListAnswer, runListInput } from "@cardvault/contract";
import { listRuns } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listRunsProcedure = session()
  .input(runListInput)
  .output(runListAnswer)
  .query(async ({ ctx, input }) => ({
    data: await listRuns(ctx.services.db, ctx.access.accountId, input.limit),
  }));
