import { keyListAnswer } from "@cardvault/contract";
import { listKeys } from "@cardvault/db";
import { session } from "../procedures.ts";

export const listKeysProcedure = session("owner")
  .output(keyListAnswer)
  .query(async ({ ctx: { services, access } }) => ({
    data: await listKeys(services.db, access.accountId, services.clock.now()),
  }));
