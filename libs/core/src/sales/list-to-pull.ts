import { pullAnswer, pullInput } from "@cardvault/contract";
import { listToPull } from "@cardvault/db";
import { session } from "../procedures.ts";

export const salesToPullProcedure = session()
  .input(pullInput)
  .output(pullAnswer)
  .query(({ ctx: { services, access }, input }) =>
    listToPull(services.db, access.accountId, input, services.photoUrls.urlOf),
  );
