import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import { forgetLost } from "./forget.ts";
import { JobKinds } from "./job-kinds.ts";
import type { JobKind } from "./job-kinds.ts";
import { Queue } from "./queue.ts";
import { Reconciler } from "./reconciler.ts";
import { Relay } from "./relay.ts";
import { Runner } from "./runner.ts";
import { readStatus } from "./status.ts";
import type { JobsStatus } from "./status.ts";
import { createMongoStore } from "./stores/mongo-store.ts";
import { createPostgresStore } from "./stores/postgres-store.ts";
import { WakeChannel } from "./wake-channel.ts";
import { defaultLanes, deliverySource, jobSource } from "./work-source.ts";
import type { LaneSettings, RunWork } from "./work-source.ts";

/** Which store holds Agenda's jobs. It is fixed at the start: one that is away is waited for. */
export type StoreSettings =
  | { readonly kind: "mongodb"; readonly url: string; readonly databaseName?: string | undefined }
  | { readonly kind: "postgres"; readonly url: string };

export interface JobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: StoreSettings;
  readonly lanes?: Partial<LaneSettings> | undefined;
  /** Agenda's tick. */
  readonly processEveryMs?: number | undefined;
  /** After so long without a sign of life Agenda gives a job to another process. */
  readonly lockMs?: number | undefined;
  /** The lease of a job's run. A delivery has its own. */
  readonly jobLeaseMs?: number | undefined;
  readonly relayEveryMs?: number | undefined;
  readonly reconcile?:
    | {
        readonly everyMs?: number;
        readonly enqueuedMs?: number;
        readonly overdueMs?: number;
      }
    | undefined;
}

export interface Jobs {
  /** The handler of deliveries. Before `start`. */
  handleDeliveries(run: RunWork): void;
  /** The handler of one kind of job. Before `start`. */
  register(kind: string, handler: JobKind): void;
  /** Begins to relay, to run and to reconcile. Does not wait for a store that is away. */
  start(): Promise<void>;
  /** Takes no new work, waits for the runs in flight, and lets go of the store. */
  stop(deadlineMs?: number): Promise<void>;
  /** Throws where the store does not answer, or has not been prepared yet. */
  checkReady(): Promise<void>;
  /** Relays what is there, at once. Answers how many rows. */
  relayOnce(): Promise<number>;
  /** Sees to what is overdue, at once. Answers how many rows. */
  reconcileOnce(): Promise<number>;
  /** Takes from the store what works on rows that are gone. Answers how many. Throws while the store is away. */
  forgetLost(): Promise<number>;
  /** For operators and metrics: every query is bounded. */
  status(): Promise<JobsStatus>;
  /** Runs in flight in this process. */
  runsInFlight(): number;
  /** Runs that have ended in this process since its start. */
  runsEnded(): number;
}

const defaults = {
  processEveryMs: 100,
  lockMs: 30_000,
  relayEveryMs: 1_000,
  reconcile: { everyMs: 30_000, enqueuedMs: 60_000, overdueMs: 5_000 },
  stopDeadlineMs: 15_000,
  retryPrepareMs: 1_000,
};

/** Durable work: PostgreSQL is the truth, Agenda the clock. No connection is made before `start`. */
export function createJobs(options: JobsOptions): Jobs {
  const { db, clock, logger } = options;
  const lockMs = options.lockMs ?? defaults.lockMs;
  const lanes = { ...defaultLanes, ...options.lanes };
  const deliveries = deliverySource(lanes);
  const jobs = jobSource(lanes);
  const sources = [deliveries, jobs];

  const onError = (error: unknown): void => logger.warn({ err: error }, "the job store failed");
  const store =
    options.store.kind === "mongodb"
      ? createMongoStore({ ...options.store, onError })
      : createPostgresStore({ ...options.store, onError });
  const channel = new WakeChannel();
  const queue = new Queue({ store, clock, channel, logger, lockMs });
  const everyMs = options.relayEveryMs ?? defaults.relayEveryMs;
  const relay = new Relay({ db, clock, logger, queue, sources, everyMs });
  const reconcile = { ...defaults.reconcile, ...options.reconcile };
  const reconciler = new Reconciler({ db, clock, logger, queue, sources, ...reconcile });
  const processEveryMs = options.processEveryMs ?? defaults.processEveryMs;
  const runner = new Runner({ clock, logger, store, queue, channel, processEveryMs, lockMs });
  const kinds = new JobKinds({ db, clock, logger, leaseMs: options.jobLeaseMs ?? lockMs });
  runner.define(jobs, (id, context) => kinds.run(id, context));

  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const prepareAndRun = async (): Promise<void> => {
    while (!stopping.signal.aborted && !(await queue.isReachable())) {
      await pause(defaults.retryPrepareMs, stopping.signal);
    }
    if (!stopping.signal.aborted) await runner.start();
  };

  return {
    handleDeliveries: (run) => runner.define(deliveries, run),
    register: (kind, handler) => kinds.register(kind, handler),
    start: async () => {
      running = prepareAndRun();
      await relay.start();
      reconciler.start();
    },
    stop: async (deadlineMs = defaults.stopDeadlineMs) => {
      stopping.abort();
      await running;
      await Promise.all([relay.stop(), reconciler.stop()]);
      await runner.stop(deadlineMs);
      await store.close().catch(onError);
    },
    checkReady: async () => {
      await queue.prepare();
      await store.ping();
    },
    relayOnce: () => relay.once(),
    reconcileOnce: () => reconciler.once(),
    forgetLost: async () => {
      await queue.prepare();
      return forgetLost(db, store, sources);
    },
    status: () => readStatus(db, store, sources, clock.now()),
    runsInFlight: () => runner.runs,
    runsEnded: () => runner.ended,
  };
}

function pause(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, forMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
