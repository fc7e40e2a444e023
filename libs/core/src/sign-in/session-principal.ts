import { findMembership, isOperator } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { PersonPrincipal, SessionPrincipal } from "../context.ts";
import type { Services } from "../services.ts";

/**
 * Who a session's request is from. No state of the session decides which account is meant: the
 * request names it (`accountHeader` of the contract), and membership is looked up every time.
 *
 * @param accountId what the request names, as it came.
 * @returns null where nobody is signed in; only the person where the account is not named, is not
 * there, or is not one of theirs: procedures of an account answer 404 `not_found` then.
 */
export async function sessionPrincipal(
  { db, signIn }: Pick<Services, "db" | "signIn">,
  headers: Headers,
  accountId: string | undefined,
): Promise<SessionPrincipal | PersonPrincipal | null> {
  const person = await signIn.personOf(headers);
  if (person === null) return null;
  const { userId, name: userName, email: userEmail, sessionId } = person;
  const isNamed = accountId !== undefined && isId("acc", accountId);
  const [operator, membership] = await Promise.all([
    isOperator(db, userId),
    isNamed ? findMembership(db, accountId, userId) : null,
  ]);
  const common = { userId, userName, userEmail, sessionId, isOperator: operator };
  if (membership === null) return { kind: "person", ...common };
  const { account, role } = membership;
  return {
    kind: "session",
    ...common,
    accountId: account.id,
    environment: account.environment,
    currency: account.currency,
    role,
    isSuspended: account.status === "suspended",
  };
}
