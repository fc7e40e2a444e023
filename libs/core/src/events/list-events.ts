import { eventListAnswer, eventListInput } from "@cardvault/contract";
import { countListedEvents, listEvents } from "@cardvault/db";
import { withTotal } from "../lists.ts";
import { session } from "../procedures.ts";

export const listEventsProcedure = session()
  .input(eventListInput)
  .output(eventListAnswer)
  .query(({ ctx: { services, access }, input }) =>
    withTotal(input, listEvents(services.db, access.accountId, input), () =>
      countListedEvents(services.db, access.accountId, input),
    ),
  );
