import { removeMemberInput } from "@cardvault/contract";
import { deleteMember } from "@cardvault/db";
import type { Access } from "../../context.ts";
import { principalsChannel } from "../../keys/principal-cache.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { requireMemberThatCanChange } from "./keep-an-owner.ts";

/** @throws VaultError `not_found`; `conflict` for the last owner. */
function removeMember(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { user_id: userId }: { user_id: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const found = await requireMemberThatCanChange(tx, access.accountId, userId, false);
    await deleteMember(tx, access.accountId, userId);
    await writeTrail(tx, access, clock.now(), "member.removed", null, {
      user_id: userId,
      email: found.email,
    });
    tx.afterCommit(() => db.notify(principalsChannel));
  });
}

export const removeMemberProcedure = session("owner")
  .input(removeMemberInput)
  .mutation(({ ctx, input }) => removeMember(ctx.services, ctx.access, input));
