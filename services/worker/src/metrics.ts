import type { AttemptEvent, DeliveryOptions } from "@cardvault/delivery";
import type { Jobs, JobsStatus } from "@cardvault/jobs";
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
}

/** What the worker tells Prometheus. Depths are asked for when they are scraped, by bounded queries. */
export function createMetrics({ jobs, countOpenBreakers }: MetricsOptions): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeWork(registry, jobs);
  observeBreakers(registry, countOpenBreakers);
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

/** The same in every process: it is the database's and the queue's. */
function observeWork(registry: Registry, jobs: () => Jobs): void {
  const registers = [registry];
  const running: Gauge = new Gauge({
    name: "vault_runs_in_flight",
    help: "Runs in flight in this process",
    registers,
    collect: () => setRunning(),
  });
  const setRunning = (): void => running.set(jobs().runsInFlight());
  const gauge = (name: string, help: string, label: string): Gauge =>
    new Gauge({ name, help, labelNames: [label], registers });
  const lanes = gauge("vault_queue_jobs", "Jobs in the queue by lane, counted up to 10000", "lane");
  const due = gauge("vault_work_due", "Rows that are due by source, counted up to 10000", "source");
  const undelivered = gauge(
    "vault_work_open",
    "Rows that have not ended by source, due or not, counted up to 10000",
    "source",
  );
  const overdue = gauge(
    "vault_work_overdue",
    "Rows that have been due for over five seconds and that nobody works on, counted up to 10000",
    "source",
  );
  const unrelayed = gauge(
    "vault_work_unrelayed",
    "Rows that are not in the queue by source, counted up to 10000",
    "source",
  );
  const set = (status: JobsStatus): void => {
    for (const { lane, jobs: count } of status.lanes) lanes.set({ lane }, count);
    for (const depth of status.work) {
      const { source } = depth;
      due.set({ source }, depth.due);
      undelivered.set({ source }, depth.open);
      overdue.set({ source }, depth.overdue);
      unrelayed.set({ source }, depth.unrelayed);
      const ageMs = depth.oldestDueAt === null ? 0 : Date.now() - depth.oldestDueAt.getTime();
      setOldest({ source }, secondsOf(ageMs));
    }
  };
  const oldest: Gauge = new Gauge({
    name: "vault_work_oldest_due_seconds",
    help: "Age of the oldest row that is due by source",
    labelNames: ["source"],
    registers,
    collect: async () => set(await jobs().status()),
  });
  const setOldest = (labels: { source: string }, seconds: number): void =>
    oldest.set(labels, seconds);
}

function observeBreakers(registry: Registry, countOpenBreakers: () => Promise<number>): void {
  const open: Gauge = new Gauge({
    name: "vault_webhook_open_breakers",
    help: "Endpoints whose breaker is not closed",
    registers: [registry],
    collect: async () => setOpen(await countOpenBreakers()),
  });
  const setOpen = (count: number): void => open.set(count);
}
