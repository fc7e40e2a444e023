import { VaultError } from "@cardvault/contract";
import type { ActorKind, IdentificationStatus, ReviewReason } from "@cardvault/contract";
import { newId, toId, toUuid } from "@cardvault/kit";
import type { ChangeOrigin } from "../change/change-recorder.ts";
import type { Database, Queryable } from "../connection/database.ts";
import type { Page, PageQuery } from "../read/events.ts";
import { readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { StatementParts } from "../read/statement.ts";

/** One identification of a card as it is kept. The JSON members are the caller's own, parsed. */
export interface IdentificationRow {
  id: string;
  cardId: string;
  status: IdentificationStatus;
  reviewReason: ReviewReason | null;
  threshold: number;
  candidates: unknown;
  evidence: unknown;
  attempts: unknown;
  /** Its entry of the card's history; null where it changed nothing. */
  changedAt: Date | null;
  actor: { kind: ActorKind; id: string | null };
  jobId: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

interface StoredIdentification {
  id: string;
  card_id: string;
  status: IdentificationStatus;
  review_reason: ReviewReason | null;
  threshold: number;
  candidates: unknown;
  evidence: unknown;
  attempts: unknown;
  changed_at: Date | null;
  actor_kind: ActorKind;
  actor_id: string | null;
  job_id: string | null;
  started_at: Date;
  lease_until: Date | null;
  finished_at: Date | null;
}

export interface NewIdentification {
  accountId: string;
  cardId: string;
  threshold: number;
  by: ChangeOrigin;
  now: Date;
  /** Past it another identification of the card may begin, and this one writes nothing more. */
  leaseUntil: Date;
}

/**
 * Begins an identification, in a commit of its own and before any provider is asked. One whose lease is
 * over is marked as interrupted and makes place, and so does one of the same job: a job runs once at a
 * time, so that the run which began it has died.
 * @returns its id, which is the lease too
 * @throws VaultError `identification_in_progress`; `card_not_found`
 */
export async function beginIdentification(db: Database, begun: NewIdentification): Promise<string> {
  const { accountId, cardId, threshold, by, now, leaseUntil } = begun;
  const id = newId("idn");
  const jobId = by.jobId === undefined ? null : toUuid(by.jobId, "job");
  return db.transaction(async (tx) => {
    await tx.query(
      `update identification set status = 'interrupted', lease_until = null, finished_at = $3
       where account_id = $1 and card_id = $2 and status = 'running'
         and (lease_until <= $3 or job_id = $4)`,
      [toUuid(accountId), toUuid(cardId, "card"), now, jobId],
      "identification_interrupt",
    );
    const [row] = await tx.query<{ card: boolean; begun: boolean }>(
      `with c as (select id from card where account_id = $2 and id = $3),
       i as (
         insert into identification (id, account_id, card_id, status, threshold, actor_kind, actor_id,
           job_id, started_at, lease_until)
         select $1, $2, c.id, 'running', $4, $5, $6, $7, $8, $9 from c
         on conflict (card_id) where status = 'running' do nothing returning 1
       )
       select exists (select 1 from c) as card, exists (select 1 from i) as begun`,
      [
        toUuid(id),
        toUuid(accountId),
        toUuid(cardId, "card"),
        threshold,
        by.actor.kind,
        by.actor.id,
        jobId,
        now,
        leaseUntil,
      ],
      "identification_begin",
    );
    if (row?.card !== true) throw new VaultError("card_not_found");
    if (!row.begun) throw inProgress();
    return id;
  });
}

function inProgress(): VaultError {
  return new VaultError("identification_in_progress", { retryAfterSeconds: 5 });
}

/**
 * Whether a card is being identified at this moment.
 * @throws VaultError `identification_in_progress`
 */
export async function requireNotIdentifying(
  db: Queryable,
  accountId: string,
  cardId: string,
  now: Date,
): Promise<void> {
  const rows = await db.query(
    `select 1 from identification
     where account_id = $1 and card_id = $2 and status = 'running' and lease_until > $3`,
    [toUuid(accountId), toUuid(cardId, "card"), now],
    "identification_running",
  );
  if (rows.length > 0) throw inProgress();
}

export interface FinishedIdentification {
  id: string;
  accountId: string;
  status: Exclude<IdentificationStatus, "running" | "undone">;
  reviewReason: ReviewReason | null;
  candidates: unknown;
  evidence: unknown;
  attempts: unknown;
  changedAt: Date | null;
  now: Date;
}

/**
 * Writes what became of an identification that still runs.
 * @throws VaultError `identification_in_progress` where its lease was over and another took its place
 */
export async function finishIdentification(
  tx: Queryable,
  { id, accountId, ...finished }: FinishedIdentification,
): Promise<void> {
  const rows = await tx.query(
    `update identification set status = $3, review_reason = $4, candidates = $5, evidence = $6,
       attempts = $7, changed_at = $8, finished_at = $9, lease_until = null
     where account_id = $1 and id = $2 and status = 'running' returning 1`,
    [
      toUuid(accountId),
      toUuid(id, "idn"),
      finished.status,
      finished.reviewReason,
      JSON.stringify(finished.candidates),
      JSON.stringify(finished.evidence),
      JSON.stringify(finished.attempts),
      finished.changedAt,
      finished.now,
    ],
    "identification_finish",
  );
  if (rows.length === 0) throw inProgress();
}

/** Lets go of a card whose identification came to nothing, so that the next call need not wait. */
export async function interruptIdentification(
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update identification set status = 'interrupted', lease_until = null, finished_at = $3
     where account_id = $1 and id = $2 and status = 'running'`,
    [toUuid(accountId), toUuid(id, "idn"), now],
    "identification_let_go",
  );
}

/** Null for an id that is unknown or of another account. */
export async function findIdentification(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<IdentificationRow | null> {
  const [row] = await db.query<StoredIdentification>(
    "select * from identification where account_id = $1 and id = $2",
    [toUuid(accountId), toUuid(id, "idn")],
    "identification",
  );
  return row === undefined ? null : rowOf(row, new Date(0));
}

/** The latest identification of each card that left candidates, by card. */
export async function latestIdentifications(
  db: Queryable,
  accountId: string,
  cardIds: readonly string[],
): Promise<ReadonlyMap<string, IdentificationRow>> {
  const rows = await db.query<StoredIdentification>(
    `select i.* from unnest($2::uuid[]) as c (id)
     join lateral (
       select * from identification i where i.account_id = $1 and i.card_id = c.id
         and i.status in ('applied', 'review', 'late', 'failed')
       order by i.started_at desc, i.id desc limit 1
     ) i on true`,
    [toUuid(accountId), cardIds.map((id) => toUuid(id, "card"))],
    "identification_latest",
  );
  return new Map(rows.map((row) => [toId("card", row.card_id), rowOf(row, new Date(0))]));
}

/** Marks an identification as undone, once. */
export async function markIdentificationUndone(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<void> {
  const rows = await tx.query(
    `update identification set status = 'undone'
     where account_id = $1 and id = $2 and status = 'applied' returning 1`,
    [toUuid(accountId), toUuid(id, "idn")],
    "identification_undo",
  );
  if (rows.length === 0) {
    throw new VaultError("invalid_transition", { message: "This identification is not applied." });
  }
}

const identificationList: KeysetList = {
  name: "identifications",
  table: "identification",
  projection: "c.*",
  sorts: { started_at: { column: "started_at", type: "timestamptz" } },
};

/** One page of a card's identifications, the latest first. */
export async function listIdentifications(
  db: Queryable,
  accountId: string,
  { cardId, limit, cursor, now }: PageQuery & { cardId: string; now: Date },
): Promise<Page<IdentificationRow>> {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.where(`c.card_id = ${parts.bind(toUuid(cardId, "card"), "uuid")}`);
  const query = { accountId, sort: "-started_at", limit, cursor, scope: [cardId] };
  const page = await readPage<StoredIdentification>(db, identificationList, query, parts);
  const { next_cursor, has_more } = page;
  return { data: page.rows.map((row) => rowOf(row, now)), next_cursor, has_more };
}

/** A run whose lease is over has died, also before the next one says so. */
function rowOf(row: StoredIdentification, now: Date): IdentificationRow {
  const isOver = row.lease_until !== null && row.lease_until <= now;
  return {
    id: toId("idn", row.id),
    cardId: toId("card", row.card_id),
    status: isOver ? "interrupted" : row.status,
    reviewReason: row.review_reason,
    threshold: row.threshold,
    candidates: row.candidates,
    evidence: row.evidence,
    attempts: row.attempts,
    changedAt: row.changed_at,
    actor: { kind: row.actor_kind, id: row.actor_id },
    jobId: row.job_id === null ? null : toId("job", row.job_id),
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? (isOver ? row.lease_until : null),
  };
}
