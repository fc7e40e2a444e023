import { ConfigError, createLogger, installShutdown } from "@cardvault/kit";
import { startSandbox } from "./sandbox.ts";
import { readSandboxConfig } from "./settings.ts";
import type { SandboxConfig } from "./settings.ts";

function readConfig(): SandboxConfig {
  try {
    return readSandboxConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const config = readConfig();
const logger = createLogger({ name: "sandbox", level: config.logLevel });
const shutdown = installShutdown({ logger, deadlineMs: config.shutdownMs });
const sandbox = await startSandbox(config, logger);
shutdown.onClose("sandbox", () => sandbox.stop());
