import { attemptListAnswer, attemptListInput } from "@cardvault/contract";
import { listAttempts } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const listAttemptsProcedure = session()
  .input(attemptListInput)
  .output(attemptListAnswer)
  .query(({ ctx, input }) => listAttempts(ctx.services.db, ctx.access.accountId, input));
