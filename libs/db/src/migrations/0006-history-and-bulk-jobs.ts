import { Migration } from "@mikro-orm/migrations";

/** What happened to each card, kept forever, and the cards of jobs that work on many. */
export class Migration0006HistoryAndBulkJobs extends Migration {
  override up(): void {
    this.addSql(history);
    this.addSql(items);
    this.addSql(jobs);
  }
}

// A card changes at most once at a stamp of its account, so card and time name the change, and the key is
// the only index: there are several of these rows for every card there is.
const history = `
create table card_change (
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  changed_at timestamptz(3) not null,
  version int not null,
  created boolean not null default false,
  actor_kind text not null check (actor_kind in ('member', 'token', 'operator', 'system')),
  actor_id text,
  via text not null,
  job_id uuid,
  -- Member of the card, as the API names it, to [before, after], as the API writes them.
  changes jsonb not null default '{}',
  event_ids uuid[],
  primary key (card_id, changed_at)
);
`;

// No reference to the card: cards are never deleted alone, and it would lock every card of a selection.
const items = `
create table job_item (
  job_id uuid not null references job (id) on delete cascade,
  card_id uuid not null,
  outcome text check (outcome in ('changed', 'unchanged', 'skipped', 'failed')),
  code text,
  message text,
  -- Its entry of the card's history.
  changed_at timestamptz(3),
  primary key (job_id, card_id)
);
create index job_item_remarked_index on job_item (job_id, card_id) where code is not null;
`;

const jobs = `
alter table job add column idempotency_key text;
create unique index job_idempotency_key on job (account_id, idempotency_key);
create index batch_processing_index on batch (account_id, id) where status = 'processing';
`;
