import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What a chunk looked at and deleted. `next`: where the next begins; null at the end. */
export interface Removed {
  looked: number;
  deleted: number;
  next: string | null;
}

const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * The lowest UUIDv7 of a moment (RFC 9562): rows are deleted in the order in which they were made,
 * along the primary key, which needs no further index.
 */
export function lowestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

// What is not delivered yet, and what was dropped and nobody has seen, keeps its attempts.
const isOpen =
  "d.status in ('pending', 'retrying') or (d.status = 'dropped' and d.dismissed_at is null)";

/** Deletes the attempts that began before a moment: the next so many from `after` on. */
export async function deleteAttempts(
  db: Queryable,
  before: Date,
  after: string | null,
  chunk: number,
): Promise<Removed> {
  return deleteChunk(
    db,
    `with looked as materialized (
       select id, delivery_id, started_at from webhook_attempt where id > $1 and id < $2 order by id limit $4
     ), deleted as (
       delete from webhook_attempt t using looked l
       where t.id = l.id and l.started_at < $3
         and not exists (select 1 from webhook_delivery d where d.id = l.delivery_id and (${isOpen}))
       returning 1
     )`,
    "delete_attempts",
    [after ?? firstId, lowestIdAt(before), before, chunk],
  );
}

/**
 * Deletes the events that were made before a moment, with their deliveries and attempts. One that was
 * sent again since stays until that is old too.
 */
export async function deleteEvents(
  db: Queryable,
  before: Date,
  after: string | null,
  chunk: number,
): Promise<Removed> {
  return deleteChunk(
    db,
    `with looked as materialized (
       select id, created_at from webhook_event where id > $1 and id < $2 order by id limit $4
     ), deleted as (
       delete from webhook_event e using looked l
       where e.id = l.id and l.created_at < $3
         and not exists (select 1 from webhook_delivery d
           where d.event_id = l.id and (${isOpen} or d.created_at >= $3))
       returning 1
     )`,
    "delete_events",
    [after ?? firstId, lowestIdAt(before), before, chunk],
  );
}

/** The jobs that an undo is still to read. */
const openUndos = `select payload -> 'work' ->> 'job_id' from job
  where kind = 'bulk.undo' and status in ('queued', 'running', 'paused')`;

/**
 * Deletes what became of the cards of a job that ended before a moment: of the next such job from `after`
 * on, the next so many. The job itself stays, with its counts.
 */
export async function deleteJobItems(
  db: Queryable,
  before: Date,
  after: string | null,
  chunk: number,
): Promise<Removed> {
  const undone = await db.query<{ id: string }>(
    `select work as id from (${openUndos}) as undo (work) where work is not null`,
    [],
    "open_undos",
  );
  const [row] = await db.query<{ job: string | null; deleted: number }>(
    `with job as materialized (
       select j.id from job j where j.id >= $1 and j.finished_at < $2 and not j.id = any ($4::uuid[])
         and exists (select 1 from job_item i where i.job_id = j.id) order by j.id limit 1
     ), looked as materialized (
       select i.job_id, i.card_id from job_item i where i.job_id = (select id from job) order by i.card_id limit $3
     ), deleted as (
       delete from job_item i using looked l where i.job_id = l.job_id and i.card_id = l.card_id returning 1
     ), patches as (
       delete from job_patch p using looked l where p.job_id = l.job_id and p.card_id = l.card_id
     )
     select (select id from job) as job, (select count(*) from deleted) as deleted`,
    [after ?? firstId, before, chunk, undone.map(({ id }) => toUuid(id, "job"))],
    "delete_job_items",
  );
  const deleted = row?.deleted ?? 0;
  return { looked: deleted, deleted, next: row?.job ?? null };
}

async function deleteChunk(
  db: Queryable,
  statement: string,
  name: string,
  values: readonly unknown[],
): Promise<Removed> {
  const [row] = await db.query<{ looked: number; deleted: number; last: string | null }>(
    `${statement} select (select count(*) from looked) as looked, (select count(*) from deleted) as deleted,
       (select id from looked order by id desc limit 1) as last`,
    values,
    name,
  );
  const looked = row?.looked ?? 0;
  return {
    looked,
    deleted: row?.deleted ?? 0,
    next: looked < Number(values.at(-1)) ? null : (row?.last ?? null),
  };
}

/** Notices that are older, read or not, and the log of the jobs that delete. */
export async function deleteOldNotices(db: Queryable, before: Date): Promise<void> {
  await db.query("delete from notice where created_at < $1", [before], "delete_notices");
  await db.query(
    `delete from job where kind in ('webhook.retention', 'notice.mail') and finished_at < $1`,
    [before],
    "delete_finished_jobs",
  );
}

/** Whether the deletion has been asked for since a moment, or is still to be done. */
export async function hasRetentionJobSince(db: Queryable, since: Date): Promise<boolean> {
  const rows = await db.query(
    `select 1 from job where account_id is null and kind = 'webhook.retention'
       and (created_at > $1 or status in ('queued', 'running', 'paused')) limit 1`,
    [since],
    "retention_job",
  );
  return rows.length > 0;
}

/**
 * One process at a time does a piece of housekeeping, until the transaction ends.
 * @returns false where another does it at this moment
 */
export async function tryHousekeeping(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('cardvault housekeeping')) as taken",
  );
  return row?.taken === true;
}
