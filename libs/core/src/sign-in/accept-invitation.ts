import {
  acceptInvitationAnswer,
  acceptInvitationInput,
  invitationPreview,
  invitationTokenInput,
  VaultError,
} from "@cardvault/contract";
import { findOpenInvitation, findPersonByEmail, insertMember, markAccepted } from "@cardvault/db";
import type { OpenInvitation, Queryable } from "@cardvault/db";
import { hashLinkToken } from "../accounts/members/invite-member.ts";
import type { Principal } from "../context.ts";
import { withoutSession } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import { insertNewPerson } from "./create-person.ts";

/** @throws VaultError `not_found` for a link that is unknown, used or too old. */
async function requireInvitation(tx: Queryable, token: string, now: Date): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(tx, hashLinkToken(token), now);
  if (invitation === null) {
    throw new VaultError("not_found", { message: "This link was used already, or is too old." });
  }
  return invitation;
}

/**
 * Accepts an invitation: somebody new gets a sign-in with the given name and password, somebody who
 * can sign in already must be signed in as the person who was invited.
 * @throws VaultError `not_found` for a link that cannot be used; `sign_in_required`;
 * `not_permitted` where another person is signed in; `validation_failed`.
 */
async function acceptInvitation(
  { db, clock, signIn }: Pick<Services, "db" | "clock" | "signIn">,
  principal: Principal | null,
  input: { token: string; name?: string | undefined; password?: string | undefined },
): Promise<{ account_id: string; email: string }> {
  const now = clock.now();
  // Before the transaction, which must not wait for a hash that is slow on purpose.
  await requireInvitation(db, input.token, now);
  const passwordHash =
    input.password === undefined ? undefined : await signIn.hashPassword(input.password);
  return db.transaction(async (tx) => {
    const invitation = await requireInvitation(tx, input.token, now);
    const { accountId, email, role } = invitation;
    const known = await findPersonByEmail(tx, email);
    const person = known ?? (await insertNewPerson(tx, { ...input, email, passwordHash }, now));
    if (known !== null) requireSignedIn(principal, known.userId);
    await insertMember(tx, accountId, { userId: person.userId, role, createdAt: now });
    await markAccepted(tx, invitation.id, now);
    const access = { accountId, actor: { kind: "member", id: person.userId } } as const;
    await writeTrail(tx, access, now, "member.joined", null, { email, role });
    return { account_id: accountId, email };
  });
}

/** A link alone must not sign anybody in who has a password. */
function requireSignedIn(principal: Principal | null, userId: string): void {
  if (principal === null || principal.kind === "token") throw new VaultError("sign_in_required");
  if (principal.userId !== userId) {
    throw new VaultError("not_permitted", { message: "The invitation is for somebody else." });
  }
}

export const readInvitationProcedure = withoutSession
  .input(invitationTokenInput)
  .output(invitationPreview)
  .query(async ({ ctx: { services }, input }) => {
    const invitation = await requireInvitation(services.db, input.token, services.clock.now());
    const { accountName, email, role, expires_at } = invitation;
    const hasSignIn = (await findPersonByEmail(services.db, email)) !== null;
    return { account_name: accountName, email, role, expires_at, has_sign_in: hasSignIn };
  });

export const acceptInvitationProcedure = withoutSession
  .input(acceptInvitationInput)
  .output(acceptInvitationAnswer)
  .mutation(({ ctx, input }) => acceptInvitation(ctx.services, ctx.principal, input));
