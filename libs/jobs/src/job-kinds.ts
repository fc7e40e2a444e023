import { randomUUID } from "node:crypto";
import { VaultError } from "@cardvault/contract";
import { changeJob, liveChannel, readJob } from "@cardvault/db";
import type { Database, JobChange, JobRow, Queryable } from "@cardvault/db";
import { forCause, jobRan, toUuid } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import type { RunContext, RunOutcome } from "./work-source.ts";

/** How a run ended. `progress` replaces what was there; a person sees it. */
export type JobOutcome =
  | { readonly type: "done"; readonly progress?: unknown }
  /** A chunk is committed and there is more: run again, at once unless told. */
  | { readonly type: "chunk"; readonly progress?: unknown; readonly runAt?: Date | undefined }
  /** For good, and visible. `reason` is a code for programs, `message` a sentence for people. */
  | { readonly type: "failed"; readonly reason: string; readonly message: string };

export interface JobContext {
  readonly job: JobRow;
  readonly logger: Logger;
  /**
   * Call it in the transaction that commits a chunk: the progress is saved with it, or neither is.
   * @throws VaultError `conflict` where another run has taken the job over
   */
  readonly saveProgress: (tx: Queryable, progress: unknown) => Promise<void>;
  /**
   * For a run longer than its lease. Answers false where the job was cancelled or paused, or another
   * run has taken it over: stop then; what is returned after that counts for nothing.
   */
  readonly renew: () => Promise<boolean>;
}

export interface JobKind {
  /** Runs one chunk. A throw is repeated after five seconds, and fails the job after ten in a row. */
  run(context: JobContext): Promise<JobOutcome>;
  /** Its clock stands still while the account is suspended. */
  readonly pausesWhenSuspended?: boolean | undefined;
  /**
   * Called once the job has ended here, however it did. A process that dies before leaves it uncalled, and
   * a job that a person ends is not among them: what must not be missed needs a net of its own.
   */
  readonly ended?: ((job: JobRow) => Promise<void>) | undefined;
}

export interface JobKindsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
}

const unknownKindMs = 60_000;
const contendedMs = 1_000;

/** Runs the rows of the job table by their kind: claim, one chunk, report. */
export class JobKinds {
  readonly #options: JobKindsOptions;
  readonly #kinds = new Map<string, JobKind>();

  constructor(options: JobKindsOptions) {
    this.#options = options;
  }

  register(kind: string, handler: JobKind): void {
    this.#kinds.set(kind, handler);
  }

  async run(jobId: string, queue: RunContext): Promise<RunOutcome> {
    const found = await readJob(this.#options.db, jobId);
    if (found === undefined || !isOpen(found)) return { type: "done" };
    const { startedAtMs, lane } = queue;
    const facts = {
      "vault.job_id": jobId,
      "vault.job_kind": found.kind,
      "vault.account_id": found.accountId,
      "vault.request_id": found.cause.requestId,
      "vault.lane": lane,
    };
    return forCause(
      found.cause,
      `job ${found.kind}`,
      { kind: "consumer", facts, startedAtMs },
      () => this.#runFound(found, queue),
    );
  }

  async #runFound(found: JobRow, queue: RunContext): Promise<RunOutcome> {
    const { clock, logger } = this.#options;
    const jobId = found.id;
    const now = clock.now();
    const notBefore = [found.leaseUntil, found.nextRunAt].find((at) => at !== null && at > now);
    if (notBefore != null) return { type: "run_again", at: notBefore };
    const kind = this.#kinds.get(found.kind);
    if (kind === undefined) {
      // Another version of the worker may know it.
      logger.warn({ jobId, kind: found.kind }, "no handler for this kind of job");
      return this.#later(unknownKindMs);
    }
    const leaseToken = randomUUID();
    const job = await this.#claim(found, kind, leaseToken);
    if (job === undefined) return this.#later(contendedMs);
    if (job.status !== "running") {
      await this.#ended(kind, job);
      return { type: "done" };
    }
    const outcome = await this.#runChunk(kind, job, leaseToken, queue);
    return this.#report(kind, jobId, leaseToken, outcome);
  }

  #later(byMs: number): RunOutcome {
    return { type: "run_again", at: new Date(this.#options.clock.now().getTime() + byMs) };
  }

  /** The job as claimed, paused or ended; undefined where another run was quicker. */
  async #claim(found: JobRow, kind: JobKind, leaseToken: string): Promise<JobRow | undefined> {
    const { db, clock, leaseMs, logger } = this.#options;
    const change = { jobId: found.id, now: clock.now() };
    const job = await orConflict(
      db.transaction(async (tx) => {
        const claimed = await changeJob(tx, {
          ...change,
          command: { type: "claim", leaseMs },
          leaseToken,
        });
        if (claimed.status !== "running" || kind.pausesWhenSuspended !== true) return claimed;
        if (!(await isSuspended(tx, claimed))) return claimed;
        await changeJob(tx, { ...change, command: { type: "pause", by: "suspension" } });
        return changeJob(tx, { ...change, command: { type: "chunk_done" } });
      }),
    );
    if (job?.status === "failed") {
      logger.error({ jobId: job.id, kind: job.kind, error: job.error }, "a job was given up");
    }
    return job;
  }

  async #runChunk(
    kind: JobKind,
    job: JobRow,
    leaseToken: string,
    queue: RunContext,
  ): Promise<JobOutcome> {
    const { db, clock, leaseMs, logger } = this.#options;
    const startedMs = performance.now();
    const tell = (outcome: JobOutcome["type"] | "thrown"): void =>
      jobRan.publish({ kind: job.kind, outcome, durationMs: performance.now() - startedMs });
    try {
      const outcome = await kind.run({
        job,
        logger: logger.child({ jobId: job.id, kind: job.kind }),
        saveProgress: (tx, progress) => saveProgress(tx, job.id, leaseToken, progress, clock.now()),
        renew: async () => {
          await queue.touch();
          const renewed = await this.#change({
            jobId: job.id,
            leaseToken,
            command: { type: "renew", leaseMs },
            now: clock.now(),
          });
          if (renewed !== undefined) await this.#ended(kind, renewed);
          return renewed?.status === "running";
        },
      });
      tell(outcome.type);
      return outcome;
    } catch (error) {
      tell("thrown");
      // The claim stays counted: that is what bounds a job that always throws.
      await db.query(
        "update job set lease_token = null, lease_until = null where id = $1 and lease_token = $2",
        [toUuid(job.id, "job"), leaseToken],
      );
      throw error;
    }
  }

  async #report(
    kind: JobKind,
    jobId: string,
    leaseToken: string,
    outcome: JobOutcome,
  ): Promise<RunOutcome> {
    const now = this.#options.clock.now();
    const job = await this.#change(changeFor(outcome, { jobId, leaseToken, now }));
    if (job === undefined) return this.#later(contendedMs);
    await this.#ended(kind, job);
    return isOpen(job) ? { type: "run_again", at: job.nextRunAt ?? now } : { type: "done" };
  }

  async #ended(kind: JobKind, job: JobRow): Promise<void> {
    if (job.finishedAt === null) return;
    try {
      await kind.ended?.(job);
    } catch (error) {
      this.#options.logger.warn({ err: error, jobId: job.id }, "what follows a job's end failed");
    }
  }

  /** Those who follow the account are told at once how far the job is. */
  async #change(change: JobChange): Promise<JobRow | undefined> {
    const { db } = this.#options;
    const job = await orConflict(db.transaction((tx) => changeJob(tx, change)));
    if (job !== undefined && job.accountId !== null) db.notify(liveChannel, job.accountId);
    return job;
  }
}

function changeFor(
  outcome: JobOutcome,
  base: { jobId: string; leaseToken: string; now: Date },
): JobChange {
  switch (outcome.type) {
    case "done":
      return { ...base, command: { type: "finish" }, progress: outcome.progress };
    case "chunk":
      return {
        ...base,
        command: { type: "chunk_done" },
        progress: outcome.progress,
        runAt: outcome.runAt ?? base.now,
      };
    case "failed":
      return {
        ...base,
        command: { type: "fail", reason: outcome.reason },
        failureMessage: outcome.message,
      };
  }
}

/** Undefined where the job was cancelled, paused or taken over meanwhile. */
async function orConflict(change: Promise<JobRow>): Promise<JobRow | undefined> {
  try {
    return await change;
  } catch (error) {
    const isLost =
      error instanceof VaultError && ["conflict", "invalid_transition"].includes(error.code);
    if (isLost) return undefined;
    throw error;
  }
}

async function saveProgress(
  tx: Queryable,
  jobId: string,
  leaseToken: string,
  progress: unknown,
  now: Date,
): Promise<void> {
  const rows = await tx.query(
    `update job set progress = $3, claims = 0, updated_at = $4 where id = $1 and lease_token = $2 returning 1`,
    [toUuid(jobId, "job"), leaseToken, JSON.stringify(progress), now],
    "job-progress",
  );
  if (rows.length === 0) {
    throw new VaultError("conflict", { message: "The lease of this run has been lost." });
  }
}

async function isSuspended(tx: Queryable, { accountId }: JobRow): Promise<boolean> {
  if (accountId === null) return false;
  const [account] = await tx.query<{ suspended: boolean }>(
    "select suspended_at is not null as suspended from account where id = $1",
    [toUuid(accountId, "acc")],
  );
  return account?.suspended === true;
}

function isOpen({ status }: JobRow): boolean {
  return status === "queued" || status === "running";
}
