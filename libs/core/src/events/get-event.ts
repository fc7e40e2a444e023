import { eventDetail, eventGetInput } from "@cardvault/contract";
import { getEvent } from "@cardvault/db";
import { session } from "../procedures.ts";

export const getEventProcedure = session()
  .input(eventGetInput)
  .output(eventDetail)
  .query(({ ctx, input }) => getEvent(ctx.services.db, ctx.access.accountId, input.id));
