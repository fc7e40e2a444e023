import type { EndpointHealth } from "@cardvault/contract";
import { observeAttempts } from "@cardvault/domain";
import type { EndpointRecord, NewAttempts } from "@cardvault/domain";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** An endpoint that is checked: what was known of it, and what its attempts have brought since. */
export interface CheckedEndpoint {
  id: string;
  accountId: string;
  url: string;
  record: EndpointRecord;
  found: NewAttempts;
  /** Deliveries dropped since the account was last told, counted up to {@link mostDropsCounted}. */
  untoldDrops: number;
  firstUntoldDropAt: Date | null;
  dropsToldUntil: Date;
  /** When the account was last told of drops. */
  lastDropNoticeAt: Date | null;
}

/** What was known at the last check, and what attempts have brought since. */
interface OutcomeColumns {
  failing_since: Date | null;
  known_failed_at: Date | null;
  known_delivered_at: Date | null;
  last_delivered_at: Date | null;
  first_failed_at: Date | null;
  last_failed_at: Date | null;
}

interface CheckRow extends OutcomeColumns {
  id: string;
  account_id: string;
  url: string;
  untold_drops: number;
  first_untold_drop_at: Date | null;
  drops_told_until: Date;
  last_drop_notice_at: Date | null;
}

const mostDropsCounted = 10_000;
const failed = "(t.status_code is null or t.status_code < 200 or t.status_code > 299)";

/**
 * What attempts of the endpoint `w` brought since it was checked, `o` being what was known of it then.
 * An attempt is in the log only when it has ended, so each look begins a little before the end of the last.
 */
function attemptsUntil(until: string): string {
  return `cross join lateral (select
      greatest(o.checked_until - interval '2 minutes', o.counts_from, w.created_at) as look_from) a
    cross join lateral (select (select t.started_at from webhook_attempt t
      where t.endpoint_id = w.id and t.started_at >= a.look_from and t.started_at <= ${until} and t.status_code between 200 and 299
      order by t.started_at desc limit 1) as last_delivered_at) s
    cross join lateral (select min(t.started_at) as first_failed_at, max(t.started_at) as last_failed_at
      from webhook_attempt t where t.endpoint_id = w.id and t.started_at >= a.look_from and t.started_at <= ${until}
        and t.started_at > coalesce(s.last_delivered_at, '-infinity') and ${failed}) f`;
}

/**
 * The enabled endpoints, by id, with what happened to them since the last check. Drops are looked at
 * once, so only up to a moment when all before are committed.
 */
export async function readEndpointsToCheck(
  tx: Queryable,
  after: string | null,
  limit: number,
  { now, dropsUntil }: { now: Date; dropsUntil: Date },
): Promise<CheckedEndpoint[]> {
  const rows = await tx.query<CheckRow>(
    `select w.id, w.account_id, w.url, o.failing_since, o.last_failed_at as known_failed_at,
       o.last_delivered_at as known_delivered_at, s.last_delivered_at, f.first_failed_at, f.last_failed_at,
       d.untold_drops, d.first_untold_drop_at, k.drops_told_until, n.last_drop_notice_at
     from (select * from webhook_endpoint where enabled and deleted_at is null and ($1::uuid is null or id > $1)
       order by id limit $2) w
     left join webhook_endpoint_outcomes o on o.endpoint_id = w.id
     ${attemptsUntil("$3")}
     cross join lateral (select coalesce(o.drops_told_until, w.created_at) as drops_told_until) k
     cross join lateral (select count(*) as untold_drops, min(x.finished_at) as first_untold_drop_at from (
       select c.finished_at from webhook_delivery c where c.endpoint_id = w.id and c.status = 'dropped'
         and c.finished_at >= k.drops_told_until and c.finished_at < $4
         and c.drop_reason not in ('endpoint_disabled', 'endpoint_removed')
       order by c.finished_at limit ${mostDropsCounted}) x) d
     cross join lateral (select max(n.created_at) as last_drop_notice_at from notice n
       where n.endpoint_id = w.id and n.kind = 'events_dropped') n
     order by w.id`,
    [after === null ? null : toUuid(after), limit, now, dropsUntil],
    "endpoints_to_check",
  );
  return rows.map((row) => ({
    id: toId("whe", row.id),
    accountId: toId("acc", row.account_id),
    url: row.url,
    ...outcomesOf(row),
    untoldDrops: row.untold_drops,
    firstUntoldDropAt: row.first_untold_drop_at,
    dropsToldUntil: row.drops_told_until,
    lastDropNoticeAt: row.last_drop_notice_at,
  }));
}

function outcomesOf(row: OutcomeColumns): { record: EndpointRecord; found: NewAttempts } {
  return {
    record: {
      failingSince: row.failing_since,
      lastFailedAt: row.known_failed_at,
      lastDeliveredAt: row.known_delivered_at,
    },
    found: {
      lastDeliveredAt: row.last_delivered_at,
      firstFailedAt: row.first_failed_at,
      lastFailedAt: row.last_failed_at,
    },
  };
}

/** Writes what a check has found. */
export async function writeEndpointOutcomes(
  tx: Queryable,
  outcomes: readonly {
    endpointId: string;
    record: EndpointRecord;
    dropsToldUntil: Date;
  }[],
  checkedUntil: Date,
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoint_outcomes as o
       (endpoint_id, failing_since, last_failed_at, last_delivered_at, drops_told_until, checked_until)
     select n.*, $6 from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[]) n
     on conflict (endpoint_id) do update set failing_since = excluded.failing_since,
       last_failed_at = excluded.last_failed_at, last_delivered_at = excluded.last_delivered_at,
       drops_told_until = excluded.drops_told_until, checked_until = excluded.checked_until`,
    [
      outcomes.map(({ endpointId }) => toUuid(endpointId)),
      outcomes.map(({ record }) => record.failingSince),
      outcomes.map(({ record }) => record.lastFailedAt),
      outcomes.map(({ record }) => record.lastDeliveredAt),
      outcomes.map(({ dropsToldUntil }) => dropsToldUntil),
      checkedUntil,
    ],
    "write_endpoint_outcomes",
  );
}

/** An endpoint that is enabled again begins anew: what failed before counts no more. */
export async function forgetFailures(tx: Queryable, endpointId: string, now: Date): Promise<void> {
  await tx.query(
    `insert into webhook_endpoint_outcomes (endpoint_id, counts_from, checked_until, drops_told_until)
     values ($1, $2, $2, $2)
     on conflict (endpoint_id) do update set failing_since = null, last_failed_at = null,
       last_delivered_at = null, counts_from = $2, checked_until = $2, drops_told_until = $2`,
    [toUuid(endpointId), now],
  );
}

/** An endpoint that disabled itself, of which the account has not been told. */
export interface DisabledEndpoint {
  id: string;
  accountId: string;
  url: string;
  reason: "failing" | "gone";
  disabledAt: Date;
  dropped: number;
}

/** Those that were disabled since a moment without anybody's doing. */
export async function readDisabledSince(tx: Queryable, since: Date): Promise<DisabledEndpoint[]> {
  const rows = await tx.query<Omit<DisabledEndpoint, "accountId"> & { account_id: string }>(
    `select w.id, w.account_id, w.url, w.disabled_reason as reason, w.disabled_at as "disabledAt",
       (select count(*) from (select 1 from webhook_delivery d where d.endpoint_id = w.id
         and d.status = 'dropped' and d.finished_at >= w.disabled_at limit ${mostDropsCounted}) x) as dropped
     from webhook_endpoint w
     where not w.enabled and w.deleted_at is null and w.disabled_reason in ('failing', 'gone') and w.disabled_at >= $1
       and not exists (select 1 from notice n where n.endpoint_id = w.id and n.kind = 'endpoint_disabled'
         and n.created_at >= w.disabled_at)
     order by w.id`,
    [since],
    "endpoints_disabled",
  );
  return rows.map(({ account_id, ...row }) => ({
    ...row,
    id: toId("whe", row.id),
    accountId: toId("acc", account_id),
  }));
}

/** What is counted for the page of an account's endpoints. */
export type EndpointStanding = Pick<
  EndpointHealth,
  "endpoint_id" | "undelivered" | "dropped" | "recovery_job_id"
> & { enabled: boolean; record: EndpointRecord };

interface StandingRow extends OutcomeColumns {
  id: string;
  enabled: boolean;
  undelivered: number;
  dropped: number;
}

/**
 * How the account's endpoints stand, the first made first: as the last check found them, with what
 * attempts have brought since, so that the first one shows at once.
 */
export async function readEndpointStandings(
  db: Queryable,
  accountId: string,
): Promise<EndpointStanding[]> {
  const rows = await db.query<StandingRow>(
    `select w.id, w.enabled, o.failing_since, o.last_failed_at as known_failed_at,
       o.last_delivered_at as known_delivered_at, s.last_delivered_at, f.first_failed_at, f.last_failed_at,
       (select count(*) from (select 1 from webhook_delivery d where d.endpoint_id = w.id
         and d.status in ('pending', 'retrying') limit ${mostDropsCounted}) x) as undelivered,
       (select count(*) from (select 1 from webhook_delivery d where d.endpoint_id = w.id
         and d.status = 'dropped' and d.dismissed_at is null limit ${mostDropsCounted}) x) as dropped
     from webhook_endpoint w left join webhook_endpoint_outcomes o on o.endpoint_id = w.id
     ${attemptsUntil("'infinity'")}
     where w.account_id = $1 and w.deleted_at is null order by w.created_at, w.id`,
    [toUuid(accountId)],
    "endpoint_standings",
  );
  const recoveries = await db.query<{ id: string; subject_id: string }>(
    `select id, subject_id from job where account_id = $1 and kind = 'webhook.recover'
       and status in ('queued', 'running', 'paused')`,
    [toUuid(accountId)],
    "open_recoveries",
  );
  const jobOf = new Map(recoveries.map((job) => [job.subject_id, toId("job", job.id)]));
  return rows.map((row) => {
    const { record, found } = outcomesOf(row);
    return {
      endpoint_id: toId("whe", row.id),
      enabled: row.enabled,
      undelivered: row.undelivered,
      dropped: row.dropped,
      recovery_job_id: jobOf.get(toId("whe", row.id)) ?? null,
      record: observeAttempts(record, found),
    };
  });
}
