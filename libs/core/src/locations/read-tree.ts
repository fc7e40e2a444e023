import { locationTree, locationTreeInput } from "@cardvault/contract";
import { readLocationTree } from "@cardvault/db";
import { session } from "../procedures.ts";

export const locationTreeProcedure = session()
  .input(locationTreeInput)
  .output(locationTree)
  .query(({ ctx, input }) => readLocationTree(ctx.services.db, ctx.access.accountId, input));
