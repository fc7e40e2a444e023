import { overviewAnswer } from "@cardvault/contract";
import { readOverview } from "@cardvault/db";
import { session } from "../procedures.ts";

export const overviewProcedure = session()
  .output(overviewAnswer)
  .query(({ ctx }) => readOverview(ctx.services.db, ctx.access.accountId));
