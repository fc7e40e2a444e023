import type { Queryable } from "../connection/database.ts";

/** Somebody who can sign in. The rows are sign-in's own (better-auth), in the schema `auth`. */
export interface PersonRow {
  userId: string;
  name: string;
  email: string;
}

const personColumns = `u.id as "userId", u.name, u.email`;

/** Addresses are stored in lower case. Null where nobody has this one. */
export async function findPersonByEmail(db: Queryable, email: string): Promise<PersonRow | null> {
  const [row] = await db.query<PersonRow>(
    `select ${personColumns} from auth."user" u where u.email = $1`,
    [email.toLowerCase()],
  );
  return row ?? null;
}

/** The names of people, as far as they are known. */
export async function readPersonNames(
  db: Queryable,
  userIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (userIds.length === 0) return [];
  return db.query<{ id: string; name: string }>(
    `select u.id, u.name from auth."user" u where u.id = any ($1)`,
    [[...new Set(userIds)]],
    "person-names",
  );
}

/**
 * Makes a person with a password, in one statement. Null where somebody has the address already.
 * @param passwordHash in sign-in's own form
 */
export async function insertPerson(
  db: Queryable,
  person: PersonRow & { passwordHash: string; createdAt: Date },
): Promise<PersonRow | null> {
  const [row] = await db.query<PersonRow>(
    `with u as (
       insert into auth."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       values ($1, $2, $3, true, $5, $5) on conflict (email) do nothing returning *
     ), credential as (
       insert into auth."account"
         (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
       select id, id, 'credential', id, $4, $5, $5 from u
     )
     select ${personColumns} from u`,
    [person.userId, person.name, person.email.toLowerCase(), person.passwordHash, person.createdAt],
  );
  return row ?? null;
}

export async function isOperator(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query(`select 1 from platform_operator where user_id = $1`, [userId]);
  return rows.length > 0;
}

export async function insertOperator(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(
    `insert into platform_operator (user_id, created_at) values ($1, $2) on conflict do nothing`,
    [userId, now],
  );
}

export async function deleteOperator(db: Queryable, userId: string): Promise<void> {
  await db.query(`delete from platform_operator where user_id = $1`, [userId]);
}

export async function writePersonName(
  db: Queryable,
  userId: string,
  name: string,
  now: Date,
): Promise<void> {
  await db.query(`update auth."user" set name = $2, "updatedAt" = $3 where id = $1`, [
    userId,
    name,
    now,
  ]);
}
