import type { Queryable } from "../connection/database.ts";

/** What a simulated third party remembers under a key; null where it remembers nothing. */
export async function readSandboxRecord(
  db: Queryable,
  protocol: string,
  key: string,
): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(
    `select value from sandbox_record where protocol = $1 and key = $2`,
    [protocol, key],
    "sandbox_read",
  );
  return row?.value ?? null;
}

export async function writeSandboxRecord(
  db: Queryable,
  protocol: string,
  key: string,
  value: unknown,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into sandbox_record (protocol, key, value, updated_at) values ($1, $2, $3::jsonb, $4)
     on conflict (protocol, key) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [protocol, key, JSON.stringify(value), now],
    "sandbox_write",
  );
}

/** Takes one off a record's `remaining`, and answers whether there was one. Two requests never share one. */
export async function takeSandboxTurn(
  db: Queryable,
  protocol: string,
  key: string,
  now: Date,
): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(
    `update sandbox_record
     set value = jsonb_set(value, '{remaining}', to_jsonb((value ->> 'remaining')::int - 1)), updated_at = $3
     where protocol = $1 and key = $2 and (value ->> 'remaining')::int > 0
     returning value`,
    [protocol, key, now],
    "sandbox_take",
  );
  return row?.value ?? null;
}

/** Forgets one key, or everything under a prefix. */
export async function deleteSandboxRecords(
  db: Queryable,
  protocol: string,
  keyPrefix: string,
): Promise<void> {
  await db.query(`delete from sandbox_record where protocol = $1 and starts_with(key, $2)`, [
    protocol,
    keyPrefix,
  ]);
}

/** Every record whose key begins so, in the order of their keys' bytes. */
export function listSandboxRecords(
  db: Queryable,
  protocol: string,
  keyPrefix: string,
): Promise<{ key: string; value: unknown }[]> {
  return db.query<{ key: string; value: unknown }>(
    `select key, value from sandbox_record where protocol = $1 and starts_with(key, $2)
     order by key collate "C"`,
    [protocol, keyPrefix],
    "sandbox_list",
  );
}

/** Until the transaction ends nobody else has this lock; it is one of the database, and no row's. */
export async function lockSandboxKey(tx: Queryable, protocol: string, key: string): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
    [`sandbox ${protocol} ${key}`],
    "sandbox_lock",
  );
}
