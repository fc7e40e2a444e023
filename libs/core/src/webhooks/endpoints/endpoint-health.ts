import { endpointHealthAnswer } from "@cardvault/contract";
import type { EndpointHealth } from "@cardvault/contract";
import { readEndpointStandings } from "@cardvault/db";
import type { Database, EndpointStanding } from "@cardvault/db";
import { disablesAt } from "@cardvault/domain";
import { session } from "../../procedures.ts";

/** How each endpoint of an account fares, the first made first. */
export async function readEndpointHealth(
  db: Database,
  accountId: string,
): Promise<EndpointHealth[]> {
  const standings = await readEndpointStandings(db, accountId);
  return standings.map(healthOf);
}

function healthOf({ enabled, record, ...standing }: EndpointStanding): EndpointHealth {
  const since = enabled ? record.failingSince : null;
  return {
    ...standing,
    state: stateOf(enabled, record),
    failing_since: since?.toISOString() ?? null,
    disables_at: since === null ? null : disablesAt(since).toISOString(),
    last_delivered_at: record.lastDeliveredAt?.toISOString() ?? null,
    last_failed_at: record.lastFailedAt?.toISOString() ?? null,
  };
}

function stateOf(enabled: boolean, record: EndpointStanding["record"]): EndpointHealth["state"] {
  if (!enabled) return "disabled";
  if (record.failingSince !== null) return "failing";
  return record.lastDeliveredAt === null ? "idle" : "healthy";
}

export const endpointHealthProcedure = session("owner")
  .output(endpointHealthAnswer)
  .query(async ({ ctx }) => ({
    data: await readEndpointHealth(ctx.services.db, ctx.access.accountId),
  }));
