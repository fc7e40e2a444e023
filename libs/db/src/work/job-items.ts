import { VaultError } from "@cardvault/contract";
import type {
  ErrorDetail,
  JobItem,
  JobItemOutcome,
  JobItems,
  JobItemsInput,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "../read/cursor.ts";
import { StatementParts } from "../read/statement.ts";

/** What became of one card of a job. */
export interface ItemMark {
  cardId: string;
  outcome: JobItemOutcome;
  code: string | null;
  message: string | null;
  /** The stamp of its entry in the card's history. */
  changedAt: Date | null;
  /** The fields that were at fault. */
  details?: readonly ErrorDetail[] | undefined;
}

/** Writes cards of an account down as a job's. Those that are its already, and others' cards, are passed over. */
export async function insertJobItems(
  tx: Queryable,
  accountId: string,
  jobId: string,
  cardIds: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `insert into job_item (job_id, card_id)
     select $1, c.id from card c where c.account_id = $2 and c.id = any ($3::uuid[])
     on conflict do nothing returning 1`,
    [toUuid(jobId, "job"), toUuid(accountId), cardIds.map((id) => toUuid(id, "card"))],
    "job-items-insert",
  );
  return rows.length;
}

/** Ids of the cards that another job has changed, ascending, behind `after`. */
export async function readChangedItems(
  db: Queryable,
  jobId: string,
  page: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select card_id as id from job_item where job_id = $1 and outcome = 'changed'
       and ($2::uuid is null or card_id > $2) order by card_id limit $3`,
    [toUuid(jobId, "job"), page.after === undefined ? null : toUuid(page.after), page.limit],
    "job-items-changed",
  );
  return rows.map(({ id }) => toId("card", id));
}

/** Whether it is still known which cards a job has changed. */
export async function hasChangedItems(db: Queryable, jobId: string): Promise<boolean> {
  return (await readChangedItems(db, jobId, { after: undefined, limit: 1 })).length > 0;
}

/** Which of these jobs still have what became of their cards. */
export async function findJobsWithItems(
  db: Queryable,
  jobIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select id from unnest($1::uuid[]) as asked (id)
     where exists (select 1 from job_item i where i.job_id = asked.id)`,
    [jobIds.map((id) => toUuid(id, "job"))],
    "jobs-with-items",
  );
  return new Set(rows.map(({ id }) => toId("job", id)));
}

/** The next cards of a job, ascending. */
export async function readNextItems(
  db: Queryable,
  jobId: string,
  page: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select card_id as id from job_item where job_id = $1 and outcome is null
       and ($2::uuid is null or card_id > $2) order by card_id limit $3`,
    [toUuid(jobId, "job"), page.after === undefined ? null : toUuid(page.after), page.limit],
    "job-items-next",
  );
  return rows.map(({ id }) => toId("card", id));
}

/**
 * Writes what became of cards, in the commit that changes them.
 * The ids stand there twice, so that the key is used however old the statistics of the table are.
 * @returns how many had none yet: fewer than given means that somebody else has been at them
 */
export async function markJobItems(
  tx: Queryable,
  jobId: string,
  marks: readonly ItemMark[],
): Promise<number> {
  const rows = await tx.query(
    `update job_item i set outcome = n.outcome, code = n.code, message = n.message, changed_at = n.changed_at,
       details = n.details::jsonb
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
       as n (card_id, outcome, code, message, changed_at, details)
     where i.job_id = $1 and i.card_id = any ($2::uuid[]) and i.card_id = n.card_id and i.outcome is null
     returning 1`,
    [
      toUuid(jobId, "job"),
      marks.map(({ cardId }) => toUuid(cardId)),
      marks.map(({ outcome }) => outcome),
      marks.map(({ code }) => code),
      marks.map(({ message }) => message),
      marks.map(({ changedAt }) => changedAt),
      marks.map(({ details }) => (details === undefined ? null : JSON.stringify(details))),
    ],
    "job-items-mark",
  );
  return rows.length;
}

interface ItemRow {
  card_id: string;
  sku: string | null;
  title: string | null;
  outcome: JobItemOutcome;
  code: string | null;
  message: string | null;
  details: ErrorDetail[] | null;
}

/**
 * One page of the cards that a job has been at, in the order in which it is.
 * @throws VaultError `not_found` for a job that is unknown or of another account; `invalid_cursor`
 */
export async function listJobItems(
  db: Queryable,
  accountId: string,
  { id, limit, cursor, ...filters }: JobItemsInput,
): Promise<JobItems> {
  const parts = new StatementParts();
  parts.where(`i.job_id = ${parts.bind(await knownJob(db, accountId, id), "uuid")}`);
  parts.where("i.outcome is not null");
  parts.whereOneOf("i.outcome", filters.outcome, "text");
  // The condition of the partial index, word for word.
  if (filters.remarked !== undefined) {
    parts.where(filters.remarked ? "i.code is not null" : "i.code is null");
  }
  const scope = ["job_items", accountId, id, filters.outcome ?? null, filters.remarked ?? null];
  const after =
    cursor === undefined ? undefined : decodeCursor(scope, cursor, (value) => value === null);
  if (after !== undefined) parts.where(`i.card_id > ${parts.bind(after.id, "uuid")}`);
  const found = await db.query<ItemRow>(
    `select i.card_id, c.sku, c.title, i.outcome, i.code, i.message, i.details
     from job_item i join card c on c.id = i.card_id
     where ${parts.conditions.join(" and ")} order by i.card_id limit ${parts.bind(limit + 1, "int")}`,
    parts.values,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return {
    data: rows.map(itemAnswer),
    next_cursor: hasMore ? encodeCursor(scope, { value: null, id: last.card_id }) : null,
    has_more: hasMore,
  };
}

async function knownJob(db: Queryable, accountId: string, id: string): Promise<string> {
  const rows = isId("job", id)
    ? await db.query(
        "select 1 from job where account_id = $1 and id = $2",
        [toUuid(accountId), toUuid(id)],
        "job-exists",
      )
    : [];
  if (rows.length === 0) throw new VaultError("not_found");
  return toUuid(id);
}

function itemAnswer({ card_id, sku, title, ...rest }: ItemRow): JobItem {
  return { card: { id: toId("card", card_id), sku, title }, ...rest };
}
