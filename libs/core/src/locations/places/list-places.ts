import { placeListAnswer, placeListInput } from "@cardvault/contract";
import { listPlaces } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const listPlacesProcedure = session()
  .input(placeListInput)
  .output(placeListAnswer)
  .query(({ ctx, input }) => listPlaces(ctx.services.db, ctx.access.accountId, input));
