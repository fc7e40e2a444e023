import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { toUuid } from "@cardvault/kit";
import { cpuSeconds } from "../stack/cpu-time.ts";
import { readState } from "../stack/process-state.ts";
import type { ProcessState } from "../stack/process-state.ts";
import { childrenOf } from "../stack/process-tree.ts";
import type { Program } from "../stack/programs.ts";
import type { Stack } from "../stack/stack.ts";

/** What the database holds, and what waits in it. */
export interface DatabaseState {
  readonly sizeMb: number;
  readonly connections: number;
  /** Of PostgreSQL's processes what is not shared, in MB. */
  readonly ownMb: number;
  /** Deliveries and jobs that no worker has been told of, but for deliveries to the dead receiver. */
  readonly outbox: number;
  /** Deliveries whose time came over a second ago, but for those of the dead receiver. */
  readonly due: number;
  /** Jobs whose time came over a second ago. */
  readonly jobs: number;
  /** Rows of the job store for which nothing waits any more. */
  readonly leftover: number;
}

/** How busy the machine was since it was asked last, in hundredths of all its processors. */
export function watchProcessors(): () => number {
  const read = (): { all: number; idle: number } => {
    const times = cpus().map((one) => one.times);
    const all = times.reduce((sum, { user, nice, sys, idle, irq }) => {
      return sum + user + nice + sys + idle + irq;
    }, 0);
    return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
  };
  let before = read();
  return () => {
    const now = read();
    const busy = 1 - (now.idle - before.idle) / (now.all - before.all);
    before = now;
    return busy * 100;
  };
}

/**
 * How many processors each of these kept busy since it was asked last. What they started counts with them, but
 * for this process, which has started all of them.
 */
export function watchCores(
  processIds: Readonly<Record<string, readonly number[]>>,
): () => Promise<Record<string, number>> {
  const secondsOf = async (id: number): Promise<number> => {
    if (id !== process.pid) return cpuSeconds(id);
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let atMs = performance.now();
  let before: Record<string, number> | undefined;
  return async () => {
    const nowMs = performance.now();
    const spent: Record<string, number> = {};
    for (const [name, ids] of Object.entries(processIds)) {
      const seconds = await Promise.all(ids.map(secondsOf));
      spent[name] = seconds.reduce((sum, one) => sum + one, 0);
    }
    const tookSeconds = (nowMs - atMs) / 1_000;
    const used = (name: string): number => (spent[name] ?? 0) - (before?.[name] ?? 0);
    const cores = Object.keys(spent).map((name) => [name, used(name) / tookSeconds] as const);
    [atMs, before] = [nowMs, spent];
    return Object.fromEntries(cores);
  };
}

/** Every process by its name; one after the other, as each stands still while it collects its garbage. */
export async function readProcesses(
  programs: Readonly<Record<string, Program>>,
): Promise<Record<string, ProcessState>> {
  const states: Record<string, ProcessState> = {};
  for (const [name, program] of Object.entries(programs)) states[name] = await readState(program);
  return states;
}

const countsStatement = `
select pg_database_size(current_database())::float8 / 1048576 as size_mb,
  (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
  (select count(*) from webhook_delivery where enqueued_at is null and status in ('pending', 'retrying')
    and endpoint_id <> all ($1::uuid[]))
    + (select count(*) from job where enqueued_at is null and status in ('queued', 'running')) as outbox,
  (select count(*) from webhook_delivery where status in ('pending', 'retrying')
    and next_attempt_at < now() - interval '1 s' and endpoint_id <> all ($1::uuid[])) as due,
  (select count(*) from job where status in ('queued', 'running')
    and next_run_at < now() - interval '1 s' and lease_token is null) as jobs,
  (select count(*) from webhook_delivery where enqueued_at is not null and status in ('pending', 'retrying'))
    + (select count(*) from job where enqueued_at is not null and status in ('queued', 'running', 'paused'))
    as waiting`;

/** @param deadIds of the endpoints that answer nothing, whose deliveries wait for ever */
export async function readDatabase(
  { services, postgres }: Stack,
  deadIds: readonly string[],
): Promise<DatabaseState> {
  const [row] = await services.db.query<{
    size_mb: number;
    connections: number;
    outbox: number;
    due: number;
    jobs: number;
    waiting: number;
  }>(countsStatement, [deadIds.map((id) => toUuid(id))]);
  if (row === undefined) throw new Error("PostgreSQL answered nothing");
  const stored = await services.db.query<{ rows: number }>(
    "select count(*) as rows from agenda.agenda_jobs",
  );
  return {
    sizeMb: row.size_mb,
    connections: row.connections,
    ownMb: await ownMb(postgres.processId),
    outbox: row.outbox,
    due: row.due,
    jobs: row.jobs,
    leftover: Math.max(0, (stored[0]?.rows ?? 0) - row.waiting),
  };
}

async function ownMb(processId: number): Promise<number> {
  const ids = [processId, ...(await childrenOf(processId))];
  const sizes = await Promise.all(
    ids.map(async (id) => {
      const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
      return Number(/^RssAnon:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) / 1_024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
