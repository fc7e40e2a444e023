import type { QueueReason, ReviewDecisionKind, ReviewOrder } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { StatementParts } from "../read/statement.ts";

/** Whose queue it is, and which cards are in it. */
export interface ReviewQueue {
  accountId: string;
  userId: string;
  reasons: readonly QueueReason[];
  /** Null: cards of any batch, and of none. */
  batchId: string | null;
  now: Date;
}

const orders: Record<ReviewOrder, string> = {
  confidence: `(select (i.candidates -> 0 ->> 'confidence')::float8 from identification i
    where i.card_id = c.id and i.status in ('applied', 'review', 'late', 'failed')
    order by i.started_at desc, i.id desc limit 1) desc nulls last, c.created_at`,
  value: `coalesce(c.market_price, c.asking_price, c.purchase_price) desc nulls last, c.created_at`,
  age: `c.updated_at`,
};

/**
 * The next cards of a queue, locked for the reviewer until then: those already held first, then those
 * that were never skipped, and at the end those skipped longest ago. A card that another reviewer holds
 * is not among them, and of two who ask at once one gets it.
 * @returns card ids in the queue's order
 */
export async function lockNextReviews(
  tx: Queryable,
  {
    order,
    limit,
    until,
    ...queue
  }: ReviewQueue & { order: ReviewOrder; limit: number; until: Date },
): Promise<string[]> {
  const parts = new StatementParts();
  const where = queueConditions(parts, queue);
  const user = parts.bind(queue.userId, "text");
  const now = parts.bind(queue.now, "timestamptz");
  const rows = await tx.query<{ id: string }>(
    `with wanted as (
       select c.id, row_number() over (
         order by (l.user_id = ${user} and l.locked_until > ${now}) is true desc, s.at nulls first, ${orders[order]}, c.id
       ) as place
       from card c
       left join review_lock l on l.card_id = c.id
       left join lateral (
         select max(d.decided_at) as at from review_decision d
         where d.card_id = c.id and d.user_id = ${user} and d.kind = 'skipped' and d.undone_at is null
       ) s on true
       where ${where} and (l.card_id is null or l.user_id = ${user} or l.locked_until <= ${now})
       order by place limit ${parts.bind(limit, "int")}
     ), locked as (
       insert into review_lock as l (card_id, account_id, user_id, locked_until)
       select w.id, $1, ${user}, ${parts.bind(until, "timestamptz")} from wanted w order by w.id
       on conflict (card_id) do update set user_id = excluded.user_id, locked_until = excluded.locked_until
         where l.user_id = excluded.user_id or l.locked_until <= ${now}
       returning card_id
     )
     select w.id from locked k join wanted w on w.id = k.card_id order by w.place`,
    parts.values,
  );
  return rows.map(({ id }) => toId("card", id));
}

function queueConditions(
  parts: StatementParts,
  { accountId, reasons, batchId }: Pick<ReviewQueue, "accountId" | "reasons" | "batchId">,
): string {
  const conditions = [
    `c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`,
    "c.needs_review",
    `c.review_reason = any (${parts.bind(reasons, "text[]")})`,
    "c.workflow_status <> 'archived'",
  ];
  if (batchId !== null)
    conditions.push(`c.batch_id = ${parts.bind(toUuid(batchId, "batch"), "uuid")}`);
  return conditions.join(" and ");
}

/** Holds on to cards that are the user's; one whose lock is over only where nobody else took it. */
export async function renewReviewLocks(
  db: Queryable,
  held: { accountId: string; userId: string; cardIds: readonly string[]; until: Date },
): Promise<{ cardId: string; lockedUntil: Date }[]> {
  const rows = await db.query<{ card_id: string; locked_until: Date }>(
    `update review_lock set locked_until = $4
     where account_id = $1 and user_id = $2 and card_id = any ($3::uuid[])
     returning card_id, locked_until`,
    [toUuid(held.accountId), held.userId, held.cardIds.map((id) => toUuid(id, "card")), held.until],
    "review_renew",
  );
  return rows.map((row) => ({ cardId: toId("card", row.card_id), lockedUntil: row.locked_until }));
}

/** Lets cards go. @returns how many were the user's */
export async function releaseReviewLocks(
  db: Queryable,
  accountId: string,
  userId: string,
  cardIds: readonly string[],
): Promise<number> {
  const rows = await db.query(
    `delete from review_lock where account_id = $1 and user_id = $2 and card_id = any ($3::uuid[])
     returning 1`,
    [toUuid(accountId), userId, cardIds.map((id) => toUuid(id, "card"))],
    "review_release",
  );
  return rows.length;
}

/** Who else holds a card at this moment; null where nobody does. */
export async function findReviewHolder(
  db: Queryable,
  accountId: string,
  cardId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<string | null> {
  const [row] = await db.query<{ user_id: string }>(
    `select user_id from review_lock
     where account_id = $1 and card_id = $2 and user_id <> $3 and locked_until > $4`,
    [toUuid(accountId), toUuid(cardId, "card"), userId, now],
    "review_holder",
  );
  return row?.user_id ?? null;
}

export interface ReviewDecisionRow {
  id: string;
  cardId: string;
  kind: ReviewDecisionKind;
  decidedAt: Date;
  changedAt: Date | null;
}

/** Writes a decision, and lets the card go. */
export async function writeReviewDecision(
  tx: Queryable,
  decision: Omit<ReviewDecisionRow, "id"> & { accountId: string; userId: string },
): Promise<void> {
  const { accountId, userId, cardId, kind, decidedAt, changedAt } = decision;
  await tx.query(
    `insert into review_decision (id, account_id, card_id, user_id, kind, decided_at, changed_at)
     values (uuidv7(), $1, $2, $3, $4, $5, $6)`,
    [toUuid(accountId), toUuid(cardId, "card"), userId, kind, decidedAt, changedAt],
    "review_decide",
  );
  await releaseReviewLocks(tx, accountId, userId, [cardId]);
}

/** The user's last decision since a moment that was not undone; null where there is none. */
export async function findLastDecision(
  db: Queryable,
  { accountId, userId, since }: { accountId: string; userId: string; since: Date },
): Promise<ReviewDecisionRow | null> {
  const [row] = await db.query<{
    id: string;
    card_id: string;
    kind: ReviewDecisionKind;
    decided_at: Date;
    changed_at: Date | null;
  }>(
    `select id, card_id, kind, decided_at, changed_at from review_decision
     where account_id = $1 and user_id = $2 and decided_at >= $3 and undone_at is null
     order by decided_at desc, id desc limit 1`,
    [toUuid(accountId), userId, since],
    "review_last_decision",
  );
  if (row === undefined) return null;
  return {
    id: row.id,
    cardId: toId("card", row.card_id),
    kind: row.kind,
    decidedAt: row.decided_at,
    changedAt: row.changed_at,
  };
}

/** @returns false where it was undone meanwhile */
export async function markDecisionUndone(tx: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update review_decision set undone_at = $2 where id = $1 and undone_at is null returning 1`,
    [id, now],
    "review_undo",
  );
  return rows.length > 0;
}

/** How many cards wait, by reason, and how many of them others hold. */
export async function countReviews(
  db: Queryable,
  queue: ReviewQueue,
): Promise<{ reason: QueueReason; waiting: number; heldByOthers: number }[]> {
  const parts = new StatementParts();
  const where = queueConditions(parts, queue);
  const user = parts.bind(queue.userId, "text");
  const now = parts.bind(queue.now, "timestamptz");
  return db.query(
    `select c.review_reason as reason, count(*)::int as waiting,
       (count(*) filter (where l.user_id <> ${user} and l.locked_until > ${now}))::int as "heldByOthers"
     from card c left join review_lock l on l.card_id = c.id
     where ${where} group by c.review_reason`,
    parts.values,
  );
}

/** When the user decided since a moment, skips left out, the latest first. */
export async function listDecisionTimes(
  db: Queryable,
  { accountId, userId, since }: { accountId: string; userId: string; since: Date },
): Promise<Date[]> {
  const rows = await db.query<{ decided_at: Date }>(
    `select decided_at from review_decision
     where account_id = $1 and user_id = $2 and decided_at >= $3 and kind <> 'skipped' and undone_at is null
     order by decided_at desc`,
    [toUuid(accountId), userId, since],
    "review_decision_times",
  );
  return rows.map((row) => row.decided_at);
}
