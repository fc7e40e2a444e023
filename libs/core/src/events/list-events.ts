import { eventListAnswer, eventListInput } from "@cardvault/contract";
import { listEvents } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listEventsProcedure = session()
  .input(eventListInput)
  .output(eventListAnswer)
  .query(({ ctx, input }) => listEvents(ctx.services.db, ctx.access.accountId, input));
