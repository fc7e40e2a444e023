import { join } from "node:path";
import {
  createLearner,
  createMarketplaceSync,
  openEngines,
  openMarketplaces,
  openPictures,
} from "@cardvault/core";
import { migrate, openDatabase } from "@cardvault/db";
import { countOpenBreakers, registerDelivery } from "@cardvault/delivery";
import type { DeliveryOptions } from "@cardvault/delivery";
import { createJobs } from "@cardvault/jobs";
import type { Jobs, JobsOptions } from "@cardvault/jobs";
import {
  allowLoopback,
  countProcess,
  createGuardedClient,
  createSecretBox,
  startTracing,
  systemClock,
} from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import { startHealthServer } from "./health-server.ts";
import { createMetrics } from "./metrics.ts";
import type { WorkerConfig } from "./settings.ts";
import { startWatchdog } from "./watchdog.ts";
import { registerWork } from "./work.ts";

export interface WorkerOptions {
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
  /**
   * Test accounts may have receivers at `http://127.0.0.1:<port>`. Only the local start's own entry
   * file says so: no configuration can.
   */
  readonly allowLoopbackForTestAccounts?: boolean | undefined;
  /** Times that a test shortens. */
  readonly jobs?: Partial<JobsOptions> | undefined;
  readonly delivery?: Partial<DeliveryOptions> | undefined;
}

export interface RunningWorker {
  readonly jobs: Jobs;
  /** Undefined where no metrics port was configured. */
  readonly metricsPort: number | undefined;
  /** Takes no new work, finishes what is in flight, and lets go of everything. */
  stop(): Promise<void>;
}

/** Wires and starts a worker. Resolves once it works, or waits for a job store that is away. */
export async function startWorker(
  config: WorkerConfig,
  options: WorkerOptions,
): Promise<RunningWorker> {
  const { logger, clock = systemClock } = options;
  const tracing = await startTracing("cardvault-worker", config.tracing, logger);
  await migrate(config.databaseUrl);
  const db = await openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: "cardvault-worker",
    logger,
  });
  const client = createGuardedClient({ allowedPorts: config.receiverPorts });
  const loopbackClient =
    options.allowLoopbackForTestAccounts === true
      ? createGuardedClient({ allowAddress: allowLoopback })
      : undefined;
  const jobs = createJobs({ db, clock, logger, store: config.jobStore, ...options.jobs });
  const metrics = createMetrics({
    jobs: () => jobs,
    countOpenBreakers: () => countOpenBreakers(db),
    logger,
  });
  countProcess(metrics.registry, () => db.connections());
  const secretBox = createSecretBox(config.encryptionKeys);
  const delivery = registerDelivery(jobs, {
    db,
    clock,
    logger,
    client,
    loopbackClient,
    secretBox,
    allowedPorts: config.receiverPorts,
    onAttempt: metrics.onAttempt,
    onDeferred: metrics.onDeferred,
    ...options.delivery,
  });
  const photos =
    config.dataFolder === undefined
      ? undefined
      : await openPictures({
          photoFolder: join(config.dataFolder, "photos"),
          photoBucket: config.photoBucket,
        });
  const opened =
    photos === undefined || config.providers === undefined
      ? undefined
      : openEngines({ db, clock, logger, config: config.providers });
  const engines = opened?.engines;
  const recogniser = opened?.recogniser ?? null;
  const learner =
    photos === undefined || recogniser === null
      ? undefined
      : createLearner({ db, clock, logger, pictureStore: photos.pictureStore, recogniser });
  const marketplaces =
    config.providers && openMarketplaces({ db, clock, logger, config: config.providers });
  const parts = { db, clock, logger, photos, engines, learner, marketplaces };
  const housekeeping = registerWork(jobs, config, parts);
  const marketplaceSync =
    marketplaces && createMarketplaceSync({ db, clock, logger, secretBox, marketplaces });
  const checkReady = async (): Promise<void> => {
    await Promise.all([db.query("select 1"), jobs.checkReady()]);
  };
  const watchdog = startWatchdog({ jobs: () => jobs, logger });
  const health =
    config.metricsPort === undefined
      ? undefined
      : await startHealthServer({
          host: config.metricsHost,
          port: config.metricsPort,
          registry: metrics.registry,
          checkReady,
          isStalled: () => watchdog.isStalled(),
          logger,
        });
  await jobs.start();
  housekeeping.start();
  marketplaceSync?.start();
  logger.info(
    { store: config.jobStore.kind, metricsPort: health?.port ?? null },
    "the worker has started",
  );

  return {
    jobs,
    metricsPort: health?.port,
    stop: async () => {
      watchdog.stop();
      // At once: while one ends what it is at, the others begin nothing new either.
      const rounds = Promise.all([housekeeping.stop(), marketplaceSync?.stop()]);
      await Promise.all([jobs.stop(config.shutdownMs), atMost(config.shutdownMs, rounds)]);
      await delivery.stop();
      await opened?.close();
      await Promise.all([client.close(), loopbackClient?.close(), health?.close()]);
      photos?.pictureStore.close();
      await db.close();
      await tracing.close();
    },
  };
}

/** What another process goes on with may be broken off: it waits for no third party that does not answer. */
async function atMost(forMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, forMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
