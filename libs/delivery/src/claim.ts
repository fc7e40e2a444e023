import { randomUUID } from "node:crypto";
import type { Environment } from "@cardvault/contract";
import { causeOf, deliveryStateColumns, deliveryStateFrom } from "@cardvault/db";
import type { DeliveryStateRow, Queryable } from "@cardvault/db";
import {
  claimDelivery,
  dropForEndpoint,
  isUndelivered,
  maxClaimsWithoutAttempt,
} from "@cardvault/domain";
import type {
  BreakerPhase,
  BreakerState,
  DeliveryOutcome,
  DeliveryState,
  SigningSecrets,
} from "@cardvault/domain";
import { toId, toUuid } from "@cardvault/kit";
import type { Cause } from "@cardvault/kit";

/** A delivery under a lease, with all that sending it needs. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly leaseToken: string;
  readonly state: DeliveryState;
  readonly eventId: string;
  readonly eventType: string;
  readonly endpointId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly body: string;
  /** The endpoint's breaker is not closed: this attempt tries whether it is alive. */
  readonly isProbe: boolean;
  /** Failures of the endpoint in a row before this attempt. */
  readonly endpointFailures: number;
  /** Sealed. */
  readonly secrets: SigningSecrets<string>;
  /** The request whose event it is. */
  readonly cause: Cause;
}

interface ClaimRow extends DeliveryStateRow {
  failures: number;
  event_id: string;
  event_type: string;
  endpoint_id: string;
  environment: Environment;
  url: string;
  body: string;
  secret: string;
  next_secret: string | null;
  secret_switch_at: Date | null;
  request_id: string | null;
  traceparent: string | null;
}

// The fence that the queue does not have: whoever sends holds the lease, the endpoint is enabled, and its
// breaker is closed. One token fences all of a batch, because each row is looked up by its id as well.
// All see it at once, but its commit does not wait for the disk: a lease that a crash of the database
// undoes is taken again, and what was sent under it could not have been recorded either.
const claimStatement = `
update webhook_delivery d set lease_token = $2, lease_until = $3, claims = d.claims + 1
from webhook_endpoint e left join webhook_endpoint_health h on h.endpoint_id = e.id,
  webhook_event v, account a, set_config('synchronous_commit', 'off', true)
where d.id = any($1::uuid[]) and d.status in ('pending', 'retrying') and d.next_attempt_at <= $4 and d.deadline_at > $4
  and (d.lease_until is null or d.lease_until <= $4) and d.claims < ${maxClaimsWithoutAttempt}
  and e.id = d.endpoint_id and e.enabled and e.deleted_at is null and v.id = d.event_id and a.id = d.account_id
  and ($5 or coalesce(h.phase, 'closed') = 'closed')
returning ${deliveryStateColumns}, d.event_id, v.type as event_type, d.endpoint_id, a.environment, e.url, v.body, e.secret, e.next_secret,
  e.secret_switch_at, v.request_id, v.traceparent, coalesce(h.failures, 0) as failures`;

export interface ClaimOptions {
  readonly leaseMs: number;
  readonly now: Date;
  /** Also where the breaker is not closed. */
  readonly isProbe: boolean;
}

/** Takes leases; undefined, at the same place, where one cannot be had, for whatever reason. */
export async function claim(
  db: Queryable,
  ids: readonly string[],
  { leaseMs, now, isProbe }: ClaimOptions,
): Promise<(ClaimedDelivery | undefined)[]> {
  const leaseToken = randomUUID();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const uuids = ids.map((id) => toUuid(id, "dlv"));
  const rows = await db.query<ClaimRow>(claimStatement, [
    uuids,
    leaseToken,
    leaseUntil,
    now,
    isProbe,
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return uuids.map((uuid, index) => {
    const row = found.get(uuid);
    if (row === undefined) return undefined;
    // One id asked for twice in a batch has one lease, and so one who holds it.
    found.delete(uuid);
    return claimed(row, ids[index] ?? toId("dlv", uuid), leaseToken, isProbe);
  });
}

function claimed(row: ClaimRow, id: string, leaseToken: string, isProbe: boolean): ClaimedDelivery {
  return {
    id,
    leaseToken,
    isProbe,
    endpointFailures: row.failures,
    state: deliveryStateFrom(row),
    eventId: toId("evt", row.event_id),
    eventType: row.event_type,
    endpointId: toId("whe", row.endpoint_id),
    environment: row.environment,
    url: row.url,
    body: row.body,
    secrets: { current: row.secret, next: row.next_secret, switchAt: row.secret_switch_at },
    cause: causeOf(row),
  };
}

/** Why a delivery could not be claimed, and what is to be done about it. */
export type Refusal =
  | { readonly type: "ended" }
  | { readonly type: "look_again"; readonly at: Date }
  | { readonly type: "drop"; readonly endpointId: string; readonly outcome: DeliveryOutcome }
  /** It could be sent, but that the endpoint's breaker is not closed. */
  | {
      readonly type: "breaker";
      readonly endpointId: string;
      readonly breaker: BreakerState;
      readonly state: DeliveryState;
    };

const contendedMs = 100;

export async function explainRefusal(db: Queryable, id: string, now: Date): Promise<Refusal> {
  const [row] = await db.query<
    DeliveryStateRow & {
      endpoint_id: string;
      enabled: boolean;
      deleted_at: Date | null;
      phase: BreakerPhase | null;
      failures: number;
      failed_probes: number;
      probe_at: Date | null;
    }
  >(
    `select ${deliveryStateColumns}, d.endpoint_id, e.enabled, e.deleted_at, h.phase, h.failures, h.failed_probes, h.probe_at
     from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
       left join webhook_endpoint_health h on h.endpoint_id = d.endpoint_id where d.id = $1`,
    [toUuid(id, "dlv")],
    "delivery-explain",
  );
  if (row === undefined) return { type: "ended" };
  const state = deliveryStateFrom(row);
  if (!isUndelivered(state)) return { type: "ended" };
  if (state.leaseUntil !== null && state.leaseUntil > now) {
    return { type: "look_again", at: state.leaseUntil };
  }
  const endpointId = toId("whe", row.endpoint_id);
  if (row.deleted_at !== null || !row.enabled) {
    const by = row.deleted_at === null ? "endpoint_disabled" : "endpoint_removed";
    return { type: "drop", endpointId, outcome: dropForEndpoint(state, by, now) };
  }
  const decided = claimDelivery(state, 0, now);
  switch (decided.claim.type) {
    case "ended":
      return { type: "ended" };
    case "look_again":
      return { type: "look_again", at: decided.claim.at };
    case "dropped":
      return { type: "drop", endpointId, outcome: decided };
    case "send":
      if (row.phase !== null && row.phase !== "closed") {
        const { phase, failures, failed_probes: failedProbes, probe_at: probeAt } = row;
        const breaker = { phase, failures, failedProbes, probeAt };
        return { type: "breaker", endpointId, breaker, state };
      }
      // It became free between the two statements.
      return { type: "look_again", at: new Date(now.getTime() + contendedMs) };
  }
}
