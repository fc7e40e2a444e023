import { ConfigError, createLogger } from "@cardvault/kit";
import { readWorkerConfig } from "./settings.ts";
import { startWorker } from "./worker.ts";
import type { WorkerOptions } from "./worker.ts";

/** Beyond the time that finishing may take, for what else there is to close. */
const closingMs = 3_000;

/** Runs the worker until SIGTERM or SIGINT; a second signal ends it at once. */
export async function runProgram(options: Omit<WorkerOptions, "logger">): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ name: "worker", level: config.logLevel });
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "the worker ends: an error that nobody caught");
    process.exit(1);
  });
  const worker = await startWorker(config, { ...options, logger });
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, "the worker stops");
    setTimeout(() => {
      logger.error("stopping took too long");
      process.exit(1);
    }, config.shutdownMs + closingMs).unref();
    worker.stop().then(
      // Agenda leaves timers behind, which would keep the process for minutes.
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the worker could not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
}

function readConfig(): ReturnType<typeof readWorkerConfig> {
  try {
    return readWorkerConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
