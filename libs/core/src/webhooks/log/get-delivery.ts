import { deliveryDetail, deliveryGetInput } from "@cardvault/contract";
import { getDelivery } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const getDeliveryProcedure = session()
  .input(deliveryGetInput)
  .output(deliveryDetail)
  .query(({ ctx, input }) => getDelivery(ctx.services.db, ctx.access.accountId, input.id));
