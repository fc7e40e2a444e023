import { attemptListAnswer, attemptListInput } from "@cardvault/contract";
import { countAttempts, listAttempts } from "@cardvault/db";
import { withTotal } from "../../lists.ts";
import { session } from "../../procedures.ts";

export const listAttemptsProcedure = session()
  .input(attemptListInput)
  .output(attemptListAnswer)
  .query(({ ctx: { services, access }, input }) =>
    withTotal(input, listAttempts(services.db, access.accountId, input), () =>
      countAttempts(services.db, access.accountId, input),
    ),
  );
