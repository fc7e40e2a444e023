import { batchList, batchListQuery } from "@cardvault/contract";
import { listBatches } from "@cardvault/db";
import { compiled, documented } from "../procedures.ts";

export const listBatchesProcedure = documented({
  openapi: { method: "GET", path: "/batches", summary: "List batches", tags: ["Batches"] },
  limitClass: "read",
  scopes: ["batches:read"],
})
  .input(batchListQuery)
  .output(compiled(batchList))
  .query(({ ctx, input }) => listBatches(ctx.services.db, ctx.access.accountId, input));
