import { cardSalesAnswer, cardSalesInput, VaultError } from "@cardvault/contract";
import { hasCard, listHandSales } from "@cardvault/db";
import { session } from "../procedures.ts";

export const cardSalesProcedure = session()
  .input(cardSalesInput)
  .output(cardSalesAnswer)
  .query(async ({ ctx: { services, access }, input: { id } }) => {
    if (!(await hasCard(services.db, access.accountId, id))) throw new VaultError("card_not_found");
    return { data: await listHandSales(services.db, access.accountId, id) };
  });
