import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { placeBinaries } from "./binaries.ts";
import {
  clearLeftover,
  clusterPassword,
  ensureCluster,
  placeCluster,
  postmasterState,
  serverEnvironment,
} from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { freePort, isPortFree } from "./ports.ts";
import { waitUntil } from "./processes.ts";

/** Crash recovery of a large write-ahead log may take this long. */
const readyDeadlineMs = 120_000;
const fastStopDeadlineMs = 20_000;
const attempts = 5;

export interface StartPostgresOptions {
  /** A folder of its own for the cluster, its password and its log; made when missing. */
  readonly dataDir: string;
  /** The port on 127.0.0.1. Without one a free port is taken. */
  readonly port?: number | undefined;
  /** Server settings, as in postgresql.conf: `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Takes a line that a person should see: where things were copied to, what was repaired. */
  readonly logger?: ((line: string) => void) | undefined;
}

export interface RunningPostgres {
  /** Superuser's URL of the database `postgres`, with its password. */
  readonly url: string;
  readonly port: number;
  readonly processId: number;
  /** Settles when the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** A fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function logTail(cluster: Cluster): Promise<string> {
  const text = await readFile(join(cluster.home, "postgres.log"), "utf8").catch(() => "");
  return text.trim().split("\n").slice(-8).join("\n");
}

interface Launched {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
}

async function launch(
  cluster: Cluster,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<Launched> {
  // The log is a file and not a pipe: a server that outlives us must not fail at writing into a broken pipe.
  const log = await open(join(cluster.home, "postgres.log"), "w", 0o600);
  try {
    const child = spawn(program, ["-D", cluster.dir, ...settingArguments(settings)], {
      ...cluster.account,
      cwd: cluster.home,
      env: serverEnvironment(),
      // A session of its own, so that Ctrl-C in the terminal does not stop it before its users are down.
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    const exited = new Promise<void>((done) => {
      child.once("error", () => done());
      child.once("exit", () => done());
    });
    child.unref();
    return { child, exited };
  } finally {
    await log.close();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function isReady(cluster: Cluster, child: ChildProcess): Promise<boolean> {
  const state = await postmasterState(cluster.dir);
  return state?.processId === child.pid && state?.status === "ready";
}

async function stopChild(launched: Launched): Promise<void> {
  const { child, exited } = launched;
  if (hasEnded(child)) return;
  child.ref();
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), fastStopDeadlineMs);
  await exited;
  clearTimeout(timer);
}

/**
 * Starts PostgreSQL on 127.0.0.1 with its data in `dataDir`, and answers when it takes connections.
 * It repairs what a killed start left behind. The caller sees to it that no two programs use one folder
 * at the same time: a server that is found running there is taken for a left-over and stopped.
 * Throws an Error with a sentence for the user when the port is taken or the server does not come up.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const say = options.logger ?? (() => undefined);
  const cluster = await placeCluster(resolve(options.dataDir), say);
  const binaries = await placeBinaries(cluster.account, say);
  await clearLeftover(cluster.dir, say);
  await ensureCluster(cluster, binaries);

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    if (options.port !== undefined && !(await isPortFree(port))) {
      throw new Error(
        `Port ${port} of 127.0.0.1 is taken by another program; PostgreSQL cannot use it.`,
      );
    }
    const launched = await launch(cluster, binaries.postgres, {
      listen_addresses: "127.0.0.1",
      port: String(port),
      // No socket: a path may be too long for one, and one door is enough.
      unix_socket_directories: "",
      ...options.settings,
    });
    const { child, exited } = launched;
    let isUp = false;
    await waitUntil(async () => {
      isUp = await isReady(cluster, child);
      return isUp || hasEnded(child);
    }, readyDeadlineMs);
    if (isUp && child.pid !== undefined) {
      const password = await clusterPassword(cluster);
      return {
        url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
        port,
        processId: child.pid,
        exited,
        stop: () => stopChild(launched),
      };
    }
    const tail = await logTail(cluster);
    await stopChild(launched);
    // A free port may be lost to another program, and a killed server's children need a moment to end.
    const isWorthAnotherTry = /Address already in use|shared memory block/u.test(tail);
    if (attempt >= attempts || !isWorthAnotherTry) {
      throw new Error(`PostgreSQL did not start. Its last words:\n${tail}`);
    }
    await waitUntil(() => false, 100);
  }
}
