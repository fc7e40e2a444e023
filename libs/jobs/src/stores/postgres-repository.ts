import { PostgresJobRepository } from "@agendajs/postgres-backend";
import { toJobId } from "agenda";
import type { JobId, JobParameters, JobRepositoryOptions, RemoveJobsOptions } from "agenda";
import type { Pool } from "pg";

interface ClaimedRow {
  id: string;
  name: string;
  next_run_at: Date | null;
  locked_at: Date;
  fail_count: number | null;
  data: unknown;
}

interface Held {
  readonly job: JobParameters;
  readonly claimedAtMs: number;
}

/** Claimed by one statement. Held beside a lane's lock limit until Agenda asks for them. */
const claimBatch = 15;
/** What Agenda has no room for within this time is given back, long before its lock expires. */
const holdMs = 1_000;

/**
 * Agenda's repository with the same guarantees in fewer statements: it claims several jobs of a lane
 * at once, removes all that were done meanwhile by one statement, and does not write what the
 * lease in PostgreSQL knows. Agenda itself claims one job a round trip.
 */
export class BatchingPostgresRepository extends PostgresJobRepository {
  readonly #pool: Pool;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Map<string, Held[]>();
  readonly #claims = new Map<string, Promise<void>>();
  /** Lanes in which the last claim found nothing. */
  readonly #idle = new Set<string>();
  #probe: Promise<ReadonlySet<string>> | undefined;
  #removals = new Set<string>();
  #removing: Promise<void> | undefined;

  constructor(pool: Pool, onError: (error: unknown) => void) {
    super({ pool, ensureSchema: false });
    this.#pool = pool;
    this.#onError = onError;
  }

  override async getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
  ): Promise<JobParameters | undefined> {
    const ready = this.#takeHeld(name);
    if (ready !== undefined) return ready;
    if (this.#idle.has(name) && !(await this.#hasDue(name, nextScanAt, lockDeadline))) {
      return undefined;
    }
    // Agenda may look for the same lane twice at once: the second waits for the first one's find.
    const underway = this.#claims.get(name);
    const claim = underway ?? this.#claim(name, nextScanAt, lockDeadline);
    if (underway === undefined) {
      this.#claims.set(name, claim);
      void claim.catch(() => undefined).finally(() => this.#claims.delete(name));
    }
    await claim;
    return this.#takeHeld(name);
  }

  /** Agenda looks into every lane at every tick: those that were empty share one statement. */
  async #hasDue(name: string, nextScanAt: Date, lockDeadline: Date): Promise<boolean> {
    this.#probe ??= this.#findDueLanes(nextScanAt, lockDeadline).finally(() => {
      this.#probe = undefined;
    });
    return (await this.#probe).has(name);
  }

  async #findDueLanes(nextScanAt: Date, lockDeadline: Date): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ lane: string }>({
      name: "probe",
      text: `select lane from unnest($1::text[]) as lane where exists (
          select 1 from agenda_jobs where name = lane and disabled = false and next_run_at <= $2
            and (locked_at is null or locked_at <= $3))`,
      values: [[...this.#idle], nextScanAt, lockDeadline],
    });
    return new Set(rows.map(({ lane }) => lane));
  }

  #takeHeld(name: string): JobParameters | undefined {
    const held = this.#held.get(name);
    const first = held?.[0];
    if (held === undefined || first === undefined) return undefined;
    if (Date.now() - first.claimedAtMs > holdMs) {
      const late = held.splice(0).map(({ job }) => job._id ?? "");
      this.unlockJobs(late).catch(this.#onError);
      return undefined;
    }
    held.shift();
    return first.job;
  }

  async #claim(name: string, nextScanAt: Date, lockDeadline: Date): Promise<void> {
    const now = new Date();
    const { rows } = await this.#pool.query<ClaimedRow>({
      name: "claim",
      text: `update agenda_jobs set locked_at = $1 where id = any(array(
          select id from agenda_jobs
          where name = $2 and disabled = false and next_run_at <= $3 and (locked_at is null or locked_at <= $4)
          order by next_run_at limit ${claimBatch} for update skip locked))
        returning id, name, next_run_at, locked_at, fail_count, data`,
      values: [now, name, nextScanAt, lockDeadline],
    });
    if (rows.length === 0) {
      this.#idle.add(name);
      return;
    }
    this.#idle.delete(name);
    const held = this.#held.get(name) ?? [];
    this.#held.set(name, held);
    const jobs = rows.map(jobOf).toSorted((one, other) => dueMs(one) - dueMs(other));
    held.push(...jobs.map((job) => ({ job, claimedAtMs: now.getTime() })));
  }

  /**
   * A job without a next run is one that begins (its lock says so already) or one that is done (it is
   * removed at once). Only "run again at" has something to write. So a job whose worker dies keeps
   * its next run, and is the first to be claimed when its lock expires.
   */
  override async saveJobState(
    job: JobParameters,
    options: JobRepositoryOptions | undefined,
  ): Promise<void> {
    if (job.nextRunAt !== null) await super.saveJobState(job, options);
  }

  override async removeJobs(options: RemoveJobsOptions): Promise<number> {
    if (options.id === undefined || Object.keys(options).length > 2) {
      return super.removeJobs(options);
    }
    this.#removals.add(options.id);
    this.#removing ??= this.#removeAll();
    await this.#removing;
    return 1;
  }

  async #removeAll(): Promise<void> {
    try {
      while (this.#removals.size > 0) {
        const ids = [...this.#removals];
        this.#removals = new Set();
        await this.#pool.query({
          name: "remove",
          text: "delete from agenda_jobs where id = any($1::uuid[])",
          values: [ids],
        });
      }
    } finally {
      this.#removing = undefined;
    }
  }

  /** Agenda does not wait for this one: a rejection would end the process. */
  override async unlockJob(job: JobParameters): Promise<void> {
    await super.unlockJob(job).catch(this.#onError);
  }

  /** Gives back what was claimed and not asked for. */
  async giveBack(): Promise<void> {
    await Promise.allSettled(this.#claims.values());
    const ids = [...this.#held.values()].flat().map(({ job }) => job._id ?? "");
    this.#held.clear();
    await this.unlockJobs(ids).catch(this.#onError);
    await this.#removing?.catch(this.#onError);
  }
}

function dueMs(job: JobParameters): number {
  return job.nextRunAt?.getTime() ?? 0;
}

function jobOf(row: ClaimedRow): JobParameters {
  const id: JobId = toJobId(row.id);
  return {
    _id: id,
    name: row.name,
    priority: 0,
    nextRunAt: row.next_run_at,
    type: "normal",
    lockedAt: row.locked_at,
    data: row.data,
    ...(row.fail_count === null ? {} : { failCount: row.fail_count }),
  };
}
