import { salesSummary, salesSummaryInput } from "@cardvault/contract";
import { summariseSales } from "@cardvault/db";
import { session } from "../procedures.ts";

export const salesSummaryProcedure = session()
  .input(salesSummaryInput)
  .output(salesSummary)
  .query(({ ctx: { services, access }, input }) =>
    summariseSales(services.db, access.accountId, input, access.currency),
  );
