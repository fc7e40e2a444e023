import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../../..");
const readyDeadlineMs = 300_000;
const drawnDeadlineMs = 600_000;

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A service as `npm start` runs it, with its demonstration account. */
export interface Service {
  readonly url: string;
  /** Owner of the demonstration shop, and an operator. */
  readonly dealer: Person;
  /** Owner of an account in which nothing is yet. */
  readonly newcomer: Person;
  readonly token: string;
  close(): Promise<void>;
}

/** Starts it in a folder of its own. @param say told what is waited for */
export async function openService(say: (line: string) => void): Promise<Service> {
  const kept = process.env["SCREENS_DATA_DIR"];
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), "cardvault-screens-data-")));
  const port = await freePort();
  const environment = { ...process.env, PORT: String(port), DATA_DIR: dataDir, INIT_CWD: "/" };
  const url = `http://localhost:${port}`;
  let said = "";
  const start = spawn(process.execPath, [join(root, "tools/start/src/main.ts")], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [start.stdout, start.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const close = async (): Promise<void> => {
    await stop(start);
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    say("Starting the service");
    await waitUntil(
      () => said.includes("is ready after"),
      readyDeadlineMs,
      () => said,
    );
    const file = await readFile(join(dataDir, "credentials.json"), "utf8");
    const { email, password, token } = JSON.parse(file) as Person & { token: string };
    const operate = (args: readonly string[], input: string) => operator(args, input, environment);
    await operate(["person", "operator", email], "");
    const newcomer = {
      email: `new-${randomBytes(4).toString("hex")}@example.com`,
      password: randomBytes(12).toString("base64url"),
    };
    await operate(
      [
        "account",
        "create",
        "Quayside Cards",
        "--email",
        newcomer.email,
        "--person",
        "Noa Lind",
      ].concat("--environment", "test", "--password-stdin"),
      newcomer.password,
    );
    say("Waiting for the pictures of the demonstration");
    await waitUntil(
      () => areDrawn(url, token),
      drawnDeadlineMs,
      () => said,
    );
    return { url, dealer: { email, password }, newcomer, token, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** They are drawn newest first: once the oldest card's is there, all are. */
async function areDrawn(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/cards?sort=created_at&limit=1`, { headers });
  if (!answer.ok) return false;
  const { data } = (await answer.json()) as { data: { photos: { thumbnail_url: string }[] }[] };
  const picture = data[0]?.photos[0]?.thumbnail_url;
  return picture === undefined || (await fetch(picture)).ok;
}

async function operator(
  args: readonly string[],
  input: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(process.execPath, [join(root, "tools/operator/src/main.ts"), ...args], {
    env: environment,
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(input);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`The operator's command failed: ${args.join(" ")}`);
}

async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  deadlineMs: number,
  said: () => string,
): Promise<void> {
  const until = Date.now() + deadlineMs;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`The service does not get ready:\n${said()}`);
    await pause(500);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** One whose neighbours of the start, a thousand and two thousand above it, are ports too. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    if (address !== null && typeof address === "object" && address.port < 60_000) {
      return address.port;
    }
  }
}
