import type { ApiKey, Environment, Scope } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { StoredLimits } from "./accounts.ts";
import type { Queryable } from "../connection/database.ts";
import { written } from "./written.ts";

interface KeyRow {
  id: string;
  name: string;
  prefix: ApiKey["prefix"];
  last_four: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: string | null;
  last_used_at: Date | null;
}

const keyColumns = `id, name, prefix, last_four, scopes, created_at, expires_at, revoked_at, replaced_by, last_used_at`;

function keyFrom(row: KeyRow, now: Date): ApiKey {
  return {
    id: toId("key", row.id),
    name: row.name,
    status: statusOf(row, now),
    prefix: row.prefix,
    last_four: row.last_four,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

function statusOf(row: KeyRow, now: Date): ApiKey["status"] {
  if (row.revoked_at !== null) return "revoked";
  if (row.expires_at === null) return "active";
  return row.expires_at <= now ? "expired" : "ending";
}

/** The keys of an account, the latest first. */
export async function listKeys(db: Queryable, accountId: string, now: Date): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(
    `select ${keyColumns} from api_key where account_id = $1 order by created_at desc, id desc`,
    [toUuid(accountId)],
  );
  return rows.map((row) => keyFrom(row, now));
}

/** A key, locked until the transaction ends; null where the account has no such key. */
export async function findKey(
  tx: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<ApiKey | null> {
  const [row] = await tx.query<KeyRow>(
    `select ${keyColumns} from api_key where account_id = $1 and id = $2 for update`,
    [toUuid(accountId), toUuid(keyId)],
  );
  return row === undefined ? null : keyFrom(row, now);
}

export interface NewKey {
  id: string;
  name: string;
  prefix: ApiKey["prefix"];
  lastFour: string;
  tokenHash: Buffer;
  scopes: readonly Scope[];
  createdBy: string;
  createdAt: Date;
}

export async function insertKey(db: Queryable, accountId: string, key: NewKey): Promise<ApiKey> {
  const [row] = await db.query<KeyRow>(
    `insert into api_key
       (id, account_id, name, prefix, last_four, token_hash, scopes, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${keyColumns}`,
    [
      toUuid(key.id),
      toUuid(accountId),
      key.name,
      key.prefix,
      key.lastFour,
      key.tokenHash,
      key.scopes,
      key.createdBy,
      key.createdAt,
    ],
  );
  return keyFrom(written(row), key.createdAt);
}

/** Lets a key that was replaced end at a moment. */
export async function writeKeyEnd(
  db: Queryable,
  accountId: string,
  keyId: string,
  end: { replacedBy: string; expiresAt: Date },
): Promise<void> {
  await db.query(
    `update api_key set replaced_by = $3, expires_at = $4 where account_id = $1 and id = $2`,
    [toUuid(accountId), toUuid(keyId), toUuid(end.replacedBy), end.expiresAt],
  );
}

export async function writeRevocation(
  db: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<ApiKey> {
  const [row] = await db.query<KeyRow>(
    `update api_key set revoked_at = $3 where account_id = $1 and id = $2 returning ${keyColumns}`,
    [toUuid(accountId), toUuid(keyId), now],
  );
  return keyFrom(written(row), now);
}

/** Everything that decides about a request with a token, in one look. */
export interface KeyFacts {
  keyId: string;
  accountId: string;
  environment: Environment;
  currency: string;
  scopes: Scope[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  suspendedAt: Date | null;
  lastUsedAt: Date | null;
  limits: StoredLimits;
}

/** Null where no key has this hash. */
export async function findKeyByHash(db: Queryable, tokenHash: Buffer): Promise<KeyFacts | null> {
  const [row] = await db.query<Omit<KeyFacts, "limits"> & StoredLimits>(
    `select k.id as "keyId", k.account_id as "accountId", a.environment, a.currency, k.scopes,
       k.expires_at as "expiresAt", k.revoked_at as "revokedAt", a.suspended_at as "suspendedAt",
       k.last_used_at as "lastUsedAt",
       a.limit_read as read, a.limit_write as write, a.limit_ai as ai
     from api_key k join account a on a.id = k.account_id where k.token_hash = $1`,
    [tokenHash],
  );
  if (row === undefined) return null;
  const { read, write, ai, ...facts } = row;
  return {
    ...facts,
    keyId: toId("key", facts.keyId),
    accountId: toId("acc", facts.accountId),
    limits: { read, write, ai },
  };
}

/** Writes when a key was used, unless that was written less than a minute before. */
export async function writeLastUse(
  db: Queryable,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update api_key set last_used_at = $3
     where account_id = $1 and id = $2
       and (last_used_at is null or last_used_at <= $3::timestamptz - interval '1 minute')`,
    [toUuid(accountId), toUuid(keyId), now],
  );
}
