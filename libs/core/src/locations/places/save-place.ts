import { place, placeSaveInput } from "@cardvault/contract";
import { savePlace } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const savePlaceProcedure = session()
  .input(placeSaveInput)
  .output(place)
  .mutation(({ ctx: { services, access }, input }) =>
    savePlace(services.db, access.accountId, input, services.clock.now()),
  );
