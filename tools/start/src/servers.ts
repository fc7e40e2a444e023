import { join } from "node:path";
import { fetchMongod, findMongod, startMongod } from "@cardvault/mongod";
import { createDatabase, startPostgres } from "@cardvault/postgres";
import type { StartSettings } from "./settings.ts";
import { keepRunning } from "./supervisor.ts";
import type { Supervised } from "./supervisor.ts";

const databaseName = "cardvault";

export interface Database {
  readonly url: string;
  readonly isEmbedded: boolean;
  /** Undefined for a server of the user's own, which is not ours to stop. */
  readonly server: Supervised | undefined;
}

/** The PostgreSQL that DATABASE_URL names, else the embedded one with its data in the data folder. */
export async function provideDatabase(
  settings: StartSettings,
  say: (line: string) => void,
): Promise<Database> {
  if (settings.databaseUrl !== undefined) {
    return { url: settings.databaseUrl, isEmbedded: false, server: undefined };
  }
  const dataDir = join(settings.dataDir, "postgres");
  const first = await startPostgres({ dataDir, logger: say });
  const url = await createDatabase(first.url, databaseName);
  // The same port again: the programs that use it know no other.
  const again = () => startPostgres({ dataDir, port: first.port, logger: say });
  return { url, isEmbedded: true, server: keepRunning("PostgreSQL", again, say, first) };
}

export interface JobStore {
  /** Undefined: the jobs are kept in PostgreSQL. */
  readonly mongodbUrl: string | undefined;
  readonly server: Supervised | undefined;
}

/**
 * The MongoDB that MONGODB_URL names, else one that is found on the machine or fetched once, else none:
 * then Agenda keeps its jobs in PostgreSQL, which is said in one line.
 */
export async function provideJobStore(
  settings: StartSettings,
  say: (line: string) => void,
): Promise<JobStore> {
  if (settings.mongodbUrl !== undefined) {
    return { mongodbUrl: settings.mongodbUrl, server: undefined };
  }
  const program = (await findMongod()) ?? (await fetchMongod(say));
  if (program === undefined) {
    say(
      "No MongoDB server can be had here (MONGODB_URL, MONGOD_PATH, PATH, fetching): jobs are kept in PostgreSQL",
    );
    return { mongodbUrl: undefined, server: undefined };
  }
  const dataDir = join(settings.dataDir, "mongodb");
  const first = await startMongod({ program, dataDir, logger: say });
  const again = () => startMongod({ program, dataDir, port: first.port, logger: say });
  return {
    mongodbUrl: `${first.url}/${databaseName}`,
    server: keepRunning("MongoDB", again, say, first),
  };
}
