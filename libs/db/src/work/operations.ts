import { maxAccountsShown, workDepthLimit } from "@cardvault/contract";
import type {
  AccountHealth,
  Environment,
  JobItemOutcome,
  OperatorJobDetail,
  OperatorJobListInput,
  WorkKind,
} from "@cardvault/contract";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { decodeCursor, encodeCursor } from "../read/cursor.ts";
import type { Page } from "../read/events.ts";
import { scopeOf } from "../read/list-answer.ts";
import { StatementParts } from "../read/statement.ts";
import { lowestIdAt } from "../webhooks/retention.ts";
import { rowOf } from "./jobs.ts";
import type { JobRow, StoredJob } from "./jobs.ts";

// What operators read: of all accounts, so nothing here takes an account first.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const failedDays = 7;

type KindRow = Omit<WorkKind, "oldest_due_at"> & { oldest_due_at: Date | null };

/**
 * How each kind of background work stands. Open work is counted along the partial indexes up to
 * {@link workDepthLimit}; of what has ended only a day is looked at.
 */
export async function readWorkKinds(db: Queryable, now: Date): Promise<WorkKind[]> {
  const times = [now, new Date(now.getTime() - hourMs), new Date(now.getTime() - dayMs)];
  const [deliveries, jobs] = await Promise.all([
    db.query<KindRow>(
      deliveryKind,
      [...times, lowestIdAt(new Date(now.getTime() - dayMs))],
      "operations-deliveries",
    ),
    db.query<KindRow>(jobKinds, times, "operations-jobs"),
  ]);
  return [...deliveries, ...jobs].map(({ oldest_due_at: oldest, ...row }) => ({
    ...row,
    oldest_due_at: oldest?.toISOString() ?? null,
  }));
}

const deliveryKind = `
  with open as materialized (
    select next_attempt_at, lease_until, enqueued_at from webhook_delivery
    where status in ('pending', 'retrying') order by next_attempt_at limit ${workDepthLimit}
  ), made as materialized (
    select started_at, status_code between 200 and 299 is true as arrived from webhook_attempt
    where id > $4 and started_at > $3 order by id desc limit ${workDepthLimit}
  )
  select 'webhook.delivery' as kind, o.*, m.* from (
    select count(*) as open,
      count(*) filter (where next_attempt_at <= $1) as due,
      count(*) filter (where lease_until > $1) as running,
      0 as paused,
      count(*) filter (where enqueued_at is null and next_attempt_at <= $1) as unrelayed,
      min(next_attempt_at) filter (where next_attempt_at <= $1 and (lease_until is null or lease_until <= $1))
        as oldest_due_at
    from open
  ) o, (
    select count(*) filter (where started_at > $2) as ended_last_hour, count(*) as ended_last_day,
      count(*) filter (where not arrived) as failed_last_day
    from made
  ) m`;

const jobKinds = `
  select kind,
    count(*) filter (where status in ('queued', 'running')) as open,
    count(*) filter (where status in ('queued', 'running') and next_run_at <= $1) as due,
    count(*) filter (where lease_until > $1) as running,
    count(*) filter (where status = 'paused') as paused,
    count(*) filter (where status in ('queued', 'running') and enqueued_at is null and next_run_at <= $1) as unrelayed,
    min(next_run_at) filter (where status in ('queued', 'running') and next_run_at <= $1
      and (lease_until is null or lease_until <= $1)) as oldest_due_at,
    count(*) filter (where finished_at > $2) as ended_last_hour,
    count(*) filter (where finished_at > $3) as ended_last_day,
    count(*) filter (where finished_at > $3 and status = 'failed') as failed_last_day
  from job where status in ('queued', 'running', 'paused') or finished_at > $3
  group by kind order by kind`;

/** An account as an operator is told of it. */
interface AccountName {
  id: string;
  name: string;
  environment: Environment;
}

/** A job with the account that it is of; null for the installation's own. */
export type OperatorJobRow = JobRow & { account: AccountName | null; claims: number };

interface StoredOperatorJob extends StoredJob {
  account_name: string | null;
  account_environment: Environment | null;
}

const operatorJobColumns = `c.*, (select name from account a where a.id = c.account_id) as account_name,
  (select environment from account a where a.id = c.account_id) as account_environment`;

/**
 * One page of every account's jobs, the latest first: in the order of their ids, which is that in which
 * they were made.
 * @throws VaultError `invalid_cursor`
 */
export async function listEveryJob(
  db: Queryable,
  { limit, cursor, ...filters }: OperatorJobListInput,
): Promise<Page<OperatorJobRow>> {
  const parts = new StatementParts();
  parts.where("true");
  parts.whereOneOf("c.status", filters.status, "text");
  parts.whereOneOf("c.kind", filters.kind, "text");
  const { account_id: accountId } = filters;
  if (accountId !== undefined) {
    parts.where(
      isId("acc", accountId) ? `c.account_id = ${parts.bind(toUuid(accountId), "uuid")}` : "false",
    );
  }
  const scope = ["operator_jobs", ...scopeOf(filters)];
  if (cursor !== undefined) {
    const { id } = decodeCursor(scope, cursor, (value) => value === null);
    parts.where(`c.id < ${parts.bind(id, "uuid")}`);
  }
  const found = await db.query<StoredOperatorJob>(
    `select ${operatorJobColumns} from job c where ${parts.conditions.join(" and ")}
     order by c.id desc limit ${parts.bind(limit + 1, "int")}`,
    parts.values,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return {
    data: rows.map(operatorRowOf),
    next_cursor: hasMore ? encodeCursor(scope, { value: null, id: last.id }) : null,
    has_more: hasMore,
  };
}

function operatorRowOf(stored: StoredOperatorJob): OperatorJobRow {
  const row = rowOf(stored);
  const { account_name: name, account_environment: environment, claims } = stored;
  const account =
    row.accountId === null || name === null || environment === null
      ? null
      : { id: row.accountId, name, environment };
  return { ...row, account, claims };
}

/** A job of any account, by whom it was asked for, and how many of its cards came to what. */
export async function readOperatorJob(
  db: Queryable,
  jobId: string,
): Promise<
  (Pick<OperatorJobDetail, "created_by" | "outcomes"> & { job: OperatorJobRow }) | undefined
> {
  const id = toUuid(jobId, "job");
  const [stored] = await db.query<StoredOperatorJob & { person: string | null }>(
    `select ${operatorJobColumns}, (select name from auth."user" u where u.id = c.created_by) as person
     from job c where c.id = $1`,
    [id],
    "operator-job",
  );
  if (stored === undefined) return undefined;
  const outcomes = await db.query<{ outcome: JobItemOutcome; code: string | null; count: number }>(
    `select outcome, code, count(*) as count from job_item where job_id = $1 and outcome is not null
     group by outcome, code order by count desc, outcome, code limit 50`,
    [id],
    "operator-job-outcomes",
  );
  return { job: operatorRowOf(stored), created_by: stored.person ?? stored.created_by, outcomes };
}

interface HealthRow extends AccountName {
  is_suspended: boolean;
  open_jobs: number;
  failed_jobs: number;
  undelivered: number;
  dropped_events: number;
  disabled_endpoints: number;
  total: number;
}

/** How the accounts fare, those with something wrong first. */
export async function listAccountHealth(
  db: Queryable,
  now: Date,
): Promise<{ data: AccountHealth[]; total: number }> {
  const rows = await db.query<HealthRow>(
    `with jobs as (
       select account_id, count(*) filter (where status in ('queued', 'running', 'paused')) as open_jobs,
         count(*) filter (where status = 'failed' and finished_at > $1) as failed_jobs
       from job where status in ('queued', 'running', 'paused') or (status = 'failed' and finished_at > $1)
       group by account_id
     ), undelivered as (
       select account_id, count(*) as undelivered from webhook_delivery
       where status in ('pending', 'retrying') group by account_id
     ), dropped as (
       select account_id, count(*) as dropped_events from webhook_delivery
       where status = 'dropped' and dismissed_at is null and drop_reason <> 'endpoint_removed' group by account_id
     ), disabled as (
       select account_id, count(*) as disabled_endpoints from webhook_endpoint
       where deleted_at is null and not enabled group by account_id
     )
     select a.id, a.name, a.environment, a.suspended_at is not null as is_suspended,
       coalesce(open_jobs, 0) as open_jobs, coalesce(failed_jobs, 0) as failed_jobs,
       coalesce(undelivered, 0) as undelivered, coalesce(dropped_events, 0) as dropped_events,
       coalesce(disabled_endpoints, 0) as disabled_endpoints, count(*) over () as total
     from account a left join jobs j on j.account_id = a.id left join undelivered u on u.account_id = a.id
       left join dropped d on d.account_id = a.id left join disabled e on e.account_id = a.id
     order by coalesce(dropped_events, 0) + coalesce(failed_jobs, 0) + coalesce(disabled_endpoints, 0) desc,
       coalesce(undelivered, 0) + coalesce(open_jobs, 0) desc, a.name, a.id limit ${maxAccountsShown}`,
    [new Date(now.getTime() - failedDays * dayMs)],
    "operations-accounts",
  );
  return {
    data: rows.map(({ id, name, environment, total: _total, ...health }) => ({
      account: { id: toId("acc", id), name, environment },
      ...health,
    })),
    total: rows[0]?.total ?? 0,
  };
}
