import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServices, readProvidersConfig } from "@cardvault/core";
import type { Services } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { createLogger, readServiceConfig, systemClock } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import { expect } from "vitest";
import { expectNoSecrets } from "./no-secrets.ts";
import { openMongo } from "./mongo.ts";
import type { Mongo } from "./mongo.ts";
import { quietPort } from "./ports.ts";
import { Program } from "./program.ts";

export type StoreKind = "mongodb" | "postgres";

export interface StackOptions {
  readonly store: StoreKind;
  /**
   * `local` is the worker of the local start. `short` is the same worker with short leases, deadlines
   * and intervals of reconciling, for what would otherwise take minutes. `production` runs the entry
   * files of an installation, api's too.
   */
  readonly kind?: "local" | "short" | "production" | undefined;
  /** Makes another role for the services of the database's owner, and answers its URL. */
  readonly serviceRole?: ((ownerUrl: string) => Promise<string>) | undefined;
  /** A database that is the caller's instead of one of its own, and the key of what is sealed in it. */
  readonly database?: { readonly url: string; readonly key: Buffer } | undefined;
  /** Variables of the services beside those that the stack sets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** A service of a test's own: database, job store, api and worker, each in its own process. */
export interface Stack {
  readonly store: StoreKind;
  /** Where api listens. */
  readonly url: string;
  /** What people know it as; the origin that a session's requests have. */
  readonly publicUrl: string;
  readonly api: Program;
  readonly worker: Program;
  readonly workerUrl: string;
  readonly databaseUrl: string;
  /** Undefined with jobs in PostgreSQL. */
  readonly mongo: Mongo | undefined;
  /** The use cases in the test's process, for what an operator does by hand, and for looking at rows. */
  readonly services: Services;
  /** What must stand in no log. Whoever makes a secret adds it. */
  readonly secrets: Set<string>;
  /** The variables that the services have. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What the test has to tell when it is over: vitest's context of a test has it. */
export interface TestEnd {
  readonly task: { readonly result?: { readonly state: string } | undefined };
  onTestFinished(cleanUp: () => Promise<void>): void;
}

const lastWords = 3_000;
const productionUrl = "https://vault.example.com";

/**
 * Starts the servers and makes the programs; the caller starts these. When the test has finished, well
 * or not, everything is stopped, and what the programs printed is searched for the stack's secrets.
 */
export async function openStack(end: TestEnd, options: StackOptions): Promise<Stack> {
  const { store, kind = "local" } = options;
  const cleanups: (() => Promise<unknown>)[] = [];
  end.onTestFinished(() => runAll(cleanups));

  // Its name and these files let the next test run clear up behind one that was killed.
  const folder = await mkdtemp(join(tmpdir(), "cardvault-test-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await writeFile(join(folder, "owner.pid"), String(process.pid));
  const databaseUrl = options.database?.url ?? (await ownDatabase(cleanups));
  const mongo = store === "mongodb" ? await openMongo(join(folder, "mongo")) : undefined;
  if (mongo !== undefined) cleanups.push(() => mongo.stop());

  const [port, metricsPort] = [await quietPort(), await quietPort()];
  const url = `http://127.0.0.1:${port}`;
  const publicUrl = kind === "production" ? productionUrl : url;
  const key = options.database?.key ?? randomBytes(32);
  const secrets = new Set([key.toString("base64"), new URL(databaseUrl).password]);
  const environment: Record<string, string> = {
    DATABASE_URL: (await options.serviceRole?.(databaseUrl)) ?? databaseUrl,
    DATABASE_POOL_SIZE: "8",
    DATA_DIR: folder,
    PUBLIC_URL: publicUrl,
    VAULT_ENCRYPTION_KEYS: `e2e:${key.toString("base64")}`,
    LOG_LEVEL: "trace",
    ...(mongo === undefined
      ? { JOB_STORE: "postgres" }
      : { JOB_STORE: "mongodb", MONGODB_URL: mongo.url }),
    ...options.environment,
  };
  const services = await openServices(cleanups, {
    databaseUrl,
    key,
    publicUrl,
    folder,
    isProduction: kind === "production",
  });

  const entry = kind === "production" ? "main.ts" : "main-local.ts";
  const api = new Program({
    file: `services/api/src/${entry}`,
    environment: { ...environment, PORT: String(port) },
    readyUrl: `${url}/readyz`,
  });
  const workerUrl = `http://127.0.0.1:${metricsPort}`;
  const worker = new Program({
    ...(kind === "short"
      ? shortWorker({
          databaseUrl: environment["DATABASE_URL"] ?? databaseUrl,
          mongodbUrl: mongo?.url,
          key,
          metricsPort,
          publicUrl,
          sandboxUrl: environment["SANDBOX_URL"],
          environment,
        })
      : { file: `services/worker/src/${entry}` }),
    environment: { ...environment, METRICS_PORT: String(metricsPort) },
    readyUrl: `${workerUrl}/readyz`,
  });
  cleanups.push(async () => {
    const gone = { api: api.hasEndedByItself, worker: worker.hasEndedByItself };
    await Promise.all([api.stop(), worker.stop()]);
    const printed = { api: api.output, worker: worker.output };
    if (end.task.result?.state === "fail") tellEnds(printed);
    expect(gone, "programs that ended by themselves").toEqual({ api: false, worker: false });
    expectNoSecrets(printed.api + printed.worker, secrets);
  });
  return {
    store,
    url,
    publicUrl,
    api,
    worker,
    workerUrl,
    databaseUrl,
    mongo,
    services,
    secrets,
    environment,
  };
}

/** The same, with api and worker ready. */
export async function startStack(end: TestEnd, options: StackOptions): Promise<Stack> {
  const stack = await openStack(end, options);
  await Promise.all([stack.api.start(), stack.worker.start()]);
  return stack;
}

async function ownDatabase(cleanups: (() => Promise<unknown>)[]): Promise<string> {
  const database = await createTestDatabase();
  cleanups.push(() => database.drop());
  return database.url;
}

async function openServices(
  cleanups: (() => Promise<unknown>)[],
  options: {
    readonly databaseUrl: string;
    readonly key: Buffer;
    readonly publicUrl: string;
    readonly folder: string;
    readonly isProduction: boolean;
  },
): Promise<Services> {
  const { databaseUrl, key, publicUrl, folder, isProduction } = options;
  const logger = createLogger({ name: "e2e", level: "silent" });
  const db = await openDatabase({ url: databaseUrl, poolSize: 4, logger });
  cleanups.push(() => db.close());
  const services = await createServices({
    db,
    databaseUrl,
    clock: systemClock,
    logger,
    encryptionKeys: [{ id: "e2e", key }],
    config: {
      publicUrl,
      photoFolder: join(folder, "photos"),
      isPlainHttp: !isProduction,
      allowsLoopbackReceivers: !isProduction,
    },
  });
  cleanups.push(() => services.close());
  return services;
}

/** The worker's own program for tests; it takes its configuration as its argument. */
function shortWorker(given: {
  readonly databaseUrl: string;
  readonly mongodbUrl: string | undefined;
  readonly key: Buffer;
  readonly metricsPort: number;
  readonly publicUrl: string;
  readonly sandboxUrl: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}): { file: string; args: string[] } {
  const { databaseUrl, mongodbUrl, key, metricsPort, publicUrl, sandboxUrl } = given;
  const { retentionAttemptsMs, retentionEventsMs, retentionJobItemsMs } = readServiceConfig(
    given.environment,
  );
  const settings = {
    retentionAttemptsMs,
    retentionEventsMs,
    retentionJobItemsMs,
    databaseUrl,
    databasePoolSize: 8,
    jobStore:
      mongodbUrl === undefined
        ? { kind: "postgres", url: databaseUrl }
        : { kind: "mongodb", url: mongodbUrl },
    encryptionKeys: [{ id: "e2e", key: key.toString("base64") }],
    receiverPorts: [443],
    metricsPort,
    metricsHost: "127.0.0.1",
    shutdownMs: 5_000,
    logLevel: "trace",
    publicUrl,
    providers:
      sandboxUrl === undefined ? undefined : readProvidersConfig({ SANDBOX_URL: sandboxUrl }),
  };
  return { file: "services/worker/src/test-worker.ts", args: [JSON.stringify(settings)] };
}

/** What the programs said last, for whoever looks into a failed test. */
function tellEnds(printed: Readonly<Record<string, string>>): void {
  for (const [name, output] of Object.entries(printed)) {
    process.stderr.write(`The last words of ${name}:\n${output.slice(-lastWords)}\n`);
  }
}

/** From the last to the first, all of them, and then throws what went wrong first. */
async function runAll(cleanups: readonly (() => Promise<unknown>)[]): Promise<void> {
  const problems: unknown[] = [];
  for (const cleanUp of cleanups.toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}
