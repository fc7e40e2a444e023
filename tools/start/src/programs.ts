import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPortFree, waitUntil } from "@cardvault/postgres";
import { serviceMemory } from "./service-memory.ts";
import { root, StartError } from "./settings.ts";
import type { StartSettings } from "./settings.ts";
import { logTail, superviseProgram } from "./supervisor.ts";
import type { ProgramOptions, Supervised } from "./supervisor.ts";

const readyDeadlineMs = 60_000;
const requestDeadlineMs = 2_000;
/** A service that ended this often before it was ready will not get better by itself. */
const mostRestarts = 3;
/** What a killed start left running ends itself within this time. */
const leftOverDeadlineMs = 10_000;

export interface ProgramFacts {
  readonly settings: StartSettings;
  readonly databaseUrl: string;
  readonly mongodbUrl: string | undefined;
  readonly encryptionKeys: string;
  readonly webhookSecret: string | undefined;
  readonly say: (line: string) => void;
}

/** Fails early and clearly when a port is taken; waits a little when a killed start may still hold it. */
export async function requirePorts(settings: StartSettings, afterKill: boolean): Promise<void> {
  const ports = [
    ["PORT", settings.port],
    ["RECEIVER_PORT", settings.receiverPort],
    ["METRICS_PORT", settings.apiMetricsPort],
    ["WORKER_METRICS_PORT", settings.workerMetricsPort],
    ["SANDBOX_PORT", settings.sandboxPort],
  ] as const;
  for (const [name, port] of ports) {
    const isFree = await waitUntil(() => isPortFree(port), afterKill ? leftOverDeadlineMs : 0, 50);
    if (isFree) continue;
    throw new StartError(
      `Port ${port} is taken by another program. Choose another with ${name}, for example: ${name}=${port + 100} npm start`,
    );
  }
}

/** Starts api, worker, the sandbox and the example receiver, and keeps them running. */
export function startPrograms(facts: ProgramFacts): Supervised[] {
  const { settings, say } = facts;
  const logs = join(settings.dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  const {
    DATABASE_URL: _database,
    MONGODB_URL: _mongodb,
    JOB_STORE: _jobStore,
    ...inherited
  } = process.env;
  const shared: NodeJS.ProcessEnv = {
    ...inherited,
    DATABASE_URL: facts.databaseUrl,
    DATA_DIR: settings.dataDir,
    ...(facts.mongodbUrl === undefined
      ? { JOB_STORE: "postgres" }
      : { JOB_STORE: "mongodb", MONGODB_URL: facts.mongodbUrl }),
    VAULT_ENCRYPTION_KEYS: facts.encryptionKeys,
    PUBLIC_URL: publicUrl(settings),
    RECEIVER_PORT: String(settings.receiverPort),
    SANDBOX_URL: `http://127.0.0.1:${settings.sandboxPort}`,
  };
  const program = (
    name: string,
    file: string,
    environment: NodeJS.ProcessEnv,
    more: Pick<ProgramOptions, "onLine" | "nodeArguments"> = {},
  ): Supervised => {
    const logFile = join(logs, `${name}.log`);
    writeFileSync(logFile, "", { mode: 0o600 });
    const full = { ...shared, ...environment };
    return superviseProgram(
      { name, file: join(root, file), environment: full, logFile, ...more },
      say,
    );
  };
  const programs = [
    program(
      "api",
      "services/api/src/main-local.ts",
      {
        PORT: String(settings.port),
        METRICS_PORT: String(settings.apiMetricsPort),
        ...serviceMemory.environment,
      },
      { nodeArguments: serviceMemory.nodeArguments },
    ),
    program(
      "worker",
      "services/worker/src/main-local.ts",
      { METRICS_PORT: String(settings.workerMetricsPort), ...serviceMemory.environment },
      { nodeArguments: serviceMemory.nodeArguments },
    ),
    program("sandbox", "services/sandbox/src/main.ts", {
      SANDBOX_PORT: String(settings.sandboxPort),
    }),
  ];
  if (facts.webhookSecret !== undefined) {
    programs.push(
      program(
        "receiver",
        "tools/receiver/src/main.ts",
        { WEBHOOK_SECRETS: facts.webhookSecret },
        { onLine: (line) => say(`receiver  ${line}`) },
      ),
    );
  }
  return programs;
}

/** The address to open; without a public one configured, this machine's own. */
export function publicUrl(settings: StartSettings): string {
  const configured = process.env["PUBLIC_URL"];
  return configured !== undefined && configured !== ""
    ? configured
    : `http://localhost:${settings.port}`;
}

/** Waits for `/readyz`; throws a StartError with the end of the log when a program cannot start. */
export async function waitReady(
  settings: StartSettings,
  programs: readonly Supervised[],
  isStopping: () => boolean,
): Promise<void> {
  let broken: Supervised | undefined;
  const isReady = await waitUntil(
    async () => {
      broken = programs.find((program) => program.restarts() >= mostRestarts);
      if (broken !== undefined || isStopping()) return true;
      const answer = await fetch(`http://127.0.0.1:${settings.port}/readyz`, {
        signal: AbortSignal.timeout(requestDeadlineMs),
      }).catch(() => undefined);
      return answer?.ok === true;
    },
    readyDeadlineMs,
    50,
  );
  if (isReady && broken === undefined) return;
  const name = broken?.name ?? "api";
  const log = join(settings.dataDir, "logs", `${name}.log`);
  throw new StartError(`${name} does not get ready. The end of ${log}:\n${logTail(log)}`);
}
