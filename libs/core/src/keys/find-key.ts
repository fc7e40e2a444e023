import type { ApiKey } from "@cardvault/contract";
import { VaultError } from "@cardvault/contract";
import { findKey } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import { isId } from "@cardvault/kit";

/**
 * A key of the account, locked until the transaction ends.
 * @throws VaultError `not_found` for an id that is unknown, malformed or of another account.
 */
export async function requireKey(
  tx: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<ApiKey> {
  const key = isId("key", keyId) ? await findKey(tx, accountId, keyId, now) : null;
  if (key === null) throw new VaultError("not_found");
  return key;
}
