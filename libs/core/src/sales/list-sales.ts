import { salesListAnswer, salesListInput } from "@cardvault/contract";
import { listSales } from "@cardvault/db";
import { session } from "../procedures.ts";

export const salesListProcedure = session()
  .input(salesListInput)
  .output(salesListAnswer)
  .query(({ ctx: { services, access }, input }) => listSales(services.db, access.accountId, input));
