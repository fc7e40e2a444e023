import type { IdPrefix } from "@cardvault/kit";
import { deliveryWindow, hasMore } from "./delivery-window.ts";

/**
 * A table of durable work. All have the same columns: `enqueued_at` and `relay_until` of the relay,
 * `lease_token`, `lease_until` and `claims` of whoever works, and the time when a row is due.
 */
export interface WorkSource {
  readonly name: "delivery" | "job";
  readonly table: string;
  readonly dueColumn: string;
  /** The statuses in which there is something to do. */
  readonly openStatuses: readonly string[];
  readonly idPrefix: IdPrefix;
  /** The one member of an Agenda job's data: it names the row, and nothing else leaves PostgreSQL. */
  readonly dataMember: "deliveryId" | "jobId";
  /** What `laneOf` wants to know of a row, in SQL. */
  readonly laneColumns: string;
  /**
   * A CTE `next` of the ids to be relayed, locked, of so many at most; `$1` is now, `$3` a moment later.
   * And in SQL whether there are more that only wait for room.
   */
  readonly relay: { readonly next: (limit: number) => string; readonly hasMore: string };
  /** Rows that end soon need not be marked as enqueued: those that have not are marked after a second. */
  readonly marksLater: boolean;
  /** Where the traces of the rows `$1` go on, in SQL: asked for only while traces are recorded. */
  readonly traceparents: string;
  readonly lanes: readonly Lane[];
  laneOf(row: LaneFacts): string;
}

/** One Agenda job name. A lane that is full of slow work does not hold up another. */
interface Lane {
  readonly name: string;
  /** Runs at once, in one process. */
  readonly concurrency: number;
  /** Jobs locked by one process: those that run, and those that wait in its memory. */
  readonly lockLimit: number;
}

export interface LaneFacts {
  readonly shard_key: string | null;
  readonly attempts: number;
}

export interface LaneSettings {
  /** Lanes among which endpoints are divided. */
  readonly deliveryShards: number;
  readonly concurrency: number;
  readonly lockLimit: number;
  readonly jobConcurrency: number;
}

/**
 * `(lockLimit / concurrency) × 10 s` must stay below the lock's lifetime: a job whose lock expires
 * while it waits in memory never frees its slot (Agenda 6.2.6).
 */
export const defaultLanes: LaneSettings = {
  deliveryShards: 4,
  concurrency: 40,
  lockLimit: 60,
  jobConcurrency: 8,
};

/** From this many failed attempts on the waits are hours, and the receiver is probably gone. */
const lateFromAttempts = 4;
const lateLane = "delivery-late";
const jobLane = "job";

export function deliverySource(settings: LaneSettings): WorkSource {
  const { deliveryShards, concurrency, lockLimit } = settings;
  const shards = Array.from({ length: deliveryShards }, (_, shard) => `delivery-${shard}`);
  return {
    name: "delivery",
    table: "webhook_delivery",
    dueColumn: "next_attempt_at",
    openStatuses: ["pending", "retrying"],
    idPrefix: "dlv",
    dataMember: "deliveryId",
    laneColumns: "work.endpoint_id as shard_key, work.attempts as attempts",
    relay: { next: deliveryWindow, hasMore },
    marksLater: true,
    traceparents: `select d.id, e.traceparent from webhook_delivery d join webhook_event e on e.id = d.event_id
      where d.id = any($1::uuid[]) and e.traceparent is not null`,
    lanes: [...shards, lateLane].map((name) => ({ name, concurrency, lockLimit })),
    laneOf: ({ shard_key: endpoint, attempts }) =>
      attempts >= lateFromAttempts ? lateLane : `delivery-${shardOf(endpoint, deliveryShards)}`,
  };
}

export function jobSource({ jobConcurrency }: LaneSettings): WorkSource {
  return {
    name: "job",
    table: "job",
    dueColumn: "next_run_at",
    openStatuses: ["queued", "running"],
    idPrefix: "job",
    dataMember: "jobId",
    laneColumns: "null::uuid as shard_key, 0 as attempts",
    relay: {
      next: (limit) => `with next as materialized (
        select id from job where enqueued_at is null and status in ('queued', 'running')
          and (relay_until is null or relay_until <= $1) and $3::timestamptz is not null
        order by id limit ${limit} for update skip locked)`,
      hasMore: "false",
    },
    marksLater: false,
    traceparents:
      "select id, traceparent from job where id = any($1::uuid[]) and traceparent is not null",
    // A chunk may take its whole lease, so none waits in memory.
    lanes: [{ name: jobLane, concurrency: jobConcurrency, lockLimit: jobConcurrency }],
    laneOf: () => jobLane,
  };
}

/** The last digits of a UUIDv7 are random, so endpoints spread evenly. */
function shardOf(endpointUuid: string | null, shards: number): number {
  return endpointUuid === null ? 0 : Number.parseInt(endpointUuid.slice(-6), 16) % shards;
}

/** What became of one run. Both ways end it normally; a throw is run again after five seconds. */
export type RunOutcome =
  | { readonly type: "done" }
  /** `lane` moves it to another lane. */
  | { readonly type: "run_again"; readonly at: Date; readonly lane?: LaneFacts | undefined };

export interface RunContext {
  /** Agenda's name of the job. */
  readonly lane: string;
  /** When it began, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Keeps the queue from giving the job to another while the run renews its lease. */
  touch(): Promise<void>;
}

/** Works on one row, named by its id. It takes its own lease: the queue may call it twice at once. */
export type RunWork = (id: string, context: RunContext) => Promise<RunOutcome>;

/** The condition for rows with work to do, in the words of the partial indexes. */
export function openCondition(source: WorkSource): string {
  return `status in (${source.openStatuses.map((status) => `'${status}'`).join(", ")})`;
}
