import type { Environment } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What stays of an account that is removed, or is being. */
export interface Removal {
  accountId: string;
  environment: Environment;
  /** The operator. */
  removedBy: string;
  /** How many rows of each large table, and how many people. */
  counts: Record<string, number>;
  startedAt: Date;
  /** Null: it was interrupted, or runs. */
  finishedAt: Date | null;
}

interface RemovalRow extends Omit<Removal, "accountId"> {
  id: string;
}

const columns = `id, environment, removed_by as "removedBy", counts, started_at as "startedAt",
  finished_at as "finishedAt"`;

function removalFrom({ id, ...row }: RemovalRow): Removal {
  return { accountId: toId("acc", id), ...row };
}

export interface NewRemoval {
  accountId: string;
  liveAccountId: string | null;
  environment: Environment;
  removedBy: string;
  startedAt: Date;
}

export async function insertRemoval(tx: Queryable, removal: NewRemoval): Promise<void> {
  const { accountId, liveAccountId, environment, removedBy, startedAt } = removal;
  await tx.query(
    `insert into account_removal (id, live_account_id, environment, removed_by, started_at)
     values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
    [
      toUuid(accountId),
      liveAccountId === null ? null : toUuid(liveAccountId),
      environment,
      removedBy,
      startedAt,
    ],
  );
}

/** The removal of an account and that of the test account beside it, which goes first. */
export async function findRemovals(db: Queryable, accountId: string): Promise<Removal[]> {
  const rows = await db.query<RemovalRow>(
    `select ${columns} from account_removal where id = $1 or live_account_id = $1
     order by (id = $1)`,
    [toUuid(accountId, "acc")],
  );
  return rows.map(removalFrom);
}

/** The latest first. */
export async function listRemovals(db: Queryable, limit: number): Promise<Removal[]> {
  const rows = await db.query<RemovalRow>(
    `select ${columns} from account_removal order by started_at desc, id desc limit $1`,
    [limit],
  );
  return rows.map(removalFrom);
}

/** The ids of accounts whose removal has ended since a moment. */
export async function listRemovedSince(db: Queryable, since: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from account_removal where finished_at >= $1`,
    [since],
  );
  return rows.map(({ id }) => toId("acc", id));
}

/** Adds to what was removed, in the transaction that removes it. */
export async function addRemoved(
  tx: Queryable,
  accountId: string,
  what: string,
  count: number,
): Promise<void> {
  await tx.query(
    `update account_removal
     set counts = counts || jsonb_build_object($2::text, coalesce((counts ->> $2)::bigint, 0) + $3::bigint)
     where id = $1`,
    [toUuid(accountId), what, count],
  );
}

export async function finishRemoval(db: Queryable, accountId: string, now: Date): Promise<void> {
  await db.query(
    `update account_removal set finished_at = $2 where id = $1 and finished_at is null`,
    [toUuid(accountId), now],
  );
}
