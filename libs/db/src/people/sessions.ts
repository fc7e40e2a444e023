import type { Queryable } from "../connection/database.ts";

/** A browser in which somebody is signed in. Its token never leaves sign-in. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  userAgent: string | null;
  ipAddress: string | null;
}

/** The sessions of a person that have not ended, the latest first. */
export function listSessions(db: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    `select s.id, s."createdAt", s."expiresAt", s."userAgent", s."ipAddress" from auth."session" s
     where s."userId" = $1 and s."expiresAt" > $2 order by s."createdAt" desc, s.id limit 100`,
    [userId, now],
  );
}

/** Whether there was one of this person's with this id. */
export async function deleteSession(
  tx: Queryable,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from auth."session" where "userId" = $1 and id = $2 returning 1`,
    [userId, sessionId],
  );
  return rows.length > 0;
}

/** Ends all of a person's but one. @returns how many */
export async function deleteOtherSessions(
  tx: Queryable,
  userId: string,
  keptId: string | null,
): Promise<number> {
  const rows = await tx.query(
    `delete from auth."session" where "userId" = $1 and id is distinct from $2 returning 1`,
    [userId, keptId],
  );
  return rows.length;
}
