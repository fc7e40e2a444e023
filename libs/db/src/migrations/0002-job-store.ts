import { Migration } from "@mikro-orm/migrations";

/**
 * The table of Agenda's PostgreSQL store, in a schema of its own: its library (3.0.6) owns the names
 * and types. It would make the table itself, but without a lock, so that two processes which start
 * together collide. Beside it stands what a job remembers about pausing and cancelling.
 */
export class Migration0002JobStore extends Migration {
  override up(): void {
    this.addSql(jobStore);
    this.addSql(jobControl);
  }
}

// The rows of a queue live for seconds, so the table is vacuumed by their number and not by a share.
const jobStore = `
create schema if not exists agenda;

create table agenda.agenda_jobs (
  id uuid primary key default gen_random_uuid(),
  name varchar(255) not null,
  priority integer not null default 0,
  next_run_at timestamptz,
  type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
  locked_at timestamptz,
  last_finished_at timestamptz,
  failed_at timestamptz,
  fail_count integer,
  fail_reason text,
  repeat_timezone varchar(100),
  last_run_at timestamptz,
  repeat_interval varchar(255),
  data jsonb default '{}',
  repeat_at varchar(255),
  disabled boolean default false,
  progress real,
  fork boolean default false,
  last_modified_by varchar(255),
  debounce_started_at timestamptz,
  start_date timestamptz,
  end_date timestamptz,
  skip_days jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

create index agenda_jobs_find_and_lock_idx on agenda.agenda_jobs (name, next_run_at, priority desc) where disabled = false;
create index agenda_jobs_locked_at_idx on agenda.agenda_jobs (name, locked_at) where locked_at is not null;
create unique index agenda_jobs_single_job_idx on agenda.agenda_jobs (name) where type = 'single';
-- One job for each piece of work and lane: the relay may enqueue the same one again and again.
create unique index agenda_jobs_delivery_unique on agenda.agenda_jobs (name, (data ->> 'deliveryId')) where data ->> 'deliveryId' is not null;
create unique index agenda_jobs_job_unique on agenda.agenda_jobs (name, (data ->> 'jobId')) where data ->> 'jobId' is not null;
`;

const jobControl = `
alter table job
  add column paused_by_hand boolean not null default false,
  add column paused_by_suspension boolean not null default false,
  add column cancel_requested_at timestamptz(3),
  add constraint job_due_check check (status not in ('queued', 'running') or next_run_at is not null);
`;
