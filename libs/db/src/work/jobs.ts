import { VaultError } from "@cardvault/contract";
import type { JobStatus } from "@cardvault/contract";
import { decideJob } from "@cardvault/domain";
import type { JobCommand, JobState } from "@cardvault/domain";
import { currentCause, newId, toId, toUuid, traced } from "@cardvault/kit";
import type { Cause } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import type { Page, PageQuery } from "../read/events.ts";
import { countRows, readPage } from "../read/keyset.ts";
import type { KeysetList } from "../read/keyset.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";

/** NOTIFY channel that wakes the relay after a commit which added work. It polls too: a lost one costs a second. */
export const workChannel = "vault_work";

export interface NewJobRow {
  kind: string;
  /** Null for work of the installation itself. */
  accountId: string | null;
  /** JSON that the kind's handler reads. No secrets. */
  payload: unknown;
  /** Who asked for it: a user's id, a key's id. */
  createdBy?: string | undefined;
  /** An id, as it is shown, of what it works on. */
  subjectId?: string | undefined;
  /** The batch on whose cards it works, and whether it changes which they are. */
  batchId?: string | undefined;
  changesMembership?: boolean | undefined;
  /** Of the account's jobs only one has it. */
  idempotencyKey?: string | undefined;
  /** What is known of it before it begins. */
  progress?: unknown;
  /** Not before then; at once unless told. */
  runAt?: Date | undefined;
}

/** A job as its handler and the pages see it. */
export interface JobRow {
  id: string;
  accountId: string | null;
  kind: string;
  status: JobStatus;
  payload: unknown;
  progress: unknown;
  error: { code: string; message: string } | null;
  nextRunAt: Date | null;
  leaseUntil: Date | null;
  createdBy: string | null;
  subjectId: string | null;
  batchId: string | null;
  changesMembership: boolean;
  cancelRequestedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  /** The request that asked for it. */
  cause: Cause;
}

export interface StoredJob {
  id: string;
  account_id: string | null;
  kind: string;
  status: JobStatus;
  payload: unknown;
  progress: unknown;
  error: { code: string; message: string } | null;
  next_run_at: Date | null;
  created_by: string | null;
  subject_id: string | null;
  batch_id: string | null;
  changes_membership: boolean;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
  lease_token: string | null;
  lease_until: Date | null;
  claims: number;
  paused_by_hand: boolean;
  paused_by_suspension: boolean;
  cancel_requested_at: Date | null;
  request_id: string | null;
  traceparent: string | null;
}

/**
 * Writes a job in the transaction of the change that asks for it, so that a 202 is never forgotten.
 * After the commit the caller notifies {@link workChannel}.
 * @returns the job's id
 */
export function enqueueJob(tx: Queryable, job: NewJobRow, now: Date): Promise<string> {
  const options = { kind: "producer", facts: { "vault.job_kind": job.kind } } as const;
  return traced("enqueue", options, () => insertJob(tx, job, now));
}

async function insertJob(tx: Queryable, job: NewJobRow, now: Date): Promise<string> {
  const id = newId("job");
  const { requestId, traceparent } = currentCause();
  await tx.query(
    `insert into job (id, account_id, kind, payload, created_by, created_at, updated_at, next_run_at, subject_id,
       batch_id, changes_membership, idempotency_key, progress, request_id, traceparent)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      toUuid(id),
      job.accountId === null ? null : toUuid(job.accountId, "acc"),
      job.kind,
      JSON.stringify(job.payload),
      job.createdBy ?? null,
      now,
      job.runAt ?? now,
      job.subjectId ?? null,
      job.batchId === undefined ? null : toUuid(job.batchId, "batch"),
      job.changesMembership ?? false,
      job.idempotencyKey ?? null,
      JSON.stringify(job.progress ?? {}),
      requestId === null ? null : toUuid(requestId, "req"),
      traceparent,
    ],
    "job-insert",
  );
  return id;
}

export interface JobChange {
  jobId: string;
  /** Only a job of this account; another's is not there. Left out by the worker. */
  accountId?: string | undefined;
  command: JobCommand;
  now: Date;
  /** The lease that a claim takes, or under which a running handler writes. */
  leaseToken?: string | undefined;
  progress?: unknown;
  /** When it is to run next; at once unless told. */
  runAt?: Date | undefined;
  /** What a person reads about a failure; its code is the command's reason. */
  failureMessage?: string | undefined;
}

/**
 * Applies a command to a job by the domain's rules, its row locked until the caller's commit.
 * @throws VaultError `not_found`; `invalid_transition`; `conflict` where the lease is another's
 */
export async function changeJob(tx: Queryable, change: JobChange): Promise<JobRow> {
  const { command, now } = change;
  const stored = await lockJob(tx, change.jobId, change.accountId);
  if (command.type !== "claim" && change.leaseToken !== undefined) {
    if (stored.lease_token !== change.leaseToken) {
      throw new VaultError("conflict", { message: "The lease of this run has been lost." });
    }
  }
  const { state } = decideJob(stateOf(stored), command, now);
  const isOpen = state.status === "queued" || state.status === "running";
  const wasOpen = stored.status === "queued" || stored.status === "running";
  const isLeased = state.leaseUntil !== null;
  const [row] = await tx.query<StoredJob>(
    `update job set status = $2, lease_until = $3, lease_token = $4, claims = $5, paused_by_hand = $6,
       paused_by_suspension = $7, cancel_requested_at = $8, error = $9, finished_at = $10, progress = $11,
       next_run_at = $12, updated_at = $13,
       enqueued_at = case when $14 then null else enqueued_at end, relay_until = case when $14 then null else relay_until end
     where id = $1 returning *`,
    [
      stored.id,
      state.status,
      state.leaseUntil,
      isLeased ? (command.type === "claim" ? change.leaseToken : stored.lease_token) : null,
      state.claims,
      state.isPausedByHand,
      state.isPausedBySuspension,
      state.cancelRequestedAt,
      errorOf(state, change.failureMessage),
      state.endedAt,
      JSON.stringify(change.progress ?? stored.progress),
      isOpen ? (change.runAt ?? (wasOpen ? stored.next_run_at : now)) : stored.next_run_at,
      now,
      // Back among the open ones: its job in the queue may be gone, so the relay has to make it again.
      isOpen && !wasOpen,
    ],
    "job-change",
  );
  if (row === undefined) throw new VaultError("not_found");
  return rowOf(row);
}

/** A job as it stands. */
export async function readJob(db: Queryable, jobId: string): Promise<JobRow | undefined> {
  const [row] = await db.query<StoredJob>(
    "select * from job where id = $1",
    [toUuid(jobId, "job")],
    "job-read",
  );
  return row === undefined ? undefined : rowOf(row);
}

/** The account's job with this idempotency key. */
export async function findJobByKey(
  db: Queryable,
  accountId: string,
  key: string,
): Promise<JobRow | undefined> {
  const [row] = await db.query<StoredJob>(
    "select * from job where account_id = $1 and idempotency_key = $2",
    [toUuid(accountId), key],
    "job-by-key",
  );
  return row === undefined ? undefined : rowOf(row);
}

/** Ids of the account's jobs that its suspension has paused. */
export async function listSuspendedJobs(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "select id from job where account_id = $1 and status = 'paused' and paused_by_suspension order by id",
    [toUuid(accountId)],
  );
  return rows.map(({ id }) => toId("job", id));
}

/**
 * Kinds that nobody follows as a job: there is one for each listing that is published, which shows itself how far it
 * is, and one for each notice that is mailed.
 */
const ofOneThing = "('publish_listing', 'revise_listing', 'withdraw_listing', 'notice.mail')";

interface JobFilters {
  status?: readonly JobStatus[] | undefined;
  subject_id?: string | undefined;
}

/** Those of single listings only where their listing is named. */
function jobParts(accountId: string, filters: JobFilters): StatementParts {
  const parts = new StatementParts();
  parts.where(`c.account_id = ${parts.bind(toUuid(accountId), "uuid")}`);
  parts.whereOneOf("c.status", filters.status, "text");
  if (filters.subject_id === undefined) parts.where(`c.kind not in ${ofOneThing}`);
  else parts.where(`c.subject_id = ${parts.bind(filters.subject_id, "text")}`);
  return parts;
}

/** One page of an account's jobs, the latest first. */
export async function listJobs(
  db: Queryable,
  accountId: string,
  { limit, cursor, ...filters }: PageQuery & JobFilters,
): Promise<Page<JobRow>> {
  const page = await readPage<StoredJob>(
    db,
    jobList,
    { accountId, sort: "-created_at", limit, cursor, scope: scopeOf(filters) },
    jobParts(accountId, filters),
  );
  const { next_cursor, has_more } = page;
  return { data: page.rows.map(rowOf), next_cursor, has_more };
}

/** How many there are with these filters, counted up to one more than `maxExactCount`. */
export function countJobs(
  db: Queryable,
  accountId: string,
  { status, subject_id }: JobFilters,
): Promise<number> {
  return countRows(db, jobList, jobParts(accountId, { status, subject_id }));
}

/** Of more than this the latest are answered. */
const mostChangedJobs = 100;

/** The account's jobs that were changed after a moment, the last changed first; of single listings none. */
export async function listJobsChangedSince(
  db: Queryable,
  accountId: string,
  since: Date,
): Promise<JobRow[]> {
  const rows = await db.query<StoredJob>(
    `select * from job where account_id = $1 and updated_at > $2 and kind not in ${ofOneThing}
     order by updated_at desc, id desc limit $3`,
    [toUuid(accountId), since, mostChangedJobs],
    "jobs-changed",
  );
  return rows.map(rowOf);
}

const jobList: KeysetList = {
  name: "jobs",
  table: "job",
  projection: "c.*",
  sorts: { created_at: { column: "created_at", type: "timestamptz" } },
};

async function lockJob(
  tx: Queryable,
  id: string,
  accountId: string | undefined,
): Promise<StoredJob> {
  const [stored] = await tx.query<StoredJob>(
    "select * from job where id = $1 and ($2::uuid is null or account_id = $2) for update",
    [toUuid(id, "job"), accountId === undefined ? null : toUuid(accountId, "acc")],
    "job-lock",
  );
  if (stored === undefined) throw new VaultError("not_found");
  return stored;
}

function stateOf(stored: StoredJob): JobState {
  return {
    status: stored.status,
    leaseUntil: stored.lease_until,
    claims: stored.claims,
    isPausedByHand: stored.paused_by_hand,
    isPausedBySuspension: stored.paused_by_suspension,
    cancelRequestedAt: stored.cancel_requested_at,
    failureReason: stored.error?.code ?? null,
    endedAt: stored.finished_at,
  };
}

function errorOf(state: JobState, message: string | undefined): string | null {
  if (state.failureReason === null) return null;
  return JSON.stringify({ code: state.failureReason, message: message ?? "The job failed." });
}

/** A job's row as its handler and the pages see it. */
export function rowOf(stored: StoredJob): JobRow {
  return {
    id: toId("job", stored.id),
    accountId: stored.account_id === null ? null : toId("acc", stored.account_id),
    kind: stored.kind,
    status: stored.status,
    payload: stored.payload,
    progress: stored.progress,
    error: stored.error,
    nextRunAt: stored.next_run_at,
    leaseUntil: stored.lease_until,
    createdBy: stored.created_by,
    subjectId: stored.subject_id,
    batchId: stored.batch_id === null ? null : toId("batch", stored.batch_id),
    changesMembership: stored.changes_membership,
    cancelRequestedAt: stored.cancel_requested_at,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    finishedAt: stored.finished_at,
    cause: causeOf(stored),
  };
}

/** The columns of a cause, as they stand beside an event or a job. */
export function causeOf(row: { request_id: string | null; traceparent: string | null }): Cause {
  const { request_id: requestId, traceparent } = row;
  return { requestId: requestId === null ? null : toId("req", requestId), traceparent };
}
