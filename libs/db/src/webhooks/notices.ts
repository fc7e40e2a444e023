import type { Notice, NoticeKind } from "@cardvault/contract";
import { isId, newId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { Page, PageQuery } from "../read/events.ts";
import { readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";

export interface NewNotice {
  accountId: string;
  kind: NoticeKind;
  endpointId: string | null;
  /** For a person. */
  message: string;
  details: Record<string, unknown>;
  /** The same for the same happening: the second one is not written. */
  onceKey: string;
}

/** @returns the notice's id; null where the account has been told already */
export async function insertNotice(
  tx: Queryable,
  notice: NewNotice,
  now: Date,
): Promise<string | null> {
  const id = newId("ntc");
  const rows = await tx.query(
    `insert into notice (id, account_id, kind, endpoint_id, message, details, once_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, once_key) do nothing returning 1`,
    [
      toUuid(id),
      toUuid(notice.accountId),
      notice.kind,
      notice.endpointId === null ? null : toUuid(notice.endpointId),
      notice.message,
      JSON.stringify(notice.details),
      notice.onceKey,
      now,
    ],
    "insert_notice",
  );
  return rows.length > 0 ? id : null;
}

interface NoticeRow {
  id: string;
  kind: NoticeKind;
  endpoint_id: string | null;
  url: string | null;
  message: string;
  details: Record<string, unknown>;
  created_at: Date;
  read_at: Date | null;
}

function toNotice(row: NoticeRow): Notice {
  return {
    id: toId("ntc", row.id),
    kind: row.kind,
    endpoint_id: row.endpoint_id === null ? null : toId("whe", row.endpoint_id),
    endpoint_url: row.url,
    message: row.message,
    details: row.details,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  };
}

const noticeList: KeysetList = {
  name: "notices",
  table: "notice",
  projection: `c.kind, c.endpoint_id, c.message, c.details, c.created_at, c.read_at,
    (select w.url from webhook_endpoint w where w.id = c.endpoint_id) as url`,
  sorts: { created_at: { column: "created_at", type: "timestamptz" } },
};

/**
 * One page of what an account was told, the latest first.
 * @throws VaultError `invalid_cursor`
 */
export async function listNotices(
  db: Queryable,
  accountId: string,
  query: PageQuery & { unread?: boolean | undefined },
): Promise<Page<Notice>> {
  const { limit, cursor, ...filters } = query;
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  if (filters.unread !== undefined) {
    parts.where(filters.unread ? "c.read_at is null" : "c.read_at is not null");
  }
  const page = await readPage<NoticeRow>(
    db,
    noticeList,
    { accountId, sort: "-created_at", limit, cursor, scope: scopeOf(filters) },
    parts,
  );
  const { next_cursor, has_more } = page;
  return { data: page.rows.map(toNotice), next_cursor, has_more };
}

const mostCounted = 1_000;

export async function countUnreadNotices(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ unread: number }>(
    `select count(*) as unread from (
       select 1 from notice where account_id = $1 and read_at is null limit ${mostCounted}) n`,
    [toUuid(accountId)],
    "count_unread_notices",
  );
  return row?.unread ?? 0;
}

/** Marks the named notices, or all. Answers how many were unread before. */
export async function markNoticesRead(
  db: Queryable,
  accountId: string,
  which: readonly string[] | "all",
  now: Date,
): Promise<number> {
  const ids =
    which === "all" ? null : which.filter((id) => isId("ntc", id)).map((id) => toUuid(id));
  const rows = await db.query(
    `update notice set read_at = $3
     where account_id = $1 and read_at is null and ($2::uuid[] is null or id = any ($2::uuid[]))
     returning 1`,
    [toUuid(accountId), ids, now],
  );
  return rows.length;
}

/** A notice and who is to be mailed about it: the owners of its account. */
export interface NoticeMail {
  accountName: string;
  kind: NoticeKind;
  message: string;
  endpointUrl: string | null;
  endpointId: string | null;
  addresses: string[];
}

/**
 * Notices of one kind that nobody has been asked to mail: whoever wrote them knew of no mail server.
 * @param mailKind of the jobs that mail
 */
export async function readUnmailedNotices(
  db: Queryable,
  kind: NoticeKind,
  mailKind: string,
  since: Date,
): Promise<{ id: string; accountId: string }[]> {
  const rows = await db.query<{ id: string; account_id: string }>(
    "select id, account_id from notice where kind = $1 and created_at >= $2 order by created_at, id",
    [kind, since],
  );
  if (rows.length === 0) return [];
  const found = rows.map((row) => ({
    id: toId("ntc", row.id),
    accountId: toId("acc", row.account_id),
  }));
  const asked = await db.query<{ subject_id: string }>(
    `select subject_id from job
     where account_id = any ($1::uuid[]) and created_at >= $2 and kind = $3 and subject_id = any ($4)`,
    [rows.map((row) => row.account_id), since, mailKind, found.map(({ id }) => id)],
  );
  const known = new Set(asked.map((job) => job.subject_id));
  return found.filter(({ id }) => !known.has(id));
}

/** Null where the notice is gone. */
export async function findNoticeMail(db: Queryable, noticeId: string): Promise<NoticeMail | null> {
  const [row] = await db.query<Omit<NoticeMail, "endpointId"> & { endpointId: string | null }>(
    `select a.name as "accountName", n.kind, n.message, w.url as "endpointUrl", n.endpoint_id as "endpointId",
       coalesce((select json_agg(u.email order by m.created_at, m.user_id) from member m
         join auth."user" u on u.id = m.user_id
         where m.account_id = n.account_id and m.role = 'owner'), '[]') as addresses
     from notice n join account a on a.id = n.account_id
       left join webhook_endpoint w on w.id = n.endpoint_id
     where n.id = $1`,
    [toUuid(noticeId)],
  );
  if (row === undefined) return null;
  return { ...row, endpointId: row.endpointId === null ? null : toId("whe", row.endpointId) };
}
