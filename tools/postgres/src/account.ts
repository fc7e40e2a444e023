import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The user that PostgreSQL runs as, when that is not ourselves. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. For root this is the owner of the cluster that exists already, else
 * the machine's `nobody`; for anybody else undefined, which means: as ourselves.
 * PostgreSQL looks its user up by id, so a number that /etc/passwd does not know would not do.
 */
export async function serverAccount(clusterDir: string): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const line of passwd.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === "nobody") return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL does not run as root, and this machine has no user `nobody` to run it as. Start as another user.",
  );
}

/** Whether any user may pass through every folder above the path, as far as the folders exist. */
export async function isReachableByAll(path: string): Promise<boolean> {
  let folder = dirname(resolve(path));
  for (;;) {
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && (found.mode & 0o001) === 0) return false;
    const above = dirname(folder);
    if (above === folder) return true;
    folder = above;
  }
}

/** Where root puts what another user must reach and the project's own folder hides. */
export const sharedRoot = join("/var", "lib", "cardvault");
