import { createHash, randomBytes } from "node:crypto";
import { inviteAnswer, inviteInput, VaultError } from "@cardvault/contract";
import type { Invitation, Role } from "@cardvault/contract";
import { insertInvitation, listMembers, lockAccount } from "@cardvault/db";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { writeTrail } from "../../trail.ts";

const validMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Makes a one-time link, good for seven days, by which somebody joins the account. An earlier link
 * for the same address ends.
 * @throws VaultError `conflict` where the address is a member's.
 */
function inviteMember(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  access: Access,
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: Invitation; link: string }> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, access.accountId);
    const members = await listMembers(tx, access.accountId);
    if (members.some((member) => member.email === email.toLowerCase())) {
      throw new VaultError("conflict", { message: "This person is a member already." });
    }
    const now = clock.now();
    const token = randomBytes(32).toString("base64url");
    const invitation = await insertInvitation(tx, access.accountId, {
      email,
      role,
      tokenHash: hashLinkToken(token),
      invitedBy: access.actor.id ?? access.actor.kind,
      createdAt: now,
      expiresAt: new Date(now.getTime() + validMs),
    });
    await writeTrail(tx, access, now, "member.invited", null, { email: invitation.email, role });
    // In the fragment, so that it stands in no log and no Referer.
    return { invitation, link: `${config.publicUrl}/auth/invite#token=${token}` };
  });
}

/** Only this is stored of a link: a copy of the database opens nothing. */
export function hashLinkToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export const inviteMemberProcedure = session("owner")
  .input(inviteInput)
  .output(inviteAnswer)
  .mutation(({ ctx, input }) => inviteMember(ctx.services, ctx.access, input));
