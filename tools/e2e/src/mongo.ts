import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findMongod, startMongod } from "@cardvault/mongod";
import type { RunningMongod } from "@cardvault/mongod";
import { MongoClient } from "mongodb";
import { quietPort } from "./ports.ts";

/** A MongoDB server of a test's own, always on the same port. */
export interface Mongo {
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after a kill. */
  start(): Promise<void>;
  /** Removes its data while it is down: it comes back without a memory. */
  forget(): Promise<void>;
  stop(): Promise<void>;
  /** Uses the services' database, as an operator would with a shell. */
  jobs<T>(
    look: (jobs: ReturnType<ReturnType<MongoClient["db"]>["collection"]>) => Promise<T>,
  ): Promise<T>;
}

const collection = "agendaJobs";

/** @throws where there is no MongoDB server: the caller skips its tests before, and says so. */
export async function openMongo(dataDir: string): Promise<Mongo> {
  const program = await findMongod();
  if (program === undefined) throw new Error("No MongoDB server: set MONGOD_PATH.");
  const port = await quietPort();
  const url = `mongodb://127.0.0.1:${port}/cardvault`;
  let server: RunningMongod | undefined = await startMongod({ program, dataDir, port });
  return {
    url,
    kill: async () => {
      if (server === undefined) return;
      process.kill(server.processId, "SIGKILL");
      await server.exited;
      server = undefined;
    },
    start: async () => {
      server ??= await startMongod({ program, dataDir, port });
    },
    forget: () => rm(join(dataDir, "db"), { recursive: true, force: true }),
    stop: async () => {
      await server?.stop();
    },
    jobs: async (look) => {
      const client = await new MongoClient(url).connect();
      try {
        return await look(client.db().collection(collection));
      } finally {
        await client.close();
      }
    },
  };
}
