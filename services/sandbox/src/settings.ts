import {
  duration,
  oneOf,
  port,
  readSettings,
  required,
  setting,
  text,
  url,
  withDefault,
  logLevels,
} from "@cardvault/kit";
import type { SettingValues } from "@cardvault/kit";

const sandboxSettings = {
  host: setting(
    "SANDBOX_HOST",
    "The address to listen at; not one that the world can reach.",
    withDefault(text(), () => "127.0.0.1"),
  ),
  port: setting(
    "SANDBOX_PORT",
    "The port to listen at.",
    withDefault(port(), () => 5002),
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    "The PostgreSQL database.",
    required(
      url("postgres", "postgresql"),
      "the PostgreSQL database, as postgres://user:password@host:5432/name.",
    ),
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "The least level that is logged.",
    withDefault(oneOf(...logLevels), () => "info" as const),
  ),
  shutdownMs: setting(
    "SHUTDOWN_TIMEOUT",
    "How long the process may take to finish when it is told to stop.",
    withDefault(duration({ minMs: 1_000, maxMs: 300_000 }), () => 15_000),
  ),
} as const;

export type SandboxConfig = SettingValues<typeof sandboxSettings>;

/** @throws ConfigError that lists every problem and no value */
export function readSandboxConfig(env: NodeJS.ProcessEnv): SandboxConfig {
  return readSettings(sandboxSettings, env);
}
