import {
  cardAnchorsAnswer,
  cardAnchorsInput,
  cardIdsAnswer,
  cardIdsInput,
} from "@cardvault/contract";
import { listCardAnchors, listCardIds } from "@cardvault/db";
import { session } from "../procedures.ts";

export const cardIdsProcedure = session()
  .input(cardIdsInput)
  .output(cardIdsAnswer)
  .query(({ ctx, input }) => listCardIds(ctx.services.db, ctx.access.accountId, input));

export const cardAnchorsProcedure = session()
  .input(cardAnchorsInput)
  .output(cardAnchorsAnswer)
  .query(({ ctx, input }) => listCardAnchors(ctx.services.db, ctx.access.accountId, input));
