import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMongod, startMongod } from "@cardvault/mongod";
import { describe } from "vitest";
import { mongoFolderName, runFolder } from "./servers.ts";
import { waitFor } from "./wait-for.ts";

const startDeadlineMs = 60_000;
const program = await findMongod();

/** Whether a MongoDB server can be had for tests on this machine. */
export const hasMongo: boolean = program !== undefined;

/**
 * Starts the run's MongoDB at the first call of any worker; the others find it by its `url` file. The
 * folder is the lock: making it succeeds for one of them only.
 */
async function sharedMongoUrl(): Promise<string> {
  if (program === undefined) {
    throw new Error("No MongoDB server for tests: set MONGOD_PATH, or put mongod on the PATH.");
  }
  const folder = join(runFolder(), mongoFolderName);
  const urlFile = join(folder, "url");
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const { url } = await startMongod({ program, dataDir: folder });
    await writeFile(`${urlFile}.new`, url);
    await rename(`${urlFile}.new`, urlFile);
  }
  return waitFor(() => readFile(urlFile, "utf8"), {
    deadlineMs: startDeadlineMs,
    what: "the MongoDB of this test run",
  });
}

/** The URL of a fresh, empty database on the run's MongoDB server. */
export async function mongoUrlForTest(): Promise<string> {
  return `${await sharedMongoUrl()}/test_${randomBytes(8).toString("hex")}`;
}

/** `describe`, or where no MongoDB server can be had a skipped one that says so on the console. */
export function describeWithMongo(name: string, tests: () => void): void {
  if (!hasMongo) {
    process.stderr.write(
      `NOT TESTED on MongoDB (no server: set MONGOD_PATH, or put mongod on the PATH): ${name}\n`,
    );
  }
  const choose = hasMongo ? describe : describe.skip;
  choose(name, tests);
}
