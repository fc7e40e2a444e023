import { readProvidersConfig } from "@cardvault/core";
import type { ProvidersConfig } from "@cardvault/core";
import { readServiceConfig, readTracingConfig } from "@cardvault/kit";
import type { ServiceConfig, TracingConfig } from "@cardvault/kit";

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
  | "retentionJobItemsMs"
> &
  // Without a folder the worker leaves pictures to others.
  Partial<Pick<ServiceConfig, "dataFolder" | "photoBucket">> & {
    /** Without them it asks nobody about cards. */
    providers?: ProvidersConfig | undefined;
    /** Where traces are sent to, if anywhere. */
    tracing?: TracingConfig | undefined;
  };

/** @throws ConfigError that lists every problem and no value */
export function readWorkerConfig(
  env: NodeJS.ProcessEnv,
): WorkerConfig & Pick<ServiceConfig, "logLevel"> {
  return {
    ...readServiceConfig(env),
    providers: readProvidersConfig(env),
    tracing: readTracingConfig(env),
  };
}
