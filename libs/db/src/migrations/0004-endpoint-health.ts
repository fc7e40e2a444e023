import { Migration } from "@mikro-orm/migrations";

/**
 * What all processes together know of an endpoint: its breaker, and who has how many of its slots.
 * The relay looks for deliveries by endpoint, so that it can queue a few of each ahead.
 */
export class Migration0004EndpointHealth extends Migration {
  override up(): void {
    this.addSql(health);
    this.addSql(slots);
    this.addSql(deliveries);
  }
}

const health = `
create table webhook_endpoint_health (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  phase text not null default 'closed' check (phase in ('closed', 'open', 'half_open')),
  failures int not null default 0,
  failed_probes int not null default 0,
  probe_at timestamptz(3),
  opened_at timestamptz(3),
  check ((phase = 'closed') = (probe_at is null))
) with (fillfactor = 50);
create index webhook_endpoint_health_open_index on webhook_endpoint_health (phase) where phase <> 'closed';
`;

// Unlogged: who holds a slot says so again every few seconds. Holders are processes, each with how
// many slots it has and until when (milliseconds since 1970); one row, so that its lock decides.
const slots = `
create unlogged table webhook_endpoint_slots (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  holders jsonb not null default '{}'
) with (fillfactor = 50);
`;

// Room on each page for the lease, whose columns stand in no index. One index serves all that is asked of
// an endpoint's open deliveries: those outside the queue first, in the order in which they are due. A
// number, because PostgreSQL matches "is not null" with no index on "is null".
const deliveries = `
alter table webhook_delivery set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.05);
drop index webhook_delivery_unrelayed_index;
drop index webhook_delivery_open_index;
create index webhook_delivery_open_index on webhook_delivery (endpoint_id, ((enqueued_at is null)::int), next_attempt_at, id)
  where status in ('pending', 'retrying');
`;
