import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { root, StartError } from "./settings.ts";

const run = promisify(execFile);
const web = join(root, "services", "web");
/** What the built pages are made of: their own sources, the contract, and the versions of everything. */
const inputs = [web, join(root, "libs", "contract"), join(root, "pnpm-lock.yaml")];

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](?:node_modules|dist)[\\/]/u.test(relative(root, file)));
}

async function inputsHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of (await filesOf(input)).sort()) {
      hash.update(relative(root, file)).update(await readFile(file));
    }
  }
  return hash.digest("hex");
}

/** Builds the pages into services/web/dist, unless what they are made of is as it was at the last build. */
export async function buildWeb(say: (line: string) => void): Promise<void> {
  const stampFile = join(web, "dist", ".stamp");
  const hash = await inputsHash();
  const built = await readFile(stampFile, "utf8").catch(() => "");
  if (built === hash && existsSync(join(web, "dist", "index.html"))) return;
  say("Building the pages");
  try {
    await run(process.execPath, [join(web, "node_modules", "vite", "bin", "vite.js"), "build"], {
      cwd: web,
    });
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    throw new StartError(
      `The pages could not be built:\n${stdout ?? ""}${stderr ?? String(error)}`,
    );
  }
  await writeFile(stampFile, hash);
}
