import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

/** Where a fetched server is kept, once for every data folder and for the tests. */
export const fetchedFolder = resolve(import.meta.dirname, "../../../.cache/mongodb");
export const fetchedPathFile = join(fetchedFolder, "mongod-path");

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The MongoDB server program of this machine: `MONGOD_PATH`, else `mongod` on the PATH, else one that
 * `fetchMongod` fetched before. Undefined when there is none.
 * Throws an Error for a MONGOD_PATH that names no program: a wrong setting must not pass unseen.
 */
export async function findMongod(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const named = environment["MONGOD_PATH"];
  if (named !== undefined && named !== "") {
    const path = resolve(named);
    if (await isProgram(path)) return path;
    throw new Error(`MONGOD_PATH names ${path}, and that is no program that can be run.`);
  }
  const fileName = process.platform === "win32" ? "mongod.exe" : "mongod";
  for (const folder of (environment["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, fileName);
    if (folder !== "" && (await isProgram(path))) return path;
  }
  const fetched = (await readFile(fetchedPathFile, "utf8").catch(() => "")).trim();
  return fetched !== "" && (await isProgram(fetched)) ? fetched : undefined;
}
