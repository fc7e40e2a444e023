import { provideInventedCatalogue } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { systemClock } from "@cardvault/kit";
import type { Logger } from "@cardvault/kit";
import { startSimulators } from "@cardvault/simulators";
import { createPostgresStore } from "./postgres-store.ts";
import type { SandboxConfig } from "./settings.ts";

export interface Sandbox {
  readonly url: string;
  stop(): Promise<void>;
}

/** The simulated third parties, and the invented cards that they know. */
export async function startSandbox(config: SandboxConfig, logger: Logger): Promise<Sandbox> {
  const db = await openDatabase({
    url: config.databaseUrl,
    poolSize: 4,
    applicationName: "cardvault-sandbox",
    logger,
  });
  try {
    const cards = await provideInventedCatalogue({ db, clock: systemClock });
    const simulators = await startSimulators({
      store: createPostgresStore(db, systemClock),
      host: config.host,
      port: config.port,
      logger,
      checkReady: async () => {
        await db.query("select 1");
      },
    });
    logger.info({ host: config.host, port: simulators.port, cards }, "the sandbox is ready");
    return {
      url: simulators.url,
      async stop() {
        await simulators.stop();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
