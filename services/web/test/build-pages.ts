import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const web = resolve(import.meta.dirname, "..");

/**
 * Builds the pages as a release has them: in a process of its own, because the test runner's
 * environment would make React's development build. Files are put in place one by one and whole, so
 * that several test files can build while a service of another one serves them.
 */
export async function buildPages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-pages-"));
  try {
    await buildInto(folder);
    await put(join(folder, "assets"), join(web, "dist/assets"));
    await put(folder, join(web, "dist"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

async function put(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const files = await readdir(from, { withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const beside = join(to, `.${file.name}.${process.pid}`);
    await cp(join(from, file.name), beside);
    await rename(beside, join(to, file.name));
  }
}
