import { providerHealthAnswer } from "@cardvault/contract";
import type { ProviderHealth } from "@cardvault/contract";
import { listProviderOutcomes } from "@cardvault/db";
import type { ProviderOutcomes } from "@cardvault/db";
import { session } from "../procedures.ts";

/** One failure is nothing; as many in a row are no accident. */
const failingFrom = 3;

function healthOf(outcomes: ProviderOutcomes, withCounts: boolean): ProviderHealth {
  const { provider, succeeded, failed, consecutiveFailures, averageMs, lastCode } = outcomes;
  return {
    provider,
    state: consecutiveFailures >= failingFrom ? "failing" : "working",
    last_error: lastCode,
    last_succeeded_at: outcomes.lastSucceededAt?.toISOString() ?? null,
    last_failed_at: outcomes.lastFailedAt?.toISOString() ?? null,
    average_ms: averageMs,
    counts: withCounts ? { succeeded, failed } : null,
  };
}

/** How the installation's providers fare. What other accounts use of them is for operators. */
export const providerHealthProcedure = session("owner")
  .output(providerHealthAnswer)
  .query(async ({ ctx: { services, principal } }) => {
    const outcomes = await listProviderOutcomes(services.db);
    return { data: outcomes.map((one) => healthOf(one, principal.isOperator)) };
  });
