import { deliveryListAnswer, deliveryListInput } from "@cardvault/contract";
import { listDeliveries } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const listDeliveriesProcedure = session()
  .input(deliveryListInput)
  .output(deliveryListAnswer)
  .query(({ ctx, input }) => listDeliveries(ctx.services.db, ctx.access.accountId, input));
