import type { AttemptEvent, DeliveryOptions } from "@cardvault/delivery";
import type { Jobs, JobsStatus, WorkDepth } from "@cardvault/jobs";
import { jobRan, within } from "@cardvault/kit";
import type { Logger } from "@cardvault/kit";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

const secondsOf = (ms: number): number => ms / 1_000;

export interface WorkerMetrics {
  readonly registry: Registry;
  readonly onAttempt: (event: AttemptEvent) => void;
  readonly onDeferred: NonNullable<DeliveryOptions["onDeferred"]>;
}

export interface MetricsOptions {
  readonly jobs: () => Jobs;
  readonly countOpenBreakers: () => Promise<number>;
  readonly logger: Logger;
}

/**
 * What the worker tells Prometheus. Depths are asked for when they are scraped, by bounded queries; while
 * a store is away they are left out, and the rest is told all the same.
 */
export function createMetrics({ jobs, countOpenBreakers, logger }: MetricsOptions): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeWork(registry, jobs, logger);
  observeBreakers(registry, countOpenBreakers, logger);
  countJobs(registry);
  return { registry, ...countAttempts(registry) };
}

/** Counted as they happen, in this process. */
function countAttempts(registry: Registry): Omit<WorkerMetrics, "registry"> {
  const registers = [registry];
  const attempts = new Counter({
    name: "vault_webhook_attempts_total",
    help: "Webhook attempts by what became of the delivery",
    labelNames: ["outcome"],
    registers,
  });
  const failures = new Counter({
    name: "vault_webhook_failures_total",
    help: "Failed webhook attempts by error code, or by the class of the answer's status",
    labelNames: ["cause"],
    registers,
  });
  const duration = new Histogram({
    name: "vault_webhook_attempt_seconds",
    help: "From the first look-up to the end of the answer",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const late = new Histogram({
    name: "vault_webhook_late_seconds",
    help: "From the time when an attempt was due, which for the first is the commit, to its begin",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
    registers,
  });
  const deferred = new Counter({
    name: "vault_webhook_deferred_total",
    help: "Attempts put off, unspent, by what put them off",
    labelNames: ["by"],
    registers,
  });
  return {
    onAttempt: ({ outcome, cause, durationMs, lateMs }) => {
      attempts.inc({ outcome });
      if (cause !== null) failures.inc({ cause });
      duration.observe(secondsOf(durationMs));
      late.observe(secondsOf(Math.max(0, lateMs)));
    },
    onDeferred: (by) => deferred.inc({ by }),
  };
}

/** Runs of jobs in this process, from their claim to their report. */
function countJobs(registry: Registry): void {
  const runs = new Histogram({
    name: "vault_job_run_seconds",
    help: "Runs of jobs by kind and by what came of them; a job of many cards has one run for each chunk",
    labelNames: ["kind", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  jobRan.subscribe(({ kind, outcome, durationMs }) =>
    runs.observe({ kind, outcome }, secondsOf(durationMs)),
  );
}

type Labelled = readonly (readonly [label: string, value: number])[];

/** The same in every process: it is the database's and the queue's. */
function observeWork(registry: Registry, jobs: () => Jobs, logger: Logger): void {
  const read = onceAtATime("the depths of the work", () => jobs().status(), logger);
  const gauge = (
    name: string,
    help: string,
    label: string,
    valuesOf: (status: JobsStatus) => Labelled,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const status = await read();
        this.reset();
        if (status === undefined) return;
        for (const [named, value] of valuesOf(status)) this.set({ [label]: named }, value);
      },
    });
  const bySource = (name: string, help: string, valueOf: (depth: WorkDepth) => number): Gauge =>
    gauge(name, help, "source", ({ work }) =>
      work.map((depth) => [depth.source, valueOf(depth)] as const),
    );
  registry.registerMetric(
    new Gauge({
      name: "vault_runs_in_flight",
      help: "Runs in flight in this process",
      registers: [],
      collect() {
        this.set(jobs().runsInFlight());
      },
    }),
  );
  gauge("vault_queue_jobs", "Jobs in the queue by lane, counted up to 10000", "lane", (status) =>
    status.lanes.map(({ lane, jobs: count }) => [lane, count] as const),
  );
  bySource("vault_work_due", "Rows that are due by source, counted up to 10000", ({ due }) => due);
  bySource(
    "vault_work_open",
    "Rows that have not ended by source, due or not, counted up to 10000",
    ({ open }) => open,
  );
  bySource(
    "vault_work_overdue",
    "Rows that have been due for over five seconds and that nobody works on, counted up to 10000",
    ({ overdue }) => overdue,
  );
  bySource(
    "vault_work_unrelayed",
    "Rows that are not in the queue by source, counted up to 10000",
    ({ unrelayed }) => unrelayed,
  );
  bySource(
    "vault_work_oldest_due_seconds",
    "Age of the oldest row that is due by source",
    ({ oldestDueAt }) =>
      oldestDueAt === null ? 0 : secondsOf(Math.max(0, Date.now() - oldestDueAt.getTime())),
  );
}

function observeBreakers(registry: Registry, count: () => Promise<number>, logger: Logger): void {
  const read = onceAtATime("the open breakers", count, logger);
  registry.registerMetric(
    new Gauge({
      name: "vault_webhook_open_breakers",
      help: "Endpoints whose breaker is not closed",
      registers: [],
      async collect() {
        const open = await read();
        this.remove();
        if (open !== undefined) this.set(open);
      },
    }),
  );
}

/** Below the time that a scrape may take. */
const readDeadlineMs = 3_000;

/** Whoever asks meanwhile gets the same answer; undefined where there is none in time. */
function onceAtATime<T>(
  what: string,
  read: () => Promise<T>,
  logger: Logger,
): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  const once = async (): Promise<T | undefined> => {
    try {
      return await within(readDeadlineMs, read());
    } catch (error) {
      logger.debug({ err: error, what }, "a metric could not be read");
      return undefined;
    }
  };
  return () => (reading ??= once().finally(() => (reading = undefined)));
}
