import { memberListAnswer } from "@cardvault/contract";
import { listInvitations, listMembers } from "@cardvault/db";
import { session } from "../../procedures.ts";

export const listMembersProcedure = session("owner")
  .output(memberListAnswer)
  .query(async ({ ctx: { services, access } }) => ({
    data: await listMembers(services.db, access.accountId),
    invitations: await listInvitations(services.db, access.accountId, services.clock.now()),
  }));
