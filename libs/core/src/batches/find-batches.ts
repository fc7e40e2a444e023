import { batchFindAnswer, batchFindInput } from "@cardvault/contract";
import { findBatches } from "@cardvault/db";
import { session } from "../procedures.ts";

export const findBatchesProcedure = session()
  .input(batchFindInput)
  .output(batchFindAnswer)
  .query(({ ctx, input }) => findBatches(ctx.services.db, ctx.access.accountId, input));
