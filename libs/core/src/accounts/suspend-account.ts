import { VaultError } from "@cardvault/contract";
import type { Account } from "@cardvault/contract";
import {
  changeJob,
  findAccount,
  findRemovals,
  listSuspendedJobs,
  lockAccount,
  shiftPublicationDeadlines,
  workChannel,
  writeSuspension,
} from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import {
  restoreAccount as decideRestore,
  suspendAccount as decideSuspend,
} from "@cardvault/domain";
import type { AccountState } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { principalsChannel } from "../keys/principal-cache.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

type Needs = Pick<Services, "db" | "clock" | "principals">;

/**
 * Suspends an account: its tokens answer 403 at once, in every process; its members can look.
 * @throws VaultError `not_found`; `invalid_transition` where it is suspended already.
 */
export function suspendAccount(needs: Needs, access: Access, reason: string): Promise<Account> {
  return changeSuspension(needs, access, async (tx, state, now) => {
    decideSuspend(state, now);
    await writeSuspension(tx, access.accountId, { at: now, reason });
    await writeTrail(tx, access, now, "account.suspended", access.accountId, { reason });
  });
}

/**
 * Restores a suspended account; its jobs that stood still go on.
 * @throws VaultError `not_found`; `invalid_transition` where it is not suspended, or is being removed.
 */
export function restoreAccount(needs: Needs, access: Access): Promise<Account> {
  return changeSuspension(needs, access, async (tx, state, now) => {
    decideRestore(state);
    // That of a test account beside it, which went alone, is no reason.
    const removals = await findRemovals(tx, access.accountId);
    if (removals.some((removal) => removal.accountId === access.accountId)) {
      throw new VaultError("invalid_transition", { message: "This account is being removed." });
    }
    await shiftPublicationDeadlines(tx, access.accountId, now);
    await writeSuspension(tx, access.accountId, null);
    await writeTrail(tx, access, now, "account.restored", access.accountId);
    const command = { type: "resume", by: "suspension" } as const;
    for (const jobId of await listSuspendedJobs(tx, access.accountId)) {
      await changeJob(tx, { jobId, command, now });
    }
  });
}

function changeSuspension(
  { db, clock, principals }: Needs,
  { accountId }: Access,
  change: (tx: Queryable, state: AccountState, now: Date) => Promise<void>,
): Promise<Account> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const account = await findAccount(tx, accountId);
    if (account === null) throw new VaultError("not_found");
    const now = clock.now();
    const suspendedAt = account.status === "suspended" ? now : null;
    const { environment, currency } = account;
    await change(tx, { environment, currency, suspendedAt }, now);
    tx.afterCommit(() => {
      principals.clear();
      db.notify(principalsChannel);
      db.notify(workChannel);
    });
    return { ...account, status: account.status === "suspended" ? "active" : "suspended" };
  });
}
