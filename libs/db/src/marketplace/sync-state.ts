import { randomUUID } from "node:crypto";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** How far the marketplace of an account has been read. */
export interface SyncRow {
  accountId: string;
  /** Every order that was changed before this moment is in the ledger. */
  ordersUntil: Date;
  /** When the last look at the orders began that reached its end. */
  ordersReadAt: Date | null;
  dueAt: Date;
  /** When the last round ended well. */
  syncedAt: Date | null;
  /** Why the last round came to nothing. */
  failure: { code: string } | null;
  failedSince: Date | null;
}

/** A round of one account that this process holds. */
export interface ClaimedSync extends SyncRow {
  leaseToken: string;
}

type StoredSync = Omit<SyncRow, "accountId"> & { accountId: string };

const columns = `s.account_id as "accountId", s.orders_until as "ordersUntil", s.orders_read_at as "ordersReadAt",
  s.due_at as "dueAt", s.synced_at as "syncedAt", s.failure, s.failed_since as "failedSince"`;

/** Said when a round is to be sooner than planned. */
export const syncChannel = "vault_sync";

/**
 * Begins to read the marketplace of accounts that have something there and were not read before. Orders are read
 * from when its first listing was made, or from now where it has none.
 */
export async function beginSyncs(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `insert into marketplace_sync (account_id, orders_until, due_at)
     select a.id, coalesce((select min(l.created_at) from listing l where l.account_id = a.id), $1), $1
     from account a
     where not exists (select 1 from marketplace_sync s where s.account_id = a.id)
       and (exists (select 1 from listing l where l.account_id = a.id)
         or exists (select 1 from marketplace_connection m where m.account_id = a.id and m.refresh_token is not null))
     on conflict (account_id) do nothing`,
    [now],
    "begin_syncs",
  );
}

/** As {@link beginSyncs}, for one account that something is about to be read for. */
export async function beginSync(db: Queryable, accountId: string, now: Date): Promise<SyncRow> {
  await db.query(
    `insert into marketplace_sync (account_id, orders_until, due_at)
     values ($1, coalesce((select min(l.created_at) from listing l where l.account_id = $1), $2), $2)
     on conflict (account_id) do nothing`,
    [toUuid(accountId), now],
    "begin_sync",
  );
  const row = await readSync(db, accountId);
  if (row === null) throw new Error("A sync was written and is not there");
  return row;
}

/** How an account's marketplace is read; null where it never was. */
export async function readSync(db: Queryable, accountId: string): Promise<SyncRow | null> {
  const [row] = await db.query<StoredSync>(
    `select ${columns} from marketplace_sync s where s.account_id = $1`,
    [toUuid(accountId)],
    "read_sync",
  );
  return row === undefined ? null : { ...row, accountId: toId("acc", row.accountId) };
}

/** Takes the round that has been due for longest, for as long as the lease; null where none is due. */
export async function claimSync(
  db: Queryable,
  now: Date,
  leaseMs: number,
): Promise<ClaimedSync | null> {
  const leaseToken = randomUUID();
  const [row] = await db.query<StoredSync>(
    `update marketplace_sync s set lease_token = $2, lease_until = $3
     where s.account_id = (
       select d.account_id from marketplace_sync d
       where d.due_at <= $1 and (d.lease_until is null or d.lease_until <= $1)
       order by d.due_at limit 1 for update skip locked)
     returning ${columns}`,
    [now, leaseToken, new Date(now.getTime() + leaseMs)],
    "claim_sync",
  );
  return row === undefined ? null : { ...row, accountId: toId("acc", row.accountId), leaseToken };
}

/** Holds a round for longer. False where it is another's by now: stop then. */
export async function renewSync(
  db: Queryable,
  { accountId, leaseToken }: Pick<ClaimedSync, "accountId" | "leaseToken">,
  until: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update marketplace_sync set lease_until = $3 where account_id = $1 and lease_token = $2 returning 1 as held`,
    [toUuid(accountId), leaseToken, until],
    "renew_sync",
  );
  return rows.length > 0;
}

/**
 * Ends a round and plans the next. Where somebody has asked for a sooner one while it ran, that stands: what the
 * round was claimed with, and no later time, is replaced.
 */
export async function endSync(
  db: Queryable,
  claimed: ClaimedSync,
  { failure, now, nextAt }: { failure: { code: string } | null; now: Date; nextAt: Date },
): Promise<void> {
  await db.query(
    `update marketplace_sync set lease_token = null, lease_until = null, failure = $3,
       failed_since = case when $3::jsonb is null then null else coalesce(failed_since, $4) end,
       synced_at = case when $3::jsonb is null then $4 else synced_at end,
       due_at = case when due_at = $5 then $6 else least(due_at, $6) end
     where account_id = $1 and lease_token = $2`,
    [
      toUuid(claimed.accountId),
      claimed.leaseToken,
      failure === null ? null : JSON.stringify(failure),
      now,
      claimed.dueAt,
      nextAt,
    ],
    "end_sync",
  );
}

/** Asks for a round no later than this. After the commit the caller notifies {@link syncChannel}. */
export async function makeSyncDue(tx: Queryable, accountId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into marketplace_sync (account_id, orders_until, due_at)
     values ($1, coalesce((select min(l.created_at) from listing l where l.account_id = $1), $2), $2)
     on conflict (account_id) do update set due_at = least(marketplace_sync.due_at - interval '1 ms', excluded.due_at)`,
    [toUuid(accountId), at],
    "make_sync_due",
  );
}

/** How far the orders have been read, never back. */
export async function saveOrdersUntil(
  db: Queryable,
  accountId: string,
  { until, readAt }: { until: Date; readAt?: Date | undefined },
): Promise<void> {
  await db.query(
    `update marketplace_sync set orders_until = greatest(orders_until, $2),
       orders_read_at = greatest(orders_read_at, $3)
     where account_id = $1`,
    [toUuid(accountId), until, readAt ?? null],
    "save_orders_until",
  );
}
