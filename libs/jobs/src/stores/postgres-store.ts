import pg from "pg";
import { depthLimit, entryOf } from "./job-store.ts";
import type { JobStore, LaneDepth, QueueEntry, StandingPage } from "./job-store.ts";
import { BatchingPostgresRepository } from "./postgres-repository.ts";

export interface PostgresStoreOptions {
  readonly url: string;
  readonly poolSize?: number | undefined;
  /** What goes wrong where nobody waits for an answer. */
  readonly onError: (error: unknown) => void;
}

const statementTimeoutMs = 15_000;

/**
 * Agenda's jobs in PostgreSQL, in the table that our own migration makes. It has a pool of its own,
 * so that the queue's many short statements never wait behind the service's.
 */
export function createPostgresStore(options: PostgresStoreOptions): JobStore {
  const { onError } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 8,
    application_name: "cardvault-queue",
    // The library writes its table's name without a schema. No commit waits for the disk: what a crash
    // of the database takes from the queue, the reconciler puts there again.
    options: "-c search_path=agenda -c synchronous_commit=off",
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
  });
  // Without listeners a dropped connection would end the process.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const repository = new BatchingPostgresRepository(pool, onError);

  return {
    kind: "postgres",
    repository,
    prepare: async () => {
      await pool.query("select 1 from agenda_jobs limit 1");
    },
    ping: async () => {
      await pool.query("select 1");
    },
    put: (entries, staleBefore) => put(pool, entries, staleBefore),
    touch: async (jobId, now) => {
      await pool.query("update agenda_jobs set locked_at = $2 where id = $1", [jobId, now]);
    },
    depth: (lanes) => depthOf(pool, lanes),
    standingAfter: (entryId, limit) => standingAfter(pool, entryId, limit),
    remove: async (entryIds) => {
      await pool.query("delete from agenda_jobs where id = any($1::uuid[])", [entryIds]);
    },
    close: async () => {
      await repository.giveBack();
      await pool.end();
    },
  };
}

async function put(
  pool: pg.Pool,
  entries: readonly QueueEntry[],
  staleBefore: Date,
): Promise<void> {
  for (const dataMember of ["deliveryId", "jobId"] as const) {
    const chosen = entries.filter((entry) => entry.dataMember === dataMember);
    if (chosen.length === 0) continue;
    await pool.query({
      name: `put-${dataMember}`,
      text: `insert into agenda_jobs as job (name, next_run_at, data)
        select name, run_at, jsonb_build_object('${dataMember}', work_id)
        from unnest($1::text[], $2::text[], $3::timestamptz[]) as entry (name, work_id, run_at)
        on conflict (name, (data ->> '${dataMember}')) where data ->> '${dataMember}' is not null
        do update set next_run_at = excluded.next_run_at, locked_at = null
        where (job.locked_at is null or job.locked_at < $4)
          and (job.next_run_at is null or job.next_run_at > excluded.next_run_at or job.locked_at < $4)`,
      values: [
        chosen.map(({ lane }) => lane),
        chosen.map(({ id }) => id),
        chosen.map(({ runAt }) => runAt),
        staleBefore,
      ],
    });
  }
}

async function depthOf(pool: pg.Pool, lanes: readonly string[]): Promise<LaneDepth[]> {
  const { rows } = await pool.query<{ lane: string; jobs: string; oldest: Date | null }>(
    `select lane,
       (select count(*) from (select 1 from agenda_jobs where name = lane and disabled = false limit ${depthLimit}) counted) as jobs,
       (select min(next_run_at) from agenda_jobs where name = lane and disabled = false) as oldest
     from unnest($1::text[]) as lane`,
    [lanes],
  );
  return rows.map(({ lane, jobs, oldest }) => ({ lane, jobs: Number(jobs), oldestRunAt: oldest }));
}

async function standingAfter(
  pool: pg.Pool,
  after: string | null,
  limit: number,
): Promise<StandingPage> {
  const { rows } = await pool.query<{
    id: string;
    delivery_id: string | null;
    job_id: string | null;
  }>(
    `select id, data ->> 'deliveryId' as delivery_id, data ->> 'jobId' as job_id from agenda_jobs
     where $1::uuid is null or id > $1 order by id limit $2`,
    [after, limit],
  );
  return {
    entries: rows.flatMap(({ id, delivery_id, job_id }) =>
      entryOf(id, { deliveryId: delivery_id, jobId: job_id }),
    ),
    next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  };
}
