import type { Account, Environment, Role } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { written } from "./written.ts";

/** Requests a minute that an operator has set; null where the default holds. */
export interface StoredLimits {
  read: number | null;
  write: number | null;
  ai: number | null;
}

export interface AccountSettings {
  name: string;
  skuFormat: string;
  /** What stands between the parts of a location. */
  locationSeparator: string;
  reviewThreshold: number;
  /** In minor units of the account's currency. */
  highValueLimit: number | null;
  /** Of listings. Null: the service's own. */
  titleTemplate: string | null;
  descriptionTemplate: string | null;
}

const accountColumns = `a.id, a.name, a.environment, a.currency, a.live_account_id, a.suspended_at, a.created_at`;

interface AccountRow {
  id: string;
  name: string;
  environment: Environment;
  currency: string;
  live_account_id: string | null;
  suspended_at: Date | null;
  created_at: Date;
}

function accountFrom(row: AccountRow): Account {
  return {
    id: toId("acc", row.id),
    name: row.name,
    environment: row.environment,
    status: row.suspended_at === null ? "active" : "suspended",
    currency: row.currency,
    live_account_id: row.live_account_id === null ? null : toId("acc", row.live_account_id),
    created_at: row.created_at.toISOString(),
  };
}

export interface NewAccount {
  id: string;
  name: string;
  environment: Environment;
  currency: string;
  /** Of a test account that stands beside a live one. */
  liveAccountId: string | null;
  createdAt: Date;
}

/** Makes an account and its clock. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<Account> {
  const { id, name, environment, currency, liveAccountId, createdAt } = account;
  const [row] = await db.query<AccountRow>(
    `with a as (
       insert into account (id, name, environment, currency, live_account_id, created_at)
       values ($1, $2, $3, $4, $5, $6) returning *
     ), clock as (
       insert into account_clock (account_id, last_change) select id, created_at from a
     )
     select ${accountColumns} from a`,
    [
      toUuid(id),
      name,
      environment,
      currency,
      liveAccountId === null ? null : toUuid(liveAccountId),
      createdAt,
    ],
  );
  return accountFrom(written(row));
}

/** Null where there is no such account. */
export async function findAccount(db: Queryable, accountId: string): Promise<Account | null> {
  const [row] = await db.query<AccountRow>(
    `select ${accountColumns} from account a where a.id = $1`,
    [toUuid(accountId)],
  );
  return row === undefined ? null : accountFrom(row);
}

/** Accounts of the installation, the latest made first, at most `limit`. For operators only. */
export async function listAllAccounts(db: Queryable, limit: number): Promise<Account[]> {
  const rows = await db.query<AccountRow>(
    `select ${accountColumns} from account a order by a.created_at desc, a.id desc limit $1`,
    [limit],
  );
  return rows.map(accountFrom);
}

/** The test account beside a live one; null where there is none. */
export async function findTestAccount(
  db: Queryable,
  liveAccountId: string,
): Promise<Account | null> {
  const [row] = await db.query<AccountRow>(
    `select ${accountColumns} from account a where a.live_account_id = $1`,
    [toUuid(liveAccountId)],
  );
  return row === undefined ? null : accountFrom(row);
}

/** Locks an account's row until the transaction ends: one change of its people or keys at a time. */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(`select 1 from account where id = $1 for no key update`, [toUuid(accountId)]);
}

export interface Membership {
  account: Account;
  role: Role;
}

/** The account and role of a person in it; null where the person is no member or it does not exist. */
export async function findMembership(
  db: Queryable,
  accountId: string,
  userId: string,
): Promise<Membership | null> {
  const [row] = await db.query<AccountRow & { role: Role }>(
    `select ${accountColumns}, m.role from member m join account a on a.id = m.account_id
     where m.account_id = $1 and m.user_id = $2`,
    [toUuid(accountId), userId],
  );
  return row === undefined ? null : { account: accountFrom(row), role: row.role };
}

/** The accounts of a person, live ones first, then by name. */
export async function listMemberships(db: Queryable, userId: string): Promise<Membership[]> {
  const rows = await db.query<AccountRow & { role: Role }>(
    `select ${accountColumns}, m.role from member m join account a on a.id = m.account_id
     where m.user_id = $1 order by a.environment, a.name, a.id`,
    [userId],
  );
  return rows.map((row) => ({ account: accountFrom(row), role: row.role }));
}

/** Null where there is no such account. */
export async function findSettings(
  db: Queryable,
  accountId: string,
): Promise<AccountSettings | null> {
  const [row] = await db.query<AccountSettings>(
    `select name, sku_format as "skuFormat", location_separator as "locationSeparator",
       review_threshold as "reviewThreshold",
       high_value_limit as "highValueLimit", title_template as "titleTemplate",
       description_template as "descriptionTemplate" from account where id = $1`,
    [toUuid(accountId)],
  );
  return row ?? null;
}

export async function writeSettings(
  db: Queryable,
  accountId: string,
  settings: AccountSettings,
): Promise<void> {
  await db.query(
    `update account set name = $2, sku_format = $3, review_threshold = $4, high_value_limit = $5,
       location_separator = $6, title_template = $7, description_template = $8 where id = $1`,
    [
      toUuid(accountId),
      settings.name,
      settings.skuFormat,
      settings.reviewThreshold,
      settings.highValueLimit,
      settings.locationSeparator,
      settings.titleTemplate,
      settings.descriptionTemplate,
    ],
  );
}

/** Requests a minute that an operator has set; null where a class has the default. */
export async function findLimits(db: Queryable, accountId: string): Promise<StoredLimits> {
  const [row] = await db.query<StoredLimits>(
    `select limit_read as read, limit_write as write, limit_ai as ai from account where id = $1`,
    [toUuid(accountId)],
  );
  return written(row);
}

/** A class that is left out keeps what it has; null goes back to the default. */
export async function writeLimits(
  db: Queryable,
  accountId: string,
  limits: { [Class in keyof StoredLimits]?: number | null | undefined },
): Promise<StoredLimits> {
  const [row] = await db.query<StoredLimits>(
    `update account set
       limit_read = case when $2 then $3::int else limit_read end,
       limit_write = case when $4 then $5::int else limit_write end,
       limit_ai = case when $6 then $7::int else limit_ai end
     where id = $1
     returning limit_read as read, limit_write as write, limit_ai as ai`,
    [
      toUuid(accountId),
      limits.read !== undefined,
      limits.read ?? null,
      limits.write !== undefined,
      limits.write ?? null,
      limits.ai !== undefined,
      limits.ai ?? null,
    ],
  );
  return written(row);
}

/** Suspends (with a time and a reason) or restores an account. */
export async function writeSuspension(
  db: Queryable,
  accountId: string,
  suspension: { at: Date; reason: string } | null,
): Promise<void> {
  await db.query(`update account set suspended_at = $2, suspended_reason = $3 where id = $1`, [
    toUuid(accountId),
    suspension?.at ?? null,
    suspension?.reason ?? null,
  ]);
}
