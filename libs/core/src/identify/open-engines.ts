import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import { createProviders, spendingAt } from "@cardvault/providers";
import type { ProvidersConfig } from "@cardvault/providers";
import { createRecogniser } from "@cardvault/recogniser";
import type { Recogniser } from "@cardvault/recogniser";
import { createProviderHouse } from "../providers/provider-house.ts";
import { localEngine } from "../recognise/local-engine.ts";
import type { EnginesOf } from "./engines.ts";
import { enginesOf } from "./provider-engines.ts";

export interface OpenEnginesOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  config: ProvidersConfig;
  /** Whether cards are recognised on this machine too; they are unless told. */
  withLocal?: boolean | undefined;
}

export interface OpenEngines {
  engines: EnginesOf;
  /** Null without a local recogniser. Its threads begin with the first picture. */
  recogniser: Recogniser | null;
  close(): Promise<void>;
}

/**
 * Who identifies and prices for this installation. The providers' own limits count for all processes
 * together, and what becomes of calls is kept for whoever looks after the installation.
 */
export function openEngines({
  config,
  withLocal = true,
  ...services
}: OpenEnginesOptions): OpenEngines {
  const providers = createProviders(createProviderHouse(services), config);
  const recogniser = withLocal ? createRecogniser() : null;
  const local = recogniser === null ? null : localEngine({ db: services.db, recogniser });
  return {
    engines: enginesOf(providers, local, (provider) => spendingAt(config, provider)),
    recogniser,
    close: async () => recogniser?.close(),
  };
}
