import { batch, batchIdInput } from "@cardvault/contract";
import { session } from "../procedures.ts";
import { changeBatch } from "./change-batch.ts";

export const completeBatchProcedure = session()
  .input(batchIdInput)
  .output(batch)
  .mutation(({ ctx, input }) =>
    changeBatch(ctx.services, ctx.access, input.id, { type: "complete" }),
  );
