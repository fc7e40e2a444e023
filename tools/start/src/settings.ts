import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");
const highestPort = 65_535;
const keyBytes = 32;

/** The ports besides PORT, by their distance from it, so that another PORT moves all of them. */
const portDistance = {
  receiver: 1000,
  apiMetrics: 2000,
  workerMetrics: 2001,
  sandbox: 2002,
} as const;

export interface StartSettings {
  readonly dataDir: string;
  readonly port: number;
  readonly receiverPort: number;
  readonly apiMetricsPort: number;
  readonly workerMetricsPort: number;
  readonly sandboxPort: number;
  /** A PostgreSQL of the user's own; undefined means the embedded one. */
  readonly databaseUrl: string | undefined;
  /** A MongoDB of the user's own; undefined means one that is found or fetched. */
  readonly mongodbUrl: string | undefined;
}

/** A mistake of the person who starts: the sentence is all they need to see. */
export class StartError extends Error {
  override readonly name = "StartError";
}

function readPort(environment: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = environment[name];
  const port = text === undefined || text === "" ? otherwise : Number(text);
  if (Number.isInteger(port) && port > 0 && port <= highestPort) return port;
  throw new StartError(`${name} is ${text ?? port}; it has to be a port from 1 to ${highestPort}.`);
}

function readText(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name];
  return text === "" ? undefined : text;
}

/** What the environment says about the start; throws a StartError for what cannot be. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): StartSettings {
  const port = readPort(environment, "PORT", 3000);
  return {
    // Where the command was typed; npm sets it, since it changes to the package's folder itself.
    dataDir: resolve(
      environment["INIT_CWD"] ?? root,
      readText(environment, "DATA_DIR") ?? join(root, ".data"),
    ),
    port,
    receiverPort: readPort(environment, "RECEIVER_PORT", port + portDistance.receiver),
    apiMetricsPort: readPort(environment, "METRICS_PORT", port + portDistance.apiMetrics),
    workerMetricsPort: readPort(
      environment,
      "WORKER_METRICS_PORT",
      port + portDistance.workerMetrics,
    ),
    sandboxPort: readPort(environment, "SANDBOX_PORT", port + portDistance.sandbox),
    databaseUrl: readText(environment, "DATABASE_URL"),
    mongodbUrl: readText(environment, "MONGODB_URL"),
  };
}

/**
 * The key that seals secrets, `id:base64`, made once in the data folder (mode 0600). A database of the
 * user's own outlives this folder, so its key has to be configured.
 */
export async function encryptionKeys(
  settings: StartSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const configured = readText(environment, "VAULT_ENCRYPTION_KEYS");
  if (configured !== undefined) return configured;
  const made = `k1:${randomBytes(keyBytes).toString("base64")}`;
  if (settings.databaseUrl !== undefined) {
    throw new StartError(
      "DATABASE_URL is set, so VAULT_ENCRYPTION_KEYS has to be set too: the secrets in that database are sealed with it.\n" +
        `Make one key and keep it safe, for example: export VAULT_ENCRYPTION_KEYS='k1:'$(openssl rand -base64 ${keyBytes})`,
    );
  }
  const file = join(settings.dataDir, "encryption-keys");
  const kept = (await readFile(file, "utf8").catch(() => "")).trim();
  if (kept !== "") return kept;
  await mkdir(settings.dataDir, { recursive: true });
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
