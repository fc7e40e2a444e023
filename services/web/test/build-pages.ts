import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { waitFor } from "@cardvault/testkit";

const root = resolve(import.meta.dirname, "../../..");
const web = join(root, "services/web");
const dist = join(web, "dist");
/** What the pages are made of. */
const sources = ["src", "public", "index.html", "vite.config.ts", "package.json"]
  .map((name) => join(web, name))
  .concat(join(root, "libs/contract/src"), join(root, "pnpm-lock.yaml"));
/** Says of which sources the pages in `dist` were built; a build by hand removes it with all the rest. */
const stamp = join(dist, ".built-from");
const lock = join(tmpdir(), `cardvault-pages-${createHash("sha256").update(web).digest("hex")}`);
const buildDeadlineMs = 120_000;

/**
 * Builds the pages as a release has them, once for all test files that need them. In a process of its own,
 * because the test runner's environment would make React's development build. Files are put in place one
 * by one and whole, so that a service of another test file can serve them meanwhile.
 */
export async function buildPages(): Promise<void> {
  const wanted = await hashOf(sources);
  if ((await textOf(stamp)) === wanted) return;
  await alone(async () => {
    if ((await textOf(stamp)) === wanted) return;
    const folder = await mkdtemp(join(tmpdir(), "cardvault-pages-"));
    try {
      await buildInto(folder);
      await put(join(folder, "assets"), join(dist, "assets"));
      await put(folder, dist);
      await writeFile(stamp, wanted);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** @param more arguments of `vite build` */
export async function buildInto(folder: string, more: readonly string[] = []): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    [
      join(web, "node_modules/vite/bin/vite.js"),
      "build",
      web,
      "--outDir",
      folder,
      "--emptyOutDir",
      "--logLevel",
      "error",
      ...more,
    ],
    { env: { ...process.env, NODE_ENV: "production" } },
  );
}

/** The work of one process at a time. What a process that is gone has locked is open again. */
async function alone(work: () => Promise<void>): Promise<void> {
  await waitFor(tryLock, { deadlineMs: buildDeadlineMs, everyMs: 200, what: "the pages' build" });
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function tryLock(): Promise<boolean> {
  try {
    const file = await open(lock, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = Number(await textOf(lock));
  if (holder > 0 && !isRunning(holder)) await rm(lock, { force: true });
  return false;
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files =
      entries === null
        ? [path]
        : entries
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name))
            .toSorted();
    for (const file of files)
      hash
        .update(`${file}\0`)
        .update(await readFile(file))
        .update("\0");
  }
  return hash.digest("hex");
}

function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function put(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const files = await readdir(from, { withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const beside = join(to, `.${file.name}.${process.pid}`);
    await cp(join(from, file.name), beside);
    await rename(beside, join(to, file.name));
  }
}
