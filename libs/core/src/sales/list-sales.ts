import { salesListAnswer, salesListInput } from "@cardvault/contract";
import { countLedger, listSales } from "@cardvault/db";
import { withTotal } from "../lists.ts";
import { session } from "../procedures.ts";

export const salesListProcedure = session()
  .input(salesListInput)
  .output(salesListAnswer)
  .query(({ ctx: { services, access }, input }) =>
    withTotal(input, listSales(services.db, access.accountId, input), () =>
      countLedger(services.db, access.accountId, input),
    ),
  );
