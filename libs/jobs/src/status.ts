import type { Database } from "@cardvault/db";
import { depthLimit } from "./stores/job-store.ts";
import type { JobStore, LaneDepth } from "./stores/job-store.ts";
import { openCondition } from "./work-source.ts";
import type { WorkSource } from "./work-source.ts";

/** Counts stop at 10,000. */
export interface JobsStatus {
  readonly store: { readonly kind: "mongodb" | "postgres"; readonly isAway: boolean };
  /** The queue's lanes; empty while the store is away. */
  readonly lanes: readonly LaneDepth[];
  readonly work: readonly WorkDepth[];
}

export interface WorkDepth {
  readonly source: "delivery" | "job";
  /** Committed and not yet in the queue. */
  readonly unrelayed: number;
  /** Not ended, whenever it is due. */
  readonly open: number;
  /** Due now. */
  readonly due: number;
  /** Due for over five seconds, and nobody works on it. */
  readonly overdue: number;
  readonly oldestDueAt: Date | null;
}

const overdueMs = 5_000;

export async function readStatus(
  db: Database,
  store: JobStore,
  sources: readonly WorkSource[],
  now: Date,
): Promise<JobsStatus> {
  const laneNames = sources.flatMap((source) => source.lanes.map(({ name }) => name));
  const [lanes, work] = await Promise.all([
    store.depth(laneNames).catch(() => undefined),
    Promise.all(sources.map((source) => depthOf(db, source, now))),
  ]);
  return {
    store: { kind: store.kind, isAway: lanes === undefined },
    lanes: lanes ?? [],
    work,
  };
}

async function depthOf(db: Database, source: WorkSource, now: Date): Promise<WorkDepth> {
  const isOpen = openCondition(source);
  const isDue = `${isOpen} and ${source.dueColumn} <= $1`;
  // A breaker holds back what it holds back: that is not overdue.
  const isHeld =
    source.name === "delivery"
      ? "endpoint_id in (select endpoint_id from webhook_endpoint_health where phase <> 'closed')"
      : "false";
  const [row] = await db.query<{
    unrelayed: number;
    open: number;
    due: number;
    overdue: number;
    oldest: Date | null;
  }>(
    `select
       (select count(*) from (select 1 from ${source.table} where ${isOpen} limit ${depthLimit}) counted) as open,
       (select count(*) from (select 1 from ${source.table} where ${isOpen} and ${source.dueColumn} <= $2
          and (lease_until is null or lease_until <= $1) and not ${isHeld} limit ${depthLimit}) counted) as overdue,
       (select count(*) from (select 1 from ${source.table} where enqueued_at is null and ${isOpen} limit ${depthLimit}) counted) as unrelayed,
       (select count(*) from (select 1 from ${source.table} where ${isDue} limit ${depthLimit}) counted) as due,
       (select min(${source.dueColumn}) from ${source.table} where ${isDue}) as oldest`,
    [now, new Date(now.getTime() - overdueMs)],
    `status-${source.name}`,
  );
  return {
    source: source.name,
    unrelayed: row?.unrelayed ?? 0,
    open: row?.open ?? 0,
    due: row?.due ?? 0,
    overdue: row?.overdue ?? 0,
    oldestDueAt: row?.oldest ?? null,
  };
}
