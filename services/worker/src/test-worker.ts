import { createLogger } from "@cardvault/kit";
import type { LogLevel } from "@cardvault/kit";
import { searchedLogger } from "@cardvault/testkit";
import type { WorkerConfig } from "./settings.ts";
import { startWorker } from "./worker.ts";

// A worker that tests start and kill: its configuration is its argument, and its times are short.
const given = JSON.parse(process.argv[2] ?? "{}") as Omit<WorkerConfig, "encryptionKeys"> & {
  encryptionKeys: { id: string; key: string }[];
  logLevel?: LogLevel;
  delivery: { timeoutMs: number; leaseMs: number };
};
const config: WorkerConfig = {
  ...given,
  encryptionKeys: given.encryptionKeys.map(({ id, key }) => ({
    id,
    key: Buffer.from(key, "base64"),
  })),
};
const worker = await startWorker(config, {
  logger:
    given.logLevel === undefined
      ? searchedLogger("test-worker")
      : createLogger({ name: "test-worker", level: given.logLevel }),
  allowLoopbackForTestAccounts: true,
  jobs: {
    processEveryMs: 25,
    lockMs: 1_500,
    relayEveryMs: 200,
    reconcile: { everyMs: 1_000, enqueuedMs: 2_000, overdueMs: 500 },
  },
  delivery: given.delivery,
});
process.on("SIGTERM", () => {
  void worker.stop().then(() => process.exit(0));
});
process.stdout.write("started\n");
