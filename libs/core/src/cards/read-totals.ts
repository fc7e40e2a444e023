import { cardTotals, cardTotalsInput } from "@cardvault/contract";
import { readTotals } from "@cardvault/db";
import { session } from "../procedures.ts";

export const cardTotalsProcedure = session()
  .input(cardTotalsInput)
  .output(cardTotals)
  .query(({ ctx: { services, access }, input }) =>
    readTotals(services.db, access.accountId, access.currency, input.filter),
  );
