import type { Member } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import { listMembers, lockAccount } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";

/**
 * A member who is about to lose the role or the membership. The account stays locked until the
 * transaction ends, so that two owners cannot remove each other at the same time.
 * @throws VaultError `not_found`; `conflict` for the last owner, where `keepsOwner` is false.
 */
export async function requireMemberThatCanChange(
  tx: Queryable,
  accountId: string,
  userId: string,
  keepsOwner: boolean,
): Promise<Member> {
  await lockAccount(tx, accountId);
  const members = await listMembers(tx, accountId);
  const found = members.find((member) => member.user_id === userId);
  if (found === undefined) throw new VaultError("not_found");
  const owners = members.filter((member) => member.role === "owner");
  if (!keepsOwner && found.role === "owner" && owners.length === 1) {
    throw new VaultError("conflict", { message: "An account needs an owner; this is the last." });
  }
  return found;
}
