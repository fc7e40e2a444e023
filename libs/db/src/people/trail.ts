import { maxExactCount } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

export interface NewTrailEntry {
  actorKind: "member" | "token" | "operator" | "system";
  actorId: string | null;
  action: string;
  /** An id of ours (`key_…`), where the subject has one. */
  subjectId: string | null;
  /** Never a secret. */
  details: Record<string, unknown>;
  createdAt: Date;
}

/** Writes who did what, in the transaction that does it. */
export async function insertTrailEntry(
  tx: Queryable,
  accountId: string,
  entry: NewTrailEntry,
): Promise<void> {
  await tx.query(
    `insert into trail_entry
       (id, account_id, actor_kind, actor_id, action, subject_id, details, created_at)
     values (uuidv7(), $1, $2, $3, $4, $5, $6, $7)`,
    [
      toUuid(accountId),
      entry.actorKind,
      entry.actorId,
      entry.action,
      entry.subjectId === null ? null : toUuid(entry.subjectId),
      // The id as it is shown: the column alone would not know its prefix.
      JSON.stringify({
        ...entry.details,
        ...(entry.subjectId === null ? {} : { subject: entry.subjectId }),
      }),
      entry.createdAt,
    ],
  );
}

export interface TrailRow {
  id: string;
  actorKind: NewTrailEntry["actorKind"];
  actorId: string | null;
  /** Of a member who still can sign in. */
  actorName: string | null;
  action: string;
  details: Record<string, unknown>;
  createdAt: Date;
}

/** Entries of an account, the latest first, below the entry with id `before`. */
export async function listTrail(
  db: Queryable,
  accountId: string,
  page: {
    before: string | null;
    limit: number;
    /** The words before the actions' dots. */
    about?: readonly string[] | undefined;
    since?: string | undefined;
    until?: string | undefined;
  },
): Promise<TrailRow[]> {
  return db.query<TrailRow>(
    `select t.id, t.actor_kind as "actorKind", t.actor_id as "actorId", u.name as "actorName",
       t.action, t.details, t.created_at as "createdAt"
     from trail_entry t left join auth."user" u on t.actor_kind = 'member' and u.id = t.actor_id
     where t.account_id = $1 and ($2::uuid is null or (t.created_at, t.id) < (
       select b.created_at, b.id from trail_entry b where b.account_id = $1 and b.id = $2::uuid))
       and ($4::text[] is null or split_part(t.action, '.', 1) = any ($4))
       and ($5::timestamptz is null or t.created_at >= $5) and ($6::timestamptz is null or t.created_at < $6)
     order by t.created_at desc, t.id desc limit $3`,
    [
      toUuid(accountId),
      page.before,
      page.limit,
      page.about ?? null,
      page.since ?? null,
      page.until ?? null,
    ],
  );
}

/** How many entries there are with these filters, counted up to one more than `maxExactCount`. */
export async function countTrail(
  db: Queryable,
  accountId: string,
  filters: Pick<Parameters<typeof listTrail>[2], "about" | "since" | "until">,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from trail_entry t where t.account_id = $1
       and ($2::text[] is null or split_part(t.action, '.', 1) = any ($2))
       and ($3::timestamptz is null or t.created_at >= $3) and ($4::timestamptz is null or t.created_at < $4)
     limit ${maxExactCount + 1}) c`,
    [toUuid(accountId), filters.about ?? null, filters.since ?? null, filters.until ?? null],
  );
  return row?.count ?? 0;
}
