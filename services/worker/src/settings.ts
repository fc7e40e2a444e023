import { readServiceConfig } from "@cardvault/kit";
import type { ServiceConfig } from "@cardvault/kit";

export type WorkerConfig = Pick<
  ServiceConfig,
  | "databaseUrl"
  | "databasePoolSize"
  | "jobStore"
  | "encryptionKeys"
  | "receiverPorts"
  | "metricsPort"
  | "metricsHost"
  | "shutdownMs"
  | "publicUrl"
  | "smtpUrl"
  | "mailFrom"
  | "retentionAttemptsMs"
  | "retentionEventsMs"
> &
  // Without a folder the worker leaves pictures to others.
  Partial<Pick<ServiceConfig, "dataFolder" | "photoBucket">>;

/** @throws ConfigError that lists every problem and no value */
export function readWorkerConfig(
  env: NodeJS.ProcessEnv,
): WorkerConfig & Pick<ServiceConfig, "logLevel"> {
  return readServiceConfig(env);
}
