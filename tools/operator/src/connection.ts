import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { createServices } from "@cardvault/core";
import type { Actor, Services } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { createJobs } from "@cardvault/jobs";
import type { Jobs } from "@cardvault/jobs";
import {
  createLogger,
  readServiceConfig,
  readSettings,
  serviceSettings,
  systemClock,
} from "@cardvault/kit";
import type { ServiceConfig } from "@cardvault/kit";

const root = resolve(import.meta.dirname, "../../..");
type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake of the person at the keyboard: the sentence is all they need to see. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Connection {
  readonly services: Services;
  /** Who acts, for the trail: the machine's user. */
  readonly actor: Actor;
  /** Puts overdue work back into the queue. Answers how much. */
  enqueueOverdue: () => Promise<number>;
  /** Takes from the queue what works on rows that are gone. Answers how much. */
  forgetLostJobs: () => Promise<number>;
  close(): Promise<void>;
}

/** The database that DATABASE_URL names, else that of the local start which runs on the data folder. */
export async function connect(environment: Environment = process.env): Promise<Connection> {
  const isOwnDatabase = namesDatabase(environment);
  const running = isOwnDatabase ? {} : await readRunning(environment);
  const config = readServiceConfig({ LOG_LEVEL: "warn", ...environment, ...running });
  const logger = createLogger({ name: "operator", level: config.logLevel });
  const db = await openDatabase({
    url: config.databaseUrl,
    poolSize: 2,
    applicationName: "cardvault-operator",
    logger,
  });
  const services = await createServices({
    db,
    databaseUrl: config.databaseUrl,
    clock: systemClock,
    logger,
    encryptionKeys: config.encryptionKeys,
    config: {
      publicUrl: config.publicUrl,
      photoFolder: join(config.dataFolder, "photos"),
      photoBucket: config.photoBucket,
      isPlainHttp: !isOwnDatabase,
      allowsLoopbackReceivers: !isOwnDatabase,
      receiverPorts: config.receiverPorts,
    },
  });
  return {
    services,
    actor: { kind: "operator", id: userInfo().username },
    enqueueOverdue: () =>
      withJobs(services, config, async (jobs) => {
        return (await jobs.relayOnce()) + (await jobs.reconcileOnce());
      }),
    forgetLostJobs: () => withJobs(services, config, (jobs) => jobs.forgetLost()),
    async close() {
      await services.close();
      await db.close();
    },
  };
}

/** Where the database is, for what needs nothing else of the configuration. */
export async function databaseUrlOf(environment: Environment = process.env): Promise<string> {
  const running = namesDatabase(environment) ? {} : await readRunning(environment);
  const { databaseUrl } = serviceSettings;
  return readSettings({ databaseUrl }, { ...environment, ...running }).databaseUrl;
}

function namesDatabase(environment: Environment): boolean {
  return ["DATABASE_URL", "DATABASE_URL_FILE"].some((name) => (environment[name] ?? "") !== "");
}

async function withJobs<T>(
  services: Services,
  config: ServiceConfig,
  work: (jobs: Jobs) => Promise<T>,
): Promise<T> {
  const { db, clock, logger } = services;
  const jobs = createJobs({ db, clock, logger, store: config.jobStore });
  try {
    return await work(jobs);
  } finally {
    await jobs.stop();
  }
}

async function readRunning(environment: Environment): Promise<Record<string, string>> {
  const given = environment["DATA_DIR"] ?? "";
  const dataDir = resolve(
    environment["INIT_CWD"] ?? root,
    given === "" ? join(root, ".data") : given,
  );
  const text = await readFile(join(dataDir, "running.json"), "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new UsageError(
      `Nothing runs on ${dataDir}. Start it first (npm start), or name your own database: ` +
        "DATABASE_URL, with VAULT_ENCRYPTION_KEYS and PUBLIC_URL as the services have them.",
    );
  }
  return JSON.parse(text) as Record<string, string>;
}
