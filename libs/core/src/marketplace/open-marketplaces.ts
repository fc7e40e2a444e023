import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import { createMarketplaces } from "@cardvault/providers";
import type { Marketplaces, ProvidersConfig } from "@cardvault/providers";
import { createProviderHouse } from "../providers/provider-house.ts";

/**
 * Where accounts of this installation sell. Made once a process: its tokens and what categories want are
 * kept in it. eBay's limit counts for all processes together.
 */
export function openMarketplaces(options: {
  db: Database;
  clock: Clock;
  logger: Logger;
  config: ProvidersConfig;
}): Marketplaces {
  const { config, clock } = options;
  return createMarketplaces(createProviderHouse(options), config, () => clock.now());
}
