import { setTimeout as wait } from "node:timers/promises";
import { waitUntil } from "@cardvault/postgres";
import type { Program } from "../stack/programs.ts";
import type { Server } from "../stack/servers.ts";
import type { Stack } from "../stack/stack.ts";
import { readLeased } from "../webhooks/house.ts";

export type VictimName = "worker" | "api" | "PostgreSQL" | "MongoDB";

/** Everything that may be killed, and what was under way when it was. */
export interface Victims {
  readonly names: readonly VictimName[];
  /** Kills it, and starts it again after a moment. */
  kill(name: VictimName): Promise<void>;
  /** Starts again what has ended by itself. Answers how often that was so until now. */
  revive(): Promise<number>;
  /** Requests that may have been on their way at the kills: each may arrive twice. */
  inFlight(): number;
}

/** A victim stays dead for up to so long. */
const mostDeadMs = 1_500;
const quietDeadlineMs = 5_000;

export async function openVictims(stack: Stack): Promise<Victims> {
  const starts = { worker: () => stack.startWorker(), api: () => stack.startApi() };
  const programs: Record<keyof typeof starts, Program> = {
    api: await starts.api(),
    worker: await starts.worker(),
  };
  const servers: Partial<Record<VictimName, Server>> = {
    PostgreSQL: stack.postgres,
    ...(stack.mongod === undefined ? {} : { MongoDB: stack.mongod }),
  };
  const leases = new Set<string>();
  let ownEnds = 0;

  /** A lease that outlives two kills is one request. */
  const keepLeases = async (): Promise<void> => {
    for (const { id, leaseToken } of await readLeased(stack)) leases.add(`${id} ${leaseToken}`);
  };
  const killProgram = async (name: keyof typeof starts): Promise<void> => {
    await programs[name].kill();
    if (name === "worker") {
      // What it had sent to PostgreSQL is still carried out there.
      await waitUntil(() => isQuiet(stack), quietDeadlineMs);
      await keepLeases();
    }
    await wait(Math.random() * mostDeadMs);
    programs[name] = await starts[name]();
  };
  const killServer = async (server: Server, hasLeases: boolean): Promise<void> => {
    if (hasLeases) {
      // The worker stands still until PostgreSQL is dead: so what is on its way can be counted.
      process.kill(programs.worker.processId, "SIGSTOP");
      await waitUntil(() => isQuiet(stack), quietDeadlineMs);
      await keepLeases();
    }
    await server.crash();
    if (hasLeases) process.kill(programs.worker.processId, "SIGCONT");
    await wait(Math.random() * mostDeadMs);
    await server.start();
  };
  const revive = async (): Promise<number> => {
    for (const name of ["worker", "api"] as const) {
      if (!programs[name].hasEnded) continue;
      ownEnds += 1;
      programs[name] = await starts[name]();
    }
    return ownEnds;
  };

  return {
    names: [
      "worker",
      "PostgreSQL",
      "api",
      ...(stack.mongod === undefined ? [] : ["MongoDB"]),
    ] as VictimName[],
    async kill(name) {
      await revive();
      if (name === "worker" || name === "api") return killProgram(name);
      const server = servers[name];
      if (server === undefined) throw new Error(`There is no ${name}`);
      return killServer(server, name === "PostgreSQL");
    },
    revive,
    inFlight: () => leases.size,
  };
}

/** Whether PostgreSQL carries out nothing for the worker. */
async function isQuiet({ services }: Stack): Promise<boolean> {
  const [row] = await services.db.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity
     where application_name = 'cardvault-worker' and state = 'active'`,
  );
  return row?.count === 0;
}
