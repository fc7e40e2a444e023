import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FromProgram, ToProgram } from "./programs.ts";

/** What a process tells of itself. */
export interface Probed {
  /** Resident, before its garbage is collected, in MB. */
  readonly rssMb: number;
  /** What JavaScript holds, and what it holds outside of its heap, after all garbage is collected, in MB. */
  readonly heapMb: number;
  readonly externalMb: number;
  /** How late its timers were since it was asked the last time, in milliseconds. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

// Loaded into a program by `probeArguments`: the program answers these questions beside its own work. What it
// starts itself inherits the argument and is another's child, so it stays as it is.
if (new URL(import.meta.url).searchParams.get("parent") === String(process.ppid)) listen();

function listen(): void {
  // The only way to a full collection in a program that is running as it runs in production.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const everyMs = 20;
  const delay = monitorEventLoopDelay({ resolution: everyMs });
  delay.enable();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - everyMs);

  const answers: Record<string, (argument: unknown) => unknown> = {
    probe(): Probed {
      const [delayP99Ms, delayMaxMs] = [late(delay.percentile(99)), late(delay.max)];
      const { rss } = process.memoryUsage();
      collect();
      const { heapUsed, external } = process.memoryUsage();
      // The collection itself is none of the program's lateness.
      setImmediate(() => delay.reset());
      const megabytes = (bytes: number): number => bytes / 2 ** 20;
      return {
        rssMb: megabytes(rss),
        heapMb: megabytes(heapUsed),
        externalMb: megabytes(external),
        delayP99Ms,
        delayMaxMs,
      };
    },
    snapshot: (file) => writeHeapSnapshot(String(file)),
  };
  process.on("message", ({ id, question, argument }: ToProgram) => {
    const answer = answers[question]?.(argument);
    process.send?.({ id, answer } satisfies FromProgram);
  });
  // Nobody's question keeps a program from ending.
  process.channel?.unref();
}
