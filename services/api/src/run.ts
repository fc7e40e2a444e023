import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createMemoryLimiter,
  createPostgresLimiter,
  createServices,
  openEngines,
  openMarketplaces,
  readProvidersConfig,
} from "@cardvault/core";
import type { Limiter, ProvidersConfig } from "@cardvault/core";
import { createTestSender } from "@cardvault/delivery";
import { countListening, openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import {
  allowLoopback,
  ConfigError,
  countProcess,
  createGuardedClient,
  createLogger,
  createSecretBox,
  installShutdown,
  readServiceConfig,
  readTracingConfig,
  startTracing,
  systemClock,
} from "@cardvault/kit";
import type { Logger, ServiceConfig } from "@cardvault/kit";
import { createApp } from "./app.ts";
import { Drain } from "./drain.ts";
import { countLimits, createMetrics, listenForMetrics } from "./metrics.ts";
import { readVersionOneEnd } from "./version-one-end.ts";

const applicationName = "cardvault-api";
const webFolder = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** What differs between production and the local start. It is code of an entry file, never configuration. */
export interface RunOptions {
  /** Cookies without `Secure` and `__Host-`: only for plain HTTP on loopback. */
  isPlainHttp: boolean;
  /** Test accounts may register receivers at `http://127.0.0.1:<port>`. */
  allowsLoopbackReceivers: boolean;
}

function createLimiters(
  config: ServiceConfig,
  db: Database,
  logger: Logger,
): { limiter: Limiter; addressLimiter: Limiter } {
  if (config.rateLimitStore === "memory") {
    return { limiter: createMemoryLimiter(), addressLimiter: createMemoryLimiter() };
  }
  const onSweepError = (error: unknown): void =>
    logger.warn({ err: error }, "The windows of the limits could not be swept");
  return {
    limiter: createPostgresLimiter({ db, onSweepError }),
    addressLimiter: createPostgresLimiter({ db, onSweepError }),
  };
}

/** What test events are sent with, by the rules of the worker's deliveries. */
function createClients(config: ServiceConfig, { allowsLoopbackReceivers }: RunOptions) {
  return {
    client: createGuardedClient({ allowedPorts: config.receiverPorts }),
    loopbackClient: allowsLoopbackReceivers
      ? createGuardedClient({ allowAddress: allowLoopback })
      : undefined,
  };
}

/** Three processes that each count for themselves would let three times as much through. */
async function warnOfOwnLimits(config: ServiceConfig, db: Database, logger: Logger): Promise<void> {
  if (config.rateLimitStore !== "memory") return;
  const processes = await countListening(db, applicationName);
  if (processes <= 1) return;
  logger.warn(
    { processes },
    "Each process counts limits for itself, so all of them together let more through: set RATE_LIMIT_STORE=postgres",
  );
}

/** Runs the API process until it is told to stop. The database must have been migrated. */
export async function run(options: RunOptions): Promise<void> {
  let config: ServiceConfig;
  let providersConfig: ProvidersConfig;
  let versionOneEnd;
  let tracingConfig;
  try {
    config = readServiceConfig(process.env);
    providersConfig = readProvidersConfig(process.env);
    versionOneEnd = readVersionOneEnd(process.env);
    tracingConfig = readTracingConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger({ name: "api", level: config.logLevel });
  const tracing = await startTracing("cardvault-api", tracingConfig, logger);
  const db = await openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName,
    logger,
  });
  const metrics = createMetrics();
  countProcess(metrics.registry, () => db.connections());
  const limiters = countLimits(metrics, createLimiters(config, db, logger));
  const clients = createClients(config, options);
  const opened = openEngines({ db, clock: systemClock, logger, config: providersConfig });
  const services = await createServices({
    db,
    limiter: limiters.limiter,
    sendTestEvent: createTestSender({
      ...clients,
      clock: systemClock,
      secretBox: createSecretBox(config.encryptionKeys),
      allowedPorts: config.receiverPorts,
    }),
    engines: opened.engines,
    marketplaces: openMarketplaces({ db, clock: systemClock, logger, config: providersConfig }),
    sandboxUrl: providersConfig.sandboxUrl,
    photoClient: clients.client,
    databaseUrl: config.databaseUrl,
    clock: systemClock,
    logger,
    encryptionKeys: config.encryptionKeys,
    config: {
      publicUrl: config.publicUrl,
      photoFolder: join(config.dataFolder, "photos"),
      photoBucket: config.photoBucket,
      receiverPorts: config.receiverPorts,
      ...options,
    },
  });
  const drain = new Drain();
  const app = await createApp({
    services,
    ...limiters,
    trustProxy: config.trustProxy,
    webFolder,
    metrics,
    versionOneEnd,
    drain,
  });
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await listenForMetrics(metrics, { host: config.metricsHost, port: config.metricsPort });
  await app.listen({ host: config.host, port: config.port });

  const shutdown = installShutdown({
    logger,
    deadlineMs: config.shutdownDelayMs + config.shutdownMs,
  });
  shutdown.onClose("traces", () => tracing.close());
  shutdown.onClose("database", () => db.close());
  shutdown.onClose("clients", async () => {
    await Promise.all([clients.client.close(), clients.loopbackClient?.close()]);
  });
  shutdown.onClose("engines", () => opened.close());
  shutdown.onClose("services", () => services.close());
  shutdown.onClose("limits", async () => {
    await limiters.limiter.close();
    await limiters.addressLimiter.close();
  });
  shutdown.onClose("metrics", () => void metricsServer?.close());
  shutdown.onClose("app", () => app.close());
  shutdown.onClose("delay", () => drain.begin(config.shutdownDelayMs));

  await warnOfOwnLimits(config, db, logger).catch((err: unknown) => {
    logger.debug({ err }, "How many processes there are could not be looked at");
  });
}
