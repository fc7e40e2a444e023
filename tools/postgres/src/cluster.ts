import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isReachableByAll, serverAccount, sharedRoot } from "./account.ts";
import type { ServerAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { commandLineOf, isAlive, waitUntil } from "./processes.ts";

const run = promisify(execFile);
const stopDeadlineMs = 30_000;
const major = "18";

/** A cluster's place: `home` holds the password and the log, `dir` is PostgreSQL's own data directory. */
export interface Cluster {
  readonly home: string;
  readonly dir: string;
  readonly account: ServerAccount | undefined;
}

/**
 * Decides where the cluster lies. For root with a data folder that the server's user cannot reach it is
 * /var/lib/cardvault/data-…, and the file `location` in the data folder says so from then on.
 */
export async function placeCluster(dataDir: string, say: (line: string) => void): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  const pointer = join(dataDir, "location");
  let home = (await readFile(pointer, "utf8").catch(() => "")).trim() || dataDir;
  let account = await serverAccount(join(home, "cluster"));
  if (account !== undefined && !(await isReachableByAll(join(home, "cluster")))) {
    if (await isReachableByAll(home)) {
      // Only our own folder is closed (a strict umask): letting others pass through is enough.
      await chmod(home, 0o711);
    } else if (home === dataDir) {
      home = join(sharedRoot, `data-${randomBytes(6).toString("hex")}`);
      await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
      await mkdir(home, { mode: 0o711 });
      await writeFile(pointer, `${home}\n`);
      account = await serverAccount(join(home, "cluster"));
    }
  }
  if (home !== dataDir) say(`PostgreSQL's data lie in ${home}: its user cannot reach ${dataDir}`);
  return { home, dir: join(home, "cluster"), account };
}

/**
 * Runs initdb where there is no cluster yet. It works in a folder beside and renames it at the end, so
 * that a killed first start leaves nothing half made behind.
 */
export async function ensureCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
  const version = await readFile(join(cluster.dir, "PG_VERSION"), "utf8").catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "EACCES") {
        throw new Error(
          `The PostgreSQL data in ${cluster.dir} belong to another user. Start as that user, or choose another DATA_DIR.`,
          { cause: error },
        );
      }
      return undefined;
    },
  );
  if (version !== undefined) {
    if (version.trim() === major) return;
    throw new Error(
      `The data in ${cluster.dir} were written by PostgreSQL ${version.trim()}; this is PostgreSQL ${major}. Choose another DATA_DIR, or move the data with pg_dump.`,
    );
  }
  const fresh = `${cluster.dir}.new`;
  const passwordFile = join(cluster.home, "password.new");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  const password = randomBytes(18).toString("base64url");
  await writeFile(join(cluster.home, "password"), password, { mode: 0o600 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (cluster.account !== undefined) {
    await chown(fresh, cluster.account.uid, cluster.account.gid);
    await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  }
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${fresh}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-sync",
      ],
      { ...cluster.account, cwd: cluster.home, env: serverEnvironment() },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(fresh, cluster.dir);
}

/** The superuser's password, made with the cluster. */
export async function clusterPassword(cluster: Cluster): Promise<string> {
  return (await readFile(join(cluster.home, "password"), "utf8")).trim();
}

/** Nothing of our own environment (PGDATA, PGPORT, TZ …) may steer the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { LC_ALL: "C", TZ: "UTC" };
  if (process.env["PATH"] !== undefined) kept["PATH"] = process.env["PATH"];
  if (process.env["SystemRoot"] !== undefined) kept["SystemRoot"] = process.env["SystemRoot"];
  return kept;
}

/** What a server that was killed or left alone wrote into postmaster.pid. */
export async function postmasterState(
  clusterDir: string,
): Promise<{ processId: number; status: string } | undefined> {
  const text = await readFile(join(clusterDir, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  return { processId: Number(lines[0]), status: (lines[7] ?? "").trim() };
}

/**
 * Clears what an earlier start left: a server of this very folder that still runs is stopped (fast
 * shutdown), the pid file of a dead one, or of a process id that another program has by now, is removed.
 */
export async function clearLeftover(
  clusterDir: string,
  say: (line: string) => void,
): Promise<void> {
  const state = await postmasterState(clusterDir);
  if (state === undefined) return;
  const { processId } = state;
  const isOurs = Number.isInteger(processId) && processId > 1 && isAlive(processId);
  if (isOurs && (await commandLineOf(processId)).includes(clusterDir)) {
    say("PostgreSQL still runs from an earlier start; it is stopped first");
    process.kill(processId, "SIGINT");
    if (await waitUntil(() => !isAlive(processId), stopDeadlineMs)) return;
    throw new Error(`PostgreSQL of an earlier start (process ${processId}) does not stop.`);
  }
  await rm(join(clusterDir, "postmaster.pid"), { force: true });
}
