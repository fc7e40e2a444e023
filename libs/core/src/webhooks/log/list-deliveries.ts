import { deliveryListAnswer, deliveryListInput } from "@cardvault/contract";
import { countDeliveries, listDeliveries } from "@cardvault/db";
import { withTotal } from "../../lists.ts";
import { session } from "../../procedures.ts";

export const listDeliveriesProcedure = session()
  .input(deliveryListInput)
  .output(deliveryListAnswer)
  .query(({ ctx: { services, access }, input }) =>
    withTotal(input, listDeliveries(services.db, access.accountId, input), () =>
      countDeliveries(services.db, access.accountId, input),
    ),
  );
