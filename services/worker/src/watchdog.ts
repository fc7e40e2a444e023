import type { Jobs } from "@cardvault/jobs";
import type { Logger } from "@cardvault/kit";

export interface WatchdogOptions {
  readonly jobs: () => Pick<Jobs, "status" | "runsEnded" | "runsInFlight">;
  readonly logger: Logger;
  readonly everyMs?: number | undefined;
  /** Without progress for so long while there is something to do, the worker is stalled. */
  readonly stalledMs?: number | undefined;
}

export interface Watchdog {
  isStalled(): boolean;
  /** Looks at once. */
  look(): Promise<void>;
  stop(): void;
}

const defaultEveryMs = 10_000;
const defaultStalledMs = 120_000;

/**
 * Notices a worker that does nothing though work is overdue and both stores answer: its process must be
 * started anew, which `/livez` asks a supervisor for. A store that is away is no stall, but a wait; and
 * where another process works off what is overdue, there is nothing overdue for long.
 */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { jobs, logger, everyMs = defaultEveryMs, stalledMs = defaultStalledMs } = options;
  let ended = jobs().runsEnded();
  let idleSinceMs: number | undefined;
  let isStalled = false;

  const look = async (): Promise<void> => {
    const endedNow = jobs().runsEnded();
    const hasProgressed = endedNow !== ended;
    ended = endedNow;
    const status = hasProgressed ? undefined : await jobs().status();
    const overdue = status?.work.reduce((sum, depth) => sum + depth.overdue, 0) ?? 0;
    if (status === undefined || status.store.isAway || overdue === 0) {
      if (isStalled) logger.info("the worker works again");
      isStalled = false;
      idleSinceMs = undefined;
      return;
    }
    const nowMs = performance.now();
    idleSinceMs ??= nowMs;
    if (nowMs - idleSinceMs < stalledMs) return;
    isStalled = true;
    logger.fatal(
      { overdue, runsInFlight: jobs().runsInFlight(), work: status.work, lanes: status.lanes },
      "the worker is stalled: work is overdue, the stores answer, and no run has ended",
    );
  };

  const timer = setInterval(() => {
    // A database that does not answer is a wait as well, and told elsewhere.
    look().catch((error: unknown) => {
      idleSinceMs = undefined;
      logger.debug({ err: error }, "the watchdog could not look");
    });
  }, everyMs);
  timer.unref();
  return { isStalled: () => isStalled, look, stop: () => clearInterval(timer) };
}
