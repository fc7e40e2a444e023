import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLineOf, isAlive } from "@cardvault/postgres";
import { StartError } from "./settings.ts";

export interface DataFolderLock {
  /** Whether an earlier start was killed and left its lock. */
  readonly wasLeft: boolean;
  release(): Promise<void>;
}

/**
 * Takes the data folder for this process. A lock whose process is gone, or whose process id belongs to
 * another program by now, is taken over. Throws a StartError when another start uses the folder.
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, "start.lock");
  const mine = `${file}.${process.pid}`;
  await writeFile(mine, `${process.pid}\n`);
  let wasLeft = false;
  for (;;) {
    try {
      // A link appears with its content; a lock that is still empty would look stale to another start.
      await link(mine, file);
      await rm(mine);
      return { wasLeft, release: () => rm(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
    const isRunning =
      holder > 1 && isAlive(holder) && (await commandLineOf(holder)).includes("tools/start");
    if (isRunning && holder !== process.pid) {
      await rm(mine);
      throw new StartError(
        `The Card Vault runs already on ${dataDir} (process ${holder}).\n` +
          "Stop that one, or start a second beside it: DATA_DIR=.data-2 PORT=3100 npm start",
      );
    }
    wasLeft = true;
    await rm(file, { force: true });
  }
}
