import { locationSuggestAnswer, locationSuggestInput } from "@cardvault/contract";
import { suggestLocations } from "@cardvault/db";
import { session } from "../procedures.ts";

export const suggestLocationsProcedure = session()
  .input(locationSuggestInput)
  .output(locationSuggestAnswer)
  .query(({ ctx, input }) => suggestLocations(ctx.services.db, ctx.access.accountId, input));
