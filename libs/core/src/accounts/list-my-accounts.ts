import { myAccountsAnswer } from "@cardvault/contract";
import { listMemberships } from "@cardvault/db";
import { personal } from "../procedures.ts";

export const listMyAccountsProcedure = personal
  .output(myAccountsAnswer)
  .query(async ({ ctx: { services, principal } }) => ({
    data: await listMemberships(services.db, principal.userId),
  }));
