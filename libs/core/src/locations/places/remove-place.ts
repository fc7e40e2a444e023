import { placeIdInput, placeRemoveAnswer } from "@cardvault/contract";
import { removePlace } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const removePlaceProcedure = session()
  .input(placeIdInput)
  .output(placeRemoveAnswer)
  .mutation(async ({ ctx: { services, access }, input: { path } }) => {
    await removePlace(services.db, access.accountId, path);
    return { path };
  });
