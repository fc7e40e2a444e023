import { batch, batchIdInput } from "@cardvault/contract";
import { getBatch } from "@cardvault/db";
import { session } from "../procedures.ts";

export const getBatchProcedure = session()
  .input(batchIdInput)
  .output(batch)
  .query(({ ctx, input }) => getBatch(ctx.services.db, ctx.access.accountId, input.id));
