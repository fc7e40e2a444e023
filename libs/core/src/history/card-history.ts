import { cardHistoryAnswer, cardHistoryInput } from "@cardvault/contract";
import { listCardHistory } from "@cardvault/db";
import { session } from "../procedures.ts";

export const cardHistoryProcedure = session()
  .input(cardHistoryInput)
  .output(cardHistoryAnswer)
  .query(({ ctx, input }) => listCardHistory(ctx.services.db, ctx.access.accountId, input));
