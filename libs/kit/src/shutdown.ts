import type { Logger } from "./logger.ts";

export interface ShutdownOptions {
  logger: Logger;
  /** For all closers together; after it the process ends with status 1. */
  deadlineMs: number;
  /** Ends the process unless told otherwise. */
  exit?: ((status: number) => void) | undefined;
}

export interface Shutdown {
  /** What to close. The last one added is closed first: it may need those before it. */
  onClose(name: string, close: () => Promise<void> | void): void;
  /** Stops the process, once; status 0 unless told. Resolves when every closer is done. */
  begin(reason: string, status?: number): Promise<void>;
  /** Aborted when the shutdown begins, so that nothing new is started. */
  readonly signal: AbortSignal;
}

/**
 * The one orderly end of a process: by SIGTERM or SIGINT with status 0, by an error that nobody
 * caught with status 1. A closer that fails does not keep the others from closing. A second signal
 * ends the process at once.
 */
export function installShutdown({ logger, deadlineMs, exit }: ShutdownOptions): Shutdown {
  const end = exit ?? ((status: number) => process.exit(status));
  const closers: { name: string; close: () => Promise<void> | void }[] = [];
  const controller = new AbortController();
  let ending: Promise<void> | undefined;
  let closing = "";

  const closeAll = async (reason: string, status: number): Promise<void> => {
    logger.info({ reason }, "Stopping");
    const timer = setTimeout(() => {
      logger.error({ closing, deadlineMs }, "Stopping took too long");
      end(1);
    }, deadlineMs);
    let worst = status;
    for (const { name, close } of closers.toReversed()) {
      closing = name;
      try {
        await close();
      } catch (err) {
        worst = 1;
        logger.error({ err, closing: name }, "Could not be closed");
      }
    }
    clearTimeout(timer);
    logger.info({ reason }, "Stopped");
    end(worst);
  };
  const begin = (reason: string, status = 0): Promise<void> => {
    if (ending === undefined) {
      controller.abort();
      ending = closeAll(reason, status);
    }
    return ending;
  };

  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (ending === undefined) {
        void begin(name);
        return;
      }
      logger.error({ closing }, `${name} again: ending at once`);
      end(1);
    });
  }
  for (const name of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(name, (err: unknown) => {
      logger.fatal({ err }, name);
      void begin(name, 1);
    });
  }
  return {
    onClose: (name, close) => void closers.push({ name, close }),
    begin,
    signal: controller.signal,
  };
}

/**
 * Calls `onGone` once when the process that started this one is no more, so that a killed start
 * leaves nothing running. Answers a function that stops looking.
 */
export function watchParent(onGone: () => void, everyMs = 500): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    // An orphan gets another parent; on Windows it keeps the number of the dead one.
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    onGone();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
