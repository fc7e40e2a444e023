import { VaultError } from "@cardvault/contract";
import type { Account } from "@cardvault/contract";
import {
  addRemoved,
  countOpenListings,
  deleteAccountItself,
  deleteAccountRows,
  findAccount,
  findRemovals,
  findTestAccount,
  finishRemoval,
  insertRemoval,
  lockAccount,
  removalSteps,
  shutOutOfAccount,
  writeSuspension,
} from "@cardvault/db";
import type { Queryable, Removal, Transaction } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import { principalsChannel } from "../keys/principal-cache.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "db" | "clock" | "principals" | "pictureStore">;

/** What has just been committed. */
export interface RemovalProgress {
  accountId: string;
  /** `people`, a table, `account`, `queue` or `pictures`. */
  step: string;
  count: number;
}

export interface RemoveAccountOptions {
  /** The account's name as a person typed it, so that nobody removes another one by its id. */
  name: string;
  /** Listings stay at the marketplace, and nothing of them is heard any more. */
  listingsStay: boolean;
  /** The operator. */
  removedBy: string;
  /** Takes jobs from the queue whose work is no longer in the database. Answers how many. */
  forgetJobs: () => Promise<number>;
  onProgress?: ((progress: RemovalProgress) => void) | undefined;
}

/**
 * Removes an account for ever, and the test account beside it: its rows, the people who belong to no other
 * account, its jobs in the queue and its pictures. First, in one transaction, everybody is shut out and the
 * removal is written down; from then on nothing calls it back. The rest is done in small commits, each of
 * which can be the last one before a crash: called again, it goes on. What stays is the row of the removal.
 * @returns the removals, that of the test account first
 * @throws VaultError `not_found` where there is no such account; `validation_failed` where the name is
 * another; `conflict` where listings are open that may not stay, or it was removed before
 */
export async function removeAccount(
  needs: Needs,
  accountId: string,
  options: RemoveAccountOptions,
): Promise<Removal[]> {
  const { db, clock, principals, pictureStore } = needs;
  const told = options.onProgress ?? (() => undefined);
  const removals = await begin(needs, accountId, options, told);
  // Whoever is known in a process is looked up again; told again by a call that goes on.
  principals.clear();
  db.notify(principalsChannel);
  for (const { accountId: id } of removals) await deleteRows(needs, id, told);
  told({ accountId, step: "queue", count: await options.forgetJobs() });
  for (const { accountId: id } of removals) {
    // By their folder and not by rows: what an interrupted upload has left goes too.
    await pictureStore.deleteFolder(id);
    told({ accountId: id, step: "pictures", count: 1 });
  }
  for (const { accountId: id } of removals) await finishRemoval(db, id, clock.now());
  return findRemovals(db, accountId);
}

function begin(
  { db, clock }: Needs,
  accountId: string,
  { name, listingsStay, removedBy }: RemoveAccountOptions,
  told: (progress: RemovalProgress) => void,
): Promise<Removal[]> {
  return db.transaction(async (tx) => {
    const begun = await beganBefore(tx, accountId);
    if (begun !== null) return begun;
    await lockAccount(tx, accountId);
    const account = await findAccount(tx, accountId);
    if (account === null) throw noAccount();
    if (account.name !== name) {
      throw new VaultError("validation_failed", {
        message: "The account has another name.",
        details: [{ path: "name", message: "It has to be written as the account has it." }],
      });
    }
    const beside = await findTestAccount(tx, accountId);
    const accounts = [...(beside === null ? [] : [beside]), account];
    for (const one of accounts) await requireClosed(tx, one, listingsStay);
    for (const one of accounts) {
      await shutDown(tx, one, { removedBy, now: clock.now(), told });
    }
    return findRemovals(tx, accountId);
  });
}

/** The removals that an earlier call has begun and not ended; null where there was none. */
async function beganBefore(tx: Queryable, accountId: string): Promise<Removal[] | null> {
  if (!isId("acc", accountId)) throw noAccount();
  const removals = await findRemovals(tx, accountId);
  const own = removals.find((removal) => removal.accountId === accountId);
  if (own === undefined) return null;
  if (own.finishedAt === null) return removals;
  throw new VaultError("conflict", {
    message: `This account was removed at ${own.finishedAt.toISOString()}.`,
  });
}

/** The simulator's listings are nobody's; a live account's are still bought. */
async function requireClosed(
  tx: Queryable,
  { id, environment }: Account,
  listingsStay: boolean,
): Promise<void> {
  if (environment === "test" || listingsStay) return;
  const open = await countOpenListings(tx, id);
  if (open === 0) return;
  const listings = open === 1 ? "1 listing is" : `${open} listings are`;
  throw new VaultError("conflict", {
    message: `${listings} publishing or live. Their sales will not be heard of.`,
  });
}

async function shutDown(
  tx: Transaction,
  { id, status, environment, live_account_id }: Account,
  {
    removedBy,
    now,
    told,
  }: { removedBy: string; now: Date; told: (progress: RemovalProgress) => void },
): Promise<void> {
  await insertRemoval(tx, {
    accountId: id,
    liveAccountId: live_account_id,
    environment,
    removedBy,
    startedAt: now,
  });
  if (status === "active") await writeSuspension(tx, id, { at: now, reason: "removed" });
  const people = await shutOutOfAccount(tx, id);
  await addRemoved(tx, id, "people", people);
  tx.afterCommit(() => told({ accountId: id, step: "people", count: people }));
}

async function deleteRows(
  { db }: Needs,
  accountId: string,
  told: (progress: RemovalProgress) => void,
): Promise<void> {
  for (const step of removalSteps) {
    for (let hasMore = true; hasMore;) {
      const result = await db.transaction(async (tx) => {
        const { deleted, ...rest } = await deleteAccountRows(tx, accountId, step);
        if (deleted > 0) await addRemoved(tx, accountId, step, deleted);
        return { deleted, ...rest };
      });
      ({ hasMore } = result);
      if (result.deleted > 0) told({ accountId, step, count: result.deleted });
    }
  }
  await db.transaction((tx) => deleteAccountItself(tx, accountId));
  told({ accountId, step: "account", count: 1 });
}

function noAccount(): VaultError {
  return new VaultError("not_found", { message: "There is no account with this id." });
}
