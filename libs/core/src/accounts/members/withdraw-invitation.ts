import { invitation, VaultError, withdrawInput } from "@cardvault/contract";
import type { Invitation } from "@cardvault/contract";
import { deleteInvitation, lockAccount } from "@cardvault/db";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Ends an invitation whose link was not used yet.
 * @throws VaultError `not_found`
 */
function withdrawInvitation(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
): Promise<Invitation> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, access.accountId);
    const ended = uuid.test(id) ? await deleteInvitation(tx, access.accountId, id) : null;
    if (ended === null) throw new VaultError("not_found");
    const details = { email: ended.email, role: ended.role };
    await writeTrail(tx, access, clock.now(), "member.invitation_withdrawn", null, details);
    return ended;
  });
}

export const withdrawInvitationProcedure = session("owner")
  .input(withdrawInput)
  .output(invitation)
  .mutation(({ ctx, input }) => withdrawInvitation(ctx.services, ctx.access, input.id));
