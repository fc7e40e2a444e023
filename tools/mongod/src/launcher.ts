import { spawn } from "node:child_process";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { commandLineOf, freePort, isAlive, isPortFree, waitUntil } from "@cardvault/postgres";

const readyDeadlineMs = 60_000;
const stopDeadlineMs = 20_000;
const readyLine = "Waiting for connections";
const attempts = 3;

export interface StartMongodOptions {
  /** The server's program, from `findMongod` or `fetchMongod`. */
  readonly program: string;
  /** A folder of its own for the data, the log and the process id; made when missing. */
  readonly dataDir: string;
  /** The port on 127.0.0.1. Without one a free port is taken. */
  readonly port?: number | undefined;
  /** Takes a line that a person should see. */
  readonly logger?: ((line: string) => void) | undefined;
}

export interface RunningMongod {
  /** The server's URL, without a database. */
  readonly url: string;
  readonly port: number;
  readonly processId: number;
  /** Settles when the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

async function endProcess(processId: number): Promise<void> {
  if (!isAlive(processId)) return;
  process.kill(processId, "SIGTERM");
  if (await waitUntil(() => !isAlive(processId), stopDeadlineMs)) return;
  process.kill(processId, "SIGKILL");
  await waitUntil(() => !isAlive(processId), stopDeadlineMs);
}

async function clearLeftover(home: string, say: (line: string) => void): Promise<void> {
  const pidFile = join(home, "mongod.pid");
  const processId = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (!Number.isInteger(processId) || processId <= 1) return;
  if (isAlive(processId) && (await commandLineOf(processId)).includes(join(home, "db"))) {
    say("MongoDB still runs from an earlier start; it is stopped first");
    await endProcess(processId);
  }
  await rm(pidFile, { force: true });
}

async function launch(
  program: string,
  home: string,
  port: number,
): Promise<RunningMongod | string> {
  const logFile = join(home, "mongod.log");
  // A file and not a pipe: a server that outlives us must not fail at writing into a broken pipe.
  const log = await open(logFile, "w", 0o600);
  const child = spawn(
    program,
    ["--port", String(port), "--bind_ip", "127.0.0.1", "--dbpath", join(home, "db")],
    // A session of its own, so that Ctrl-C does not stop it before the worker is down.
    { cwd: home, detached: true, stdio: ["ignore", log.fd, log.fd] },
  );
  let hasEnded = false;
  const exited = new Promise<void>((done) => {
    child.once("error", () => done());
    child.once("exit", () => done());
  }).finally(() => {
    hasEnded = true;
  });
  child.unref();
  await log.close();
  if (child.pid !== undefined) await writeFile(join(home, "mongod.pid"), String(child.pid));

  let text = "";
  let isReady = false;
  await waitUntil(
    async () => {
      text = await readFile(logFile, "utf8");
      isReady = text.includes(readyLine);
      return isReady || hasEnded;
    },
    readyDeadlineMs,
    25,
  );
  const { pid } = child;
  const stop = async (): Promise<void> => {
    if (hasEnded || pid === undefined) return;
    child.ref();
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
    await exited;
    clearTimeout(timer);
  };
  if (!isReady || hasEnded || pid === undefined) {
    await stop();
    return text.trim().split("\n").slice(-5).join("\n");
  }
  return { url: `mongodb://127.0.0.1:${port}`, port, processId: pid, exited, stop };
}

/**
 * Starts a MongoDB server on 127.0.0.1 with its data in `dataDir`, and answers when it takes connections.
 * A server that an earlier, killed start left running on this folder is stopped first. Throws an Error
 * with a sentence for the user when the port is taken or the server does not come up.
 */
export async function startMongod(options: StartMongodOptions): Promise<RunningMongod> {
  const home = resolve(options.dataDir);
  await mkdir(join(home, "db"), { recursive: true });
  await clearLeftover(home, options.logger ?? (() => undefined));
  let lastWords = "";
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = options.port ?? (await freePort());
    if (options.port !== undefined && !(await isPortFree(port))) {
      throw new Error(
        `Port ${port} of 127.0.0.1 is taken by another program; MongoDB cannot use it.`,
      );
    }
    const launched = await launch(options.program, home, port);
    if (typeof launched !== "string") return launched;
    lastWords = launched;
  }
  throw new Error(`${options.program} did not start. Its last words:\n${lastWords}`);
}
