import { salesListingsAnswer, salesListingsInput } from "@cardvault/contract";
import { listSalesListings } from "@cardvault/db";
import { session } from "../procedures.ts";

export const salesListingsProcedure = session()
  .input(salesListingsInput)
  .output(salesListingsAnswer)
  .query(({ ctx: { services, access }, input }) =>
    listSalesListings(services.db, access.accountId, input, services.photoUrls.urlOf),
  );
