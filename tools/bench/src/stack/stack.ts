import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServices } from "@cardvault/core";
import type { Services } from "@cardvault/core";
import { migrate, openDatabase } from "@cardvault/db";
import { createLogger, encryptionKeys, systemClock } from "@cardvault/kit";
import { createDatabase, freePort } from "@cardvault/postgres";
import { serviceMemory } from "@cardvault/start";
import { MongoClient } from "mongodb";
import type { StoreKind } from "../scenario.ts";
import { startProgram } from "./programs.ts";
import type { Program, ProgramOptions } from "./programs.ts";
import { openMongod, openPostgres } from "./servers.ts";
import type { Server } from "./servers.ts";

/** What a scenario works with: real servers and programs in a folder of their own. */
export interface Stack {
  readonly folder: string;
  readonly databaseUrl: string;
  /** Where the API is to be found once it is started. */
  readonly publicUrl: string;
  readonly postgres: Server;
  /** Undefined where jobs are kept in PostgreSQL. */
  readonly mongod: Server | undefined;
  /** As in VAULT_ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  /** The use cases, in this process, for what an operator does before the load. */
  readonly services: Services;
  /** The simulated providers, where they were asked for. */
  readonly sandbox: Program | undefined;
  /** The API process of the local start, ready; its address is `publicUrl`. */
  startApi(nodeArguments?: readonly string[]): Promise<Program & { readonly publicUrl: string }>;
  /** Another API process beside it, ready, at an address of its own. */
  startAnotherApi(): Promise<Program & { readonly url: string }>;
  /** The worker process of the local start, ready. */
  startWorker(nodeArguments?: readonly string[]): Promise<Program>;
  /** A program of the bench's own. */
  start(options: ProgramOptions): Promise<Program>;
  /** Takes everything out of the queue: drops the collection, or empties the table. */
  dropJobs(): Promise<void>;
}

interface StackOptions {
  /** Of the programs, and of what runs here: `fatal` where errors are what the scenario makes. */
  readonly logLevel?: "error" | "fatal" | undefined;
  /** Everything lies here and stays, so that a later run finds it. */
  readonly keepIn?: string | undefined;
  /** Test accounts have the simulated providers, in a process of their own. */
  readonly withSandbox?: boolean | undefined;
  /** More settings of all services. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** More arguments of Node for all services. */
  readonly nodeArguments?: readonly string[] | undefined;
  /** Settings of PostgreSQL, as in postgresql.conf. */
  readonly postgresSettings?: Readonly<Record<string, string>> | undefined;
}

const mongoDatabase = "cardvault";
const servicesFolder = join(import.meta.dirname, "../../../../services");

/**
 * Starts PostgreSQL (with the settings it comes with: every commit reaches the disk) and, where it is
 * asked for, MongoDB; migrates; does the work; and stops everything and removes the folder, also after
 * a failure or a signal.
 */
export async function withStack<T>(
  store: StoreKind,
  work: (stack: Stack) => Promise<T>,
  options: StackOptions = {},
): Promise<T> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) {
      await next().catch((error: unknown) => console.error(error));
    }
  };
  const onSignal = (): void => {
    void cleanUp().finally(() => process.exit(130));
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    return await work(await openStack(store, cleanups, options));
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    await cleanUp();
  }
}

async function openStack(
  store: StoreKind,
  cleanups: (() => Promise<unknown>)[],
  {
    logLevel = "error",
    keepIn,
    withSandbox = false,
    environment: more = {},
    nodeArguments: common = [],
    postgresSettings,
  }: StackOptions,
): Promise<Stack> {
  const folder = keepIn ?? (await mkdtemp(join(tmpdir(), "cardvault-bench-")));
  if (keepIn === undefined) {
    cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  } else await mkdir(folder, { recursive: true });
  // PostgreSQL does not run as root, and its own user must be able to pass through.
  await chmod(folder, 0o711);
  const postgres = await openPostgres(folder, postgresSettings);
  cleanups.push(() => postgres.stop());
  const databaseUrl = await createDatabase(postgres.url, "cardvault");
  await migrate(databaseUrl);
  const mongod = await openMongod(store, folder);
  if (mongod !== undefined) cleanups.push(() => mongod.stop());
  const mongodbUrl = mongod === undefined ? undefined : `${mongod.url}/${mongoDatabase}`;

  const keys = `bench:${randomBytes(32).toString("base64")}`;
  const photoFolder = join(folder, "photos");
  await mkdir(photoFolder, { recursive: true });
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${await freePort()}`;
  // Connections that are being closed while PostgreSQL stops are no news.
  const logger = createLogger({ name: "bench", level: logLevel });
  const db = await openDatabase({ url: databaseUrl, applicationName: "cardvault-bench", logger });
  cleanups.push(() => db.close());
  const services = await createServices({
    db,
    databaseUrl,
    clock: systemClock,
    logger,
    encryptionKeys: encryptionKeys().parse(keys),
    config: { publicUrl, photoFolder, isPlainHttp: true, allowsLoopbackReceivers: true },
  });
  cleanups.push(() => services.close());

  const environment = {
    ...(mongodbUrl === undefined
      ? { JOB_STORE: "postgres" }
      : { JOB_STORE: "mongodb", MONGODB_URL: mongodbUrl }),
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    VAULT_ENCRYPTION_KEYS: keys,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: logLevel,
    ...(withSandbox ? { SANDBOX_URL: sandboxUrl } : {}),
    ...more,
  };
  const start = async (options: ProgramOptions): Promise<Program> => {
    const program = await startProgram(options);
    cleanups.push(() => program.stop());
    return program;
  };
  const sandbox = !withSandbox
    ? undefined
    : await start({
        file: join(servicesFolder, "sandbox/src/main.ts"),
        environment: { ...environment, SANDBOX_PORT: new URL(sandboxUrl).port },
        nodeArguments: common,
        readyUrl: `${sandboxUrl}/readyz`,
      });
  const startApiAt = (url: string, nodeArguments: readonly string[]): Promise<Program> =>
    start({
      file: join(servicesFolder, "api/src/main-local.ts"),
      environment: { ...environment, ...serviceMemory.environment, PORT: new URL(url).port },
      nodeArguments: [...serviceMemory.nodeArguments, ...common, ...nodeArguments],
      readyUrl: `${url}/readyz`,
    });
  return {
    folder,
    databaseUrl,
    publicUrl,
    postgres,
    mongod,
    encryptionKeys: keys,
    services,
    start,
    sandbox,
    async startApi(nodeArguments = []) {
      return Object.assign(await startApiAt(publicUrl, nodeArguments), { publicUrl });
    },
    async startAnotherApi() {
      const url = `http://127.0.0.1:${await freePort()}`;
      return Object.assign(await startApiAt(url, []), { url });
    },
    async startWorker(nodeArguments = []) {
      const metricsPort = await freePort();
      return start({
        file: join(servicesFolder, "worker/src/main-local.ts"),
        environment: {
          ...environment,
          ...serviceMemory.environment,
          METRICS_PORT: String(metricsPort),
        },
        nodeArguments: [...serviceMemory.nodeArguments, ...common, ...nodeArguments],
        readyUrl: `http://127.0.0.1:${metricsPort}/readyz`,
      });
    },
    async dropJobs() {
      if (mongodbUrl === undefined) {
        // Its table was made by a migration, so it can be emptied and not dropped.
        await db.query("truncate agenda.agenda_jobs");
        return;
      }
      const client = await MongoClient.connect(mongodbUrl);
      await client.db().dropCollection("agendaJobs");
      await client.close();
    },
  };
}
