import { join } from "node:path";
import { findMongod, startMongod } from "@cardvault/mongod";
import { startPostgres } from "@cardvault/postgres";
import type { StoreKind } from "../scenario.ts";
import { killTree } from "./process-tree.ts";

/** A database server that a scenario may kill and start again, at the same port with the same data. */
export interface Server {
  readonly url: string;
  readonly processId: number;
  /** `kill -9` of all its processes. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly url: string;
  readonly port: number;
  readonly processId: number;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

async function openServer(launch: (port: number | undefined) => Promise<Running>): Promise<Server> {
  let running = await launch(undefined);
  const { url, port } = running;
  return {
    url,
    get processId() {
      return running.processId;
    },
    async crash() {
      await killTree(running.processId);
      await running.exited;
    },
    async start() {
      running = await launch(port);
    },
    stop: () => running.stop(),
  };
}

/** PostgreSQL with the settings it comes with, unless told otherwise: every commit reaches the disk. */
export function openPostgres(
  folder: string,
  settings?: Readonly<Record<string, string>>,
): Promise<Server> {
  return openServer((port) => startPostgres({ dataDir: join(folder, "postgres"), port, settings }));
}

/** A MongoDB server, where jobs are to be kept in one. */
export async function openMongod(store: StoreKind, folder: string): Promise<Server | undefined> {
  if (store === "postgres") return undefined;
  const program = await findMongod();
  if (program === undefined) {
    throw new Error("There is no MongoDB server here: set MONGOD_PATH, or put mongod on the PATH.");
  }
  return openServer((port) => startMongod({ program, dataDir: join(folder, "mongodb"), port }));
}
