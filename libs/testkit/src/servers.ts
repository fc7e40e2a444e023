import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@cardvault/db";
import {
  commandLineOf,
  createDatabase,
  isAlive,
  startPostgres,
  waitUntil,
} from "@cardvault/postgres";
import pg from "pg";

const folderPrefix = "cardvault-test-";
export const templateName = "cardvault_template";

/** How worker processes find the servers of the run: they inherit the environment. */
const runFolderVariable = "CARDVAULT_TEST_FOLDER";
export const postgresVariable = "CARDVAULT_TEST_POSTGRES";

/** Where the run's MongoDB lies within the run's folder. */
export const mongoFolderName = "mongo";

/** The temporary folder of this run. */
export function runFolder(): string {
  const folder = process.env[runFolderVariable];
  if (folder === undefined) {
    throw new Error("No test run: run under vitest, or call startTestServers() first.");
  }
  return folder;
}

async function readProcessId(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const processId = Number.parseInt(text, 10);
  return Number.isInteger(processId) && processId > 1 ? processId : undefined;
}

/** Ends a server of this folder, known by its command line, so that a reused process id is left alone. */
async function endServer(processId: number | undefined, folder: string): Promise<void> {
  if (processId === undefined || !isAlive(processId)) return;
  if (!(await commandLineOf(processId)).includes(folder)) return;
  process.kill(processId, "SIGTERM");
  if (!(await waitUntil(() => !isAlive(processId), 3_000))) process.kill(processId, "SIGKILL");
}

async function removeRunFolder(folder: string): Promise<void> {
  await endServer(await readProcessId(join(folder, mongoFolderName, "mongod.pid")), folder);
  const postmaster = await readProcessId(join(folder, "postgres", "cluster", "postmaster.pid"));
  if (postmaster !== undefined && (await commandLineOf(postmaster)).includes(folder)) {
    // Immediate shutdown: nobody needs these data any more.
    process.kill(postmaster, "SIGQUIT");
    await waitUntil(() => !isAlive(postmaster), 5_000);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A killed run cannot clean up. The next one ends its servers and removes its folders. */
async function reapDeadRuns(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), name);
    const owner = await readProcessId(join(folder, "owner.pid"));
    // A folder without an owner may be one that another run is making just now.
    if (owner !== undefined && !isAlive(owner)) await removeRunFolder(folder);
  }
}

async function makeTemplate(url: string): Promise<void> {
  const templateUrl = await createDatabase(url, templateName);
  await migrate(templateUrl);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // A template with a session on it cannot be cloned: nobody may connect from here on.
    await client.query(
      `alter database ${templateName} with is_template true allow_connections false`,
    );
  } finally {
    await client.end();
  }
}

export interface TestServers {
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a test run in a temporary folder and migrates the template that
 * `createTestDatabase` clones. Vitest calls it once; a program outside vitest may call it itself.
 */
export async function startTestServers(): Promise<TestServers> {
  await reapDeadRuns();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  await writeFile(join(folder, "owner.pid"), String(process.pid));
  await chmod(folder, 0o711);
  const postgres = await startPostgres({
    dataDir: join(folder, "postgres"),
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
      shared_buffers: "128MB",
      max_wal_size: "2GB",
    },
  });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await removeRunFolder(folder);
  };
  try {
    await makeTemplate(postgres.url);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env[runFolderVariable] = folder;
  process.env[postgresVariable] = postgres.url;
  return { stop };
}
