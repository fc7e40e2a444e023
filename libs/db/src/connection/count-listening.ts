import type { Queryable } from "./database.ts";

/**
 * How many processes of a name listen in this database now: each has one connection for that, once it has
 * begun to listen.
 */
export async function countListening(db: Queryable, applicationName: string): Promise<number> {
  const [row] = await db.query<{ processes: number }>(
    `select count(*) as processes from pg_stat_activity
     where datname = current_database() and application_name = $1 || '-listen'`,
    [applicationName],
  );
  return row?.processes ?? 0;
}
