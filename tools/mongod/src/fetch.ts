import { spawn } from "node:child_process";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive } from "@cardvault/postgres";
import { fetchedFolder, fetchedPathFile } from "./find.ts";

/** A machine without a way out must learn so in seconds. */
const silenceMs = 8_000;
const totalMs = 600_000;
const lookEveryMs = 250;
const sayEveryMs = 3_000;
const folderPrefix = "fetch-";

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true }).catch(() => [])) {
    bytes += (await stat(join(folder, entry)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

/** A killed fetch cannot clean up. Its folder is known by the process id in its name. */
async function removeDeadFetches(): Promise<void> {
  for (const name of await readdir(fetchedFolder).catch(() => [])) {
    if (!name.startsWith(folderPrefix) || isAlive(Number(name.slice(folderPrefix.length))))
      continue;
    await rm(join(fetchedFolder, name), { recursive: true, force: true });
  }
}

/**
 * Fetches a MongoDB server with mongodb-memory-server into the workspace's cache folder, once, and
 * answers its path; undefined when that did not work. It gives up when no byte arrives for eight
 * seconds, and removes what an unfinished fetch left.
 */
export async function fetchMongod(say: (line: string) => void): Promise<string | undefined> {
  await removeDeadFetches();
  const folder = join(fetchedFolder, `${folderPrefix}${process.pid}`);
  const temporary = join(folder, "tmp");
  await mkdir(temporary, { recursive: true });
  say("Looking for a MongoDB server to fetch (once; about 100 MB)");

  const child = spawn(process.execPath, [join(import.meta.dirname, "fetch-child.ts"), folder], {
    // The library's own lock and temporary folders then lie where they are removed again.
    env: {
      ...process.env,
      MONGOMS_MAX_RETRIES: "1",
      MONGOMS_PREFER_GLOBAL_PATH: "false",
      TMPDIR: temporary,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code));
  });

  const startedAt = Date.now();
  let bytes = 0;
  let changedAt = startedAt;
  let saidAt = startedAt;
  const stillRuns = Symbol("still runs");
  while ((await Promise.race([ended, pause(lookEveryMs, stillRuns)])) === stillRuns) {
    const now = Date.now();
    const present = await bytesIn(folder);
    if (present !== bytes) {
      bytes = present;
      changedAt = now;
    }
    if (now - saidAt >= sayEveryMs && bytes > 1_000_000) {
      saidAt = now;
      say(`Fetching MongoDB: ${Math.round(bytes / 1_000_000)} MB`);
    }
    if (now - changedAt > silenceMs || now - startedAt > totalMs) child.kill("SIGKILL");
  }
  const path = printed.trim();
  if ((await ended) === 0 && path !== "") {
    await rm(temporary, { recursive: true, force: true });
    await writeFile(fetchedPathFile, `${path}\n`);
    return path;
  }
  await rm(folder, { recursive: true, force: true });
  return undefined;
}
