import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What an account has chosen to sell with. Null: not chosen yet. */
export interface SellerChoices {
  paymentPolicyId: string | null;
  returnPolicyId: string | null;
  fulfillmentPolicyId: string | null;
  locationKey: string | null;
  /** For cards that say neither game nor sport. */
  categoryId: string | null;
}

/** An account's connection to its marketplace, as it is stored. */
export interface StoredConnection {
  /** The associated data of its sealed token. */
  id: string;
  marketplace: "ebay";
  status: "connected" | "revoked";
  /** Null of test accounts. */
  sealedRefreshToken: string | null;
  refreshTokenEndsAt: Date | null;
  choices: SellerChoices;
  /** The name of who connected it; null where nobody did, or is not there any more. */
  connectedBy: string | null;
  connectedAt: Date;
  revokedAt: Date | null;
  updatedAt: Date;
}

type Row = Omit<StoredConnection, "choices"> & SellerChoices;

const columns = `id, marketplace, status, refresh_token as "sealedRefreshToken",
  refresh_token_ends_at as "refreshTokenEndsAt", payment_policy_id as "paymentPolicyId",
  return_policy_id as "returnPolicyId", fulfillment_policy_id as "fulfillmentPolicyId",
  location_key as "locationKey", category_id as "categoryId",
  (select u.name from auth."user" u where u.id = connected_by) as "connectedBy", connected_at as "connectedAt", revoked_at as "revokedAt", updated_at as "updatedAt"`;

function connectionFrom(row: Row): StoredConnection {
  const { paymentPolicyId, returnPolicyId, fulfillmentPolicyId, locationKey, categoryId, ...rest } =
    row;
  return {
    ...rest,
    choices: { paymentPolicyId, returnPolicyId, fulfillmentPolicyId, locationKey, categoryId },
  };
}

/** Null where the account is not connected. */
export async function findConnection(
  db: Queryable,
  accountId: string,
): Promise<StoredConnection | null> {
  const [row] = await db.query<Row>(
    `select ${columns} from marketplace_connection where account_id = $1`,
    [toUuid(accountId)],
    "find_marketplace_connection",
  );
  return row === undefined ? null : connectionFrom(row);
}

export interface NewConnection {
  id: string;
  marketplace: "ebay";
  sealedRefreshToken: string | null;
  refreshTokenEndsAt: Date | null;
  /** Who. */
  userId: string;
}

/** Connects an account, or connects it anew: then what it had chosen stays. The id is the given one. */
export async function writeConnection(
  tx: Queryable,
  accountId: string,
  connection: NewConnection,
  now: Date,
): Promise<void> {
  const { id, marketplace, sealedRefreshToken, refreshTokenEndsAt, userId } = connection;
  await tx.query(
    `insert into marketplace_connection (id, account_id, marketplace, status, refresh_token,
       refresh_token_ends_at, connected_by, connected_at, updated_at)
     values ($1, $2, $3, 'connected', $4, $5, $6, $7, $7)
     on conflict (account_id, marketplace) do update set id = excluded.id, status = 'connected',
       refresh_token = excluded.refresh_token, revoked_at = null,
       refresh_token_ends_at = excluded.refresh_token_ends_at, connected_by = excluded.connected_by,
       connected_at = excluded.connected_at, updated_at = excluded.updated_at`,
    [id, toUuid(accountId), marketplace, sealedRefreshToken, refreshTokenEndsAt, userId, now],
  );
}

/** A test account's, where it has none yet: two that come at once make one. */
export async function insertSandboxConnection(
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into marketplace_connection (id, account_id, marketplace, status, connected_at, updated_at)
     values ($1, $2, 'ebay', 'connected', $3, $3) on conflict (account_id, marketplace) do nothing`,
    [id, toUuid(accountId), now],
  );
}

/** Writes the given choices; the others stay. False where the account is not connected. */
export async function writeChoices(
  tx: Queryable,
  accountId: string,
  choices: Partial<SellerChoices>,
  now: Date,
): Promise<boolean> {
  const given = (name: keyof SellerChoices): [boolean, string | null] => [
    choices[name] !== undefined,
    choices[name] ?? null,
  ];
  const rows = await tx.query(
    `update marketplace_connection set updated_at = $2,
       payment_policy_id = case when $3 then $4 else payment_policy_id end,
       return_policy_id = case when $5 then $6 else return_policy_id end,
       fulfillment_policy_id = case when $7 then $8 else fulfillment_policy_id end,
       location_key = case when $9 then $10 else location_key end,
       category_id = case when $11 then $12 else category_id end
     where account_id = $1 returning 1`,
    [
      toUuid(accountId),
      now,
      ...given("paymentPolicyId"),
      ...given("returnPolicyId"),
      ...given("fulfillmentPolicyId"),
      ...given("locationKey"),
      ...given("categoryId"),
    ],
  );
  return rows.length > 0;
}

/** The marketplace no longer takes this connection. False where that is known, or another has taken its place. */
export async function markConnectionRevoked(
  tx: Queryable,
  accountId: string,
  connectionId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update marketplace_connection set status = 'revoked', revoked_at = $3, updated_at = $3
     where account_id = $1 and id = $2 and status = 'connected' returning 1`,
    [toUuid(accountId), connectionId, now],
  );
  return rows.length > 0;
}

/** The marketplace takes it again, as only a test account's can be. */
export async function markConnectionRestored(
  tx: Queryable,
  accountId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `update marketplace_connection set status = 'connected', revoked_at = null, connected_at = $2, updated_at = $2
     where account_id = $1`,
    [toUuid(accountId), now],
  );
}

/** False where there was none. */
export async function deleteConnection(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from marketplace_connection where account_id = $1 returning 1`,
    [toUuid(accountId)],
  );
  return rows.length > 0;
}

/** How many listings an account has at its marketplace, or on the way there. */
export async function countOpenListings(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from listing
     where account_id = $1 and status in ('publishing', 'live')`,
    [toUuid(accountId)],
  );
  return row?.count ?? 0;
}

/** A consent that was asked for. */
export interface AskedConsent {
  accountId: string;
  marketplace: "ebay";
  userId: string;
  sessionId: string;
}

/** Writes down that it is asked for; those of the account that are too old go. */
export async function insertConsent(
  tx: Queryable,
  stateHash: Uint8Array,
  { accountId, marketplace, userId, sessionId }: AskedConsent,
  times: { now: Date; expiresAt: Date },
): Promise<void> {
  const account = toUuid(accountId);
  await tx.query(`delete from marketplace_consent where account_id = $1 and expires_at < $2`, [
    account,
    times.now,
  ]);
  await tx.query(
    `insert into marketplace_consent (state_hash, account_id, marketplace, user_id, session_id,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [stateHash, account, marketplace, userId, sessionId, times.now, times.expiresAt],
  );
}

/**
 * Takes a consent that was asked for in this session: it can be taken once. Null where there is none, it is
 * too old, or it was asked for in another session; that one stays.
 */
export async function takeConsent(
  tx: Queryable,
  stateHash: Uint8Array,
  session: { userId: string; sessionId: string },
  now: Date,
): Promise<AskedConsent | null> {
  const [row] = await tx.query<AskedConsent>(
    `delete from marketplace_consent
     where state_hash = $1 and user_id = $2 and session_id = $3 and expires_at >= $4
     returning account_id as "accountId", marketplace, user_id as "userId", session_id as "sessionId"`,
    [stateHash, session.userId, session.sessionId, now],
  );
  return row === undefined ? null : { ...row, accountId: toId("acc", row.accountId) };
}
