import { VaultError } from "@cardvault/contract";
import { findAccount } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";

/**
 * An operator's access to any account, for the command line. The trail says that it was an operator.
 * @param operator who it is, where that is known: the name of the machine's user.
 * @throws VaultError `not_found`
 */
export async function operatorAccess(
  db: Database,
  accountId: string,
  operator: string | null,
): Promise<Access> {
  const account = isId("acc", accountId) ? await findAccount(db, accountId) : null;
  if (account === null) {
    throw new VaultError("not_found", { message: "There is no account with this id." });
  }
  const { environment, currency } = account;
  const actor = { kind: "operator", id: operator } as const;
  return { accountId, environment, currency, actor, via: "command_line" };
}
