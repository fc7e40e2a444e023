import { holdProvider, takeProviderTurn, writeProviderOutcome } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { providerCalled, tracedUntilNow } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import type { CallHouse } from "@cardvault/providers";

/**
 * What the adapters call with in a service of several processes: turns are shared by all of them, and
 * what became of each call is counted for the settings page. Counting never keeps a call's answer.
 */
export function createProviderHouse(services: {
  db: Pick<Database, "query">;
  clock: Clock;
  logger: Logger;
}): CallHouse {
  const { db, clock, logger } = services;
  return {
    logger,
    turns: {
      take: (provider, rate, maxWaitMs) => takeProviderTurn(db, provider, rate, maxWaitMs),
      hold: (provider, rate, forMs) => holdProvider(db, provider, rate, forMs),
    },
    onOutcome: (outcome) => {
      providerCalled.publish(outcome);
      const { provider, code, durationMs } = outcome;
      const facts = { "vault.provider": provider, "error.type": code };
      const startedAtMs = Date.now() - durationMs;
      tracedUntilNow("call provider", { kind: "client", facts, startedAtMs });
      writeProviderOutcome(db, outcome, clock.now()).catch((error: unknown) => {
        logger.warn({ err: error, provider: outcome.provider }, "an outcome was not counted");
      });
    },
  };
}
