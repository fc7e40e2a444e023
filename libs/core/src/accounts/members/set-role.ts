import { member, setRoleInput } from "@cardvault/contract";
import type { Member, Role } from "@cardvault/contract";
import { writeRole } from "@cardvault/db";
import type { Access } from "../../context.ts";
import { principalsChannel } from "../../keys/principal-cache.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";
import { requireMemberThatCanChange } from "./keep-an-owner.ts";

/** @throws VaultError `not_found`; `conflict` where the last owner would be made a member. */
function setRole(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  { user_id: userId, role }: { user_id: string; role: Role },
): Promise<Member> {
  return db.transaction(async (tx) => {
    const found = await requireMemberThatCanChange(tx, access.accountId, userId, role === "owner");
    if (found.role === role) return found;
    await writeRole(tx, access.accountId, userId, role);
    await writeTrail(tx, access, clock.now(), "member.role_changed", null, {
      user_id: userId,
      email: found.email,
      role,
    });
    tx.afterCommit(() => db.notify(principalsChannel));
    return { ...found, role };
  });
}

export const setRoleProcedure = session("owner")
  .input(setRoleInput)
  .output(member)
  .mutation(({ ctx, input }) => setRole(ctx.services, ctx.access, input));
