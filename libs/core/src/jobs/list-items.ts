import { jobItemsAnswer, jobItemsInput } from "@cardvault/contract";
import { listJobItems } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listItemsProcedure = session()
  .input(jobItemsInput)
  .output(jobItemsAnswer)
  .query(({ ctx, input }) => listJobItems(ctx.services.db, ctx.access.accountId, input));
