import { dropUndelivered } from "@cardvault/db";
import type { Database, Queryable } from "@cardvault/db";
import type { DeliveryOutcome, DeliveryState } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import type { ClaimedDelivery } from "./claim.ts";
import type { AttemptRecord } from "./send.ts";

/** An attempt that has ended, to be written. */
export interface Recording {
  readonly delivery: ClaimedDelivery;
  readonly state: DeliveryState;
  readonly attempt: AttemptRecord;
  /** Its retry leaves the queue, and the relay puts it there again when it is due. */
  readonly isParked: boolean;
}

// One statement, so one commit: each attempt is in the log exactly if it is in the count. The ids are
// told twice: of an array PostgreSQL knows that it is short, and does not read the table for it.
const recordStatement = `
with given as (
  select * from json_to_recordset($1::json) as g (
    id uuid, token uuid, status text, drop_reason text, attempts int, next_attempt_at timestamptz, status_code int,
    error_code text, finished_at timestamptz, started_at timestamptz, dns_ms real, connect_ms real, tls_ms real,
    first_byte_ms real, total_ms real, event_type text, headers jsonb, body text, truncated boolean, parked boolean)
), recorded as (
  update webhook_delivery d set status = g.status, drop_reason = g.drop_reason, attempts = g.attempts,
    next_attempt_at = g.next_attempt_at, last_status_code = g.status_code, last_error_code = g.error_code,
    finished_at = g.finished_at, lease_token = null, lease_until = null, claims = 0,
    relay_until = null,
    enqueued_at = case when g.parked then null else coalesce(d.enqueued_at, g.started_at) end
  from given g where d.id = any($2::uuid[]) and d.id = g.id and d.lease_token = g.token
  returning d.id, d.account_id, d.endpoint_id, d.status
), logged as (
  insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, error_code,
    dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, event_type, response_headers, response_body, response_truncated)
  select uuidv7(), r.account_id, r.id, r.endpoint_id, g.attempts, g.started_at, g.status_code, g.error_code,
    g.dns_ms, g.connect_ms, g.tls_ms, g.first_byte_ms, g.total_ms, g.event_type, g.headers, decode(g.body, 'base64'), g.truncated
  from recorded r join given g on g.id = r.id
)
select r.id, case when r.status = 'retrying' then (
  select case when w.deleted_at is not null then 'endpoint_removed' when not w.enabled then 'endpoint_disabled' end
  from webhook_endpoint w where w.id = r.endpoint_id) end as "notWantedFor"
from recorded r`;

/** An attempt as it was written. */
export interface Recorded {
  /** Why there will be no retry, though the state says so: the endpoint was switched off meanwhile. */
  readonly notWantedFor: "endpoint_disabled" | "endpoint_removed" | null;
}

/**
 * Writes attempts and what became of their deliveries, each under its lease.
 * @returns for each, undefined where its lease was lost: nothing is written of it then
 */
export async function recordOutcomes(
  db: Queryable,
  recordings: readonly Recording[],
): Promise<(Recorded | undefined)[]> {
  const rows = await db.query<Recorded & { id: string }>(recordStatement, [
    JSON.stringify(recordings.map(rowOf)),
    recordings.map(({ delivery }) => toUuid(delivery.id, "dlv")),
  ]);
  const recorded = new Map(rows.map(({ id, notWantedFor }) => [id, { notWantedFor }]));
  return recordings.map(({ delivery }) => recorded.get(toUuid(delivery.id, "dlv")));
}

/** The last attempt to an endpoint that said 410: the endpoint is disabled in the same transaction. */
export function recordGone(
  db: Database,
  recording: Recording,
  now: Date,
): Promise<Recorded | undefined> {
  return db.transaction(async (tx) => {
    const [recorded] = await recordOutcomes(tx, [recording]);
    if (recorded !== undefined) await disableGone(tx, recording.delivery.endpointId, now);
    return recorded;
  });
}

function rowOf({ delivery, state, attempt, isParked }: Recording): Record<string, unknown> {
  const { timings } = attempt;
  return {
    id: toUuid(delivery.id, "dlv"),
    token: delivery.leaseToken,
    status: state.status,
    drop_reason: state.dropReason,
    attempts: state.attempts,
    next_attempt_at: state.nextAttemptAt,
    status_code: attempt.statusCode,
    error_code: attempt.errorCode,
    finished_at: state.endedAt,
    started_at: attempt.startedAt,
    dns_ms: timings.dnsMs,
    connect_ms: timings.connectMs,
    tls_ms: timings.tlsMs,
    first_byte_ms: timings.firstByteMs,
    total_ms: timings.totalMs,
    event_type: delivery.eventType,
    headers: attempt.responseHeaders,
    body: attempt.responseBody?.toString("base64") ?? null,
    truncated: attempt.responseTruncated,
    parked: isParked,
  };
}

/** Drops a delivery that nobody holds. It stays as it is where somebody has claimed it meanwhile. */
export async function recordDrop(
  db: Database,
  id: string,
  endpointId: string,
  outcome: DeliveryOutcome,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.query(
      `update webhook_delivery set status = 'dropped', drop_reason = $2, finished_at = $3, next_attempt_at = null,
         lease_token = null, lease_until = null
       where id = $1 and status in ('pending', 'retrying') and (lease_until is null or lease_until <= $3)
       returning 1`,
      [toUuid(id, "dlv"), outcome.state.dropReason, now],
      "delivery-drop",
    );
    if (rows.length > 0 && outcome.disablesEndpoint) await disableGone(tx, endpointId, now);
  });
}

/** A claimed delivery that is not sent now. */
export interface Deferral {
  readonly delivery: ClaimedDelivery;
  readonly state: DeliveryState;
}

/**
 * Puts attempts off, without spending them: gives the leases back, and the claims with them. Like the
 * claim it does not wait for the disk.
 */
export async function recordDeferrals(
  db: Queryable,
  deferrals: readonly Deferral[],
): Promise<undefined[]> {
  await db.query(
    `update webhook_delivery d set lease_token = null, lease_until = null, claims = d.claims - 1,
       next_attempt_at = g.at
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as g (id, token, at),
       set_config('synchronous_commit', 'off', true)
     where d.id = any($1::uuid[]) and d.id = g.id and d.lease_token = g.token`,
    [
      deferrals.map(({ delivery }) => toUuid(delivery.id, "dlv")),
      deferrals.map(({ delivery }) => delivery.leaseToken),
      deferrals.map(({ state }) => state.nextAttemptAt),
    ],
  );
  return deferrals.map(() => undefined);
}

/** Takes a delivery that nobody holds out of the queue until it is due again. */
export async function park(db: Queryable, id: string, state: DeliveryState): Promise<void> {
  await db.query(
    `update webhook_delivery set enqueued_at = null, relay_until = null, next_attempt_at = $2
     from set_config('synchronous_commit', 'off', true)
     where id = $1 and status in ('pending', 'retrying') and lease_token is null`,
    [toUuid(id, "dlv"), state.nextAttemptAt],
    "delivery-park",
  );
}

/** The receiver said 410 until the event was dropped: it wants no more. */
async function disableGone(tx: Queryable, endpointId: string, now: Date): Promise<void> {
  const rows = await tx.query(
    `update webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = $2, updated_at = $2
     where id = $1 and enabled and deleted_at is null returning 1`,
    [toUuid(endpointId, "whe"), now],
    "endpoint-gone",
  );
  if (rows.length > 0) await dropUndelivered(tx, endpointId, "endpoint_disabled", now);
}
