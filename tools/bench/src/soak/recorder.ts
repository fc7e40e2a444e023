import { setTimeout as wait } from "node:timers/promises";
import type { Program } from "../stack/programs.ts";
import type { Stack } from "../stack/stack.ts";
import type { ReceiverReport, ReceiverTotals } from "../webhooks/receiver.ts";
import { readDatabase, readProcesses, watchCores, watchProcessors } from "./gauges.ts";
import type { Measure, Measured } from "./measure.ts";
import { minuteLine, timesOf } from "./minutes.ts";
import type { KindTimes, Minute } from "./minutes.ts";
import type { StayingPage } from "./open-page.ts";
import type { World } from "./world.ts";

export interface Watching {
  readonly stack: Stack;
  readonly world: World;
  readonly programs: Readonly<Record<string, Program>>;
  readonly traffic: Program;
  readonly page: StayingPage | undefined;
  /** Of the dealer's longer work, in this process. */
  readonly measure: Measure;
}

/** What was recorded. */
export interface Watched {
  readonly minutes: readonly Minute[];
  readonly failures: readonly string[];
  /** Requests at the receiver whose signature was wrong. */
  readonly unverified: number;
  /** What went wrong since the last span: while the run came to its end. */
  takeRest(): Promise<void>;
}

/** Records all that can be seen, span by span, and says it, until it is told to stop. */
export function watchMinutes(
  watching: Watching,
  spanSeconds: number,
): { stop(): Promise<Watched> } {
  const { stack, world, programs, traffic, page, measure } = watching;
  const minutes: Minute[] = [];
  const failures: string[] = [];
  const stopping = new AbortController();
  const busyPercent = watchProcessors();
  const cores = watchCores({
    services: Object.values(programs).map(({ processId }) => processId),
    PostgreSQL: [stack.postgres.processId],
    clients: [process.pid, traffic.processId, world.receiver.processId],
  });
  const startMs = performance.now();
  const quick = world.endpoints.filter(({ kind }) => kind === "quick").map(({ path }) => path);
  const dead = world.endpoints.filter(({ kind }) => kind === "dead").map(({ id }) => id);

  async function take(): Promise<Readonly<Record<string, readonly number[]>>> {
    const parts = [await traffic.ask<Measured>("take"), measure.take()];
    for (const part of parts) failures.push(...part.failures);
    return Object.assign({}, ...parts.map(({ timesMs }) => timesMs));
  }

  async function record(): Promise<void> {
    const atSeconds = (performance.now() - startMs) / 1_000;
    const busy = busyPercent();
    const used = await cores();
    const before = failures.length;
    const kinds: Record<string, KindTimes> = {};
    for (const [name, times] of Object.entries(await take())) kinds[name] = timesOf(times);
    const report = await world.receiver.ask<ReceiverReport>("report", quick);
    await world.receiver.ask("mark");
    const { arrived, p50Ms, p95Ms, p99Ms } = report;
    kinds["delivery"] = { count: arrived, p50: p50Ms, p95: p95Ms, p99: p99Ms };
    const minute: Minute = {
      atSeconds,
      busyPercent: busy,
      cores: used,
      kinds,
      database: await readDatabase(stack, dead),
      processes: await readProcesses(programs),
      page: await page?.read().catch((error: unknown) => {
        failures.push(`the open page: ${String(error)}`);
        return undefined;
      }),
      failures: failures.length - before,
    };
    minutes.push(minute);
    console.log(minuteLine(minute));
  }

  async function watch(): Promise<void> {
    // From here on the load is there: what came before is no part of a span.
    await Promise.all([take(), cores()]);
    for (let count = 1; ; count += 1) {
      const restMs = startMs + count * spanSeconds * 1_000 - performance.now();
      await wait(Math.max(0, restMs), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      // One span that cannot be read is no reason to lose the others.
      await record().catch((error: unknown) => failures.push(`the recorder: ${String(error)}`));
    }
  }

  const running = watch();
  running.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await running;
      const { unverified } = await world.receiver.ask<ReceiverTotals>("totals");
      return { minutes, failures, unverified, takeRest: async () => void (await take()) };
    },
  };
}
