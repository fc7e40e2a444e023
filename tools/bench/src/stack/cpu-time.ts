import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { round, table } from "../statistics.ts";
import { childrenOf, statOf } from "./process-tree.ts";

/** What Linux counts in: hundredths of a second. */
const ticksPerSecond = 100;

/** In user and kernel mode, with that of its children that have ended. */
async function ownSeconds(processId: number): Promise<number> {
  const fields = await statOf(processId);
  if (fields === undefined) return Number.NaN;
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return ticks / ticksPerSecond;
}

/**
 * Seconds of processor time that a process and its children have used so far. NaN where the system
 * does not tell (it is read from /proc).
 */
export async function cpuSeconds(processId: number): Promise<number> {
  const own = await ownSeconds(processId);
  const children = await Promise.all((await childrenOf(processId)).map(ownSeconds));
  return children.reduce((sum, seconds) => sum + (Number.isNaN(seconds) ? 0 : seconds), own);
}

/** Milliseconds since the start that all processors together were idle. */
function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}

export interface CpuUse {
  readonly seconds: number;
  /** Processors that each process kept busy, on average. */
  readonly cores: ReadonlyMap<string, number>;
  /** Processors that all other programs of the machine kept busy. */
  readonly otherCores: number;
  /** Processors that nobody used. */
  readonly idleCores: number;
}

/** What each process uses of the processors in a span of so many seconds from now on. */
export async function measureCpu(
  processes: Readonly<Record<string, number>>,
  seconds: number,
): Promise<CpuUse> {
  const names = Object.keys(processes);
  const spent = (): Promise<number[]> => Promise.all(Object.values(processes).map(cpuSeconds));
  const [before, idleBefore, startedMs] = [await spent(), idleMs(), performance.now()];
  await wait(seconds * 1_000);
  const [after, idleAfter] = [await spent(), idleMs()];
  const tookMs = performance.now() - startedMs;
  const used = (index: number): number => (after[index] ?? 0) - (before[index] ?? 0);
  const cores = names.map((_, index) => (used(index) * 1_000) / tookMs);
  const idleCores = (idleAfter - idleBefore) / tookMs;
  const ownCores = cores.reduce((sum, busy) => sum + busy, 0);
  return {
    seconds: tookMs / 1_000,
    cores: new Map(names.map((name, index) => [name, cores[index] ?? Number.NaN])),
    otherCores: Math.max(0, cpus().length - idleCores - ownCores),
    idleCores,
  };
}

/** The table of it, with the cost of each of so many pieces of work. */
export function cpuTable(
  { cores, seconds, otherCores, idleCores }: CpuUse,
  pieces: number,
): string {
  return table([
    ["process", "cores", "µs each"],
    ...[...cores].map(([name, busy]) => [
      name,
      busy.toFixed(2),
      round((busy * seconds * 1e6) / pieces),
    ]),
    ["(other programs)", otherCores.toFixed(2), ""],
    ["(idle)", idleCores.toFixed(2), ""],
  ]);
}
