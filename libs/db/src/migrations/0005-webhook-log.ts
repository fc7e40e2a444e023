import { Migration } from "@mikro-orm/migrations";

/**
 * The log of deliveries by every filter it can be asked for, what became of an endpoint's attempts
 * lately, what accounts are told of it, and the job that sends an endpoint's events again.
 */
export class Migration0005WebhookLog extends Migration {
  override up(): void {
    this.addSql(attempts);
    this.addSql(deliveries);
    this.addSql(outcomes);
    this.addSql(notices);
    this.addSql(jobs);
  }
}

// Failures have indexes of their own, which an attempt that succeeds never touches: they are few, and
// what one looks for.
const attempts = `
alter table webhook_attempt add column event_type text;
update webhook_attempt t set event_type = e.type
  from webhook_delivery d join webhook_event e on e.id = d.event_id where d.id = t.delivery_id;
alter table webhook_attempt alter column event_type set not null;
create index webhook_attempt_event_type_index on webhook_attempt (account_id, event_type, started_at, id);
create index webhook_attempt_failed_index on webhook_attempt (account_id, started_at, id)
  where status_code is null or status_code < 200 or status_code > 299;
create index webhook_attempt_endpoint_failed_index on webhook_attempt (endpoint_id, started_at, id)
  where status_code is null or status_code < 200 or status_code > 299;
create index webhook_attempt_status_code_index on webhook_attempt (account_id, status_code, started_at, id)
  where status_code < 200 or status_code > 299;
create index webhook_attempt_error_code_index on webhook_attempt (account_id, error_code, started_at, id)
  where status_code is null;
`;

const deliveries = `
create index webhook_delivery_status_index on webhook_delivery (account_id, status, created_at, id)
  where status in ('retrying', 'dropped', 'cancelled');
create index webhook_delivery_endpoint_dropped_index on webhook_delivery (endpoint_id, finished_at)
  where status = 'dropped';
`;

// Kept by a check every few minutes and not by each attempt: the sender writes nothing for it.
const outcomes = `
create table webhook_endpoint_outcomes (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  failing_since timestamptz(3),
  last_failed_at timestamptz(3),
  last_delivered_at timestamptz(3),
  -- Since it was enabled last: what failed before counts no more.
  counts_from timestamptz(3),
  -- Attempts that began before it have been looked at.
  checked_until timestamptz(3) not null,
  -- Drops before it have been told.
  drops_told_until timestamptz(3) not null
);
`;

const notices = `
create table notice (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  kind text not null check (kind in ('endpoint_failing', 'endpoint_disabled', 'events_dropped')),
  endpoint_id uuid references webhook_endpoint (id) on delete cascade,
  message text not null,
  details jsonb not null default '{}',
  -- Says which happening it tells of, so that none is told twice, whoever notices it.
  once_key text not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  unique (account_id, once_key)
);
create index notice_account_id_index on notice (account_id, created_at, id);
create index notice_unread_index on notice (account_id, created_at, id) where read_at is null;
create index notice_endpoint_id_index on notice (endpoint_id, created_at, id);
create index trail_entry_subject_index on trail_entry (account_id, subject_id, created_at, id);
`;

// The subject is an id as it is shown, because its kind depends on the job's.
const jobs = `
alter table job add column subject_id text;
create unique index job_recover_key on job (subject_id)
  where kind = 'webhook.recover' and status in ('queued', 'running', 'paused');
create unique index job_retention_key on job (kind)
  where kind = 'webhook.retention' and status in ('queued', 'running', 'paused');
`;
