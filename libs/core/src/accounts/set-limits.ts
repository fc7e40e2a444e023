import { VaultError } from "@cardvault/contract";
import type { AccountLimits } from "@cardvault/contract";
import { findAccount, lockAccount, writeLimits } from "@cardvault/db";
import type { StoredLimits } from "@cardvault/db";
import type { Access } from "../context.ts";
import { principalsChannel } from "../keys/principal-cache.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

/**
 * Sets an account's limits, in requests a minute for each token; null goes back to the default, and
 * what is left out stays.
 * @throws VaultError `not_found`
 */
export function setLimits(
  { db, clock, principals }: Pick<Services, "db" | "clock" | "principals">,
  access: Access,
  limits: AccountLimits,
): Promise<StoredLimits> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, access.accountId);
    if ((await findAccount(tx, access.accountId)) === null) throw new VaultError("not_found");
    const stored = await writeLimits(tx, access.accountId, limits);
    const now = clock.now();
    await writeTrail(tx, access, now, "account.limits_changed", access.accountId, limits);
    tx.afterCommit(() => {
      principals.clear();
      db.notify(principalsChannel);
    });
    return stored;
  });
}
