import { Migration } from "@mikro-orm/migrations";

/** What was done to identify each card, who reviews which, and what sources said of prices, by day. */
export class Migration0013IdentificationAndPrices extends Migration {
  override up(): void {
    this.addSql(identification);
    this.addSql(review);
    this.addSql(prices);
    this.addSql(usage);
  }
}

// A row is begun before a provider is asked, so what a crash interrupted is visible. At most one of a card
// runs: past its lease another may take its place.
const identification = `
create table identification (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  status text not null check (status in
    ('running', 'applied', 'review', 'failed', 'late', 'interrupted', 'undone')),
  review_reason text,
  threshold double precision not null,
  candidates jsonb not null default '[]',
  evidence jsonb not null default '[]',
  attempts jsonb not null default '[]',
  -- Its entry of the card's history.
  changed_at timestamptz(3),
  actor_kind text not null check (actor_kind in ('member', 'token', 'operator', 'system')),
  actor_id text,
  job_id uuid,
  started_at timestamptz(3) not null,
  lease_until timestamptz(3),
  finished_at timestamptz(3),
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'running') = (lease_until is not null))
);
create unique index identification_running_key on identification (card_id) where status = 'running';
create index identification_card_index on identification (card_id, started_at, id);
`;

const review = `
create table review_lock (
  card_id uuid primary key references card (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  user_id text not null,
  locked_until timestamptz(3) not null
);
create index review_lock_user_index on review_lock (account_id, user_id);

create table review_decision (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  user_id text not null,
  kind text not null check (kind in ('accepted', 'corrected', 'skipped')),
  decided_at timestamptz(3) not null,
  -- Its entry of the card's history. A skip changes nothing.
  changed_at timestamptz(3),
  undone_at timestamptz(3)
);
create index review_decision_user_index on review_decision (account_id, user_id, decided_at, id);
create index review_decision_card_index on review_decision (card_id, user_id) where kind = 'skipped' and undone_at is null;
`;

// One row of a source and kind for each day of a card: a second look of the same day replaces the first.
const prices = `
create table price_quote (
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  source text not null,
  kind text not null check (kind in ('sold', 'asking', 'guide')),
  day timestamptz(3) not null,
  quoted_at timestamptz(3) not null,
  as_of timestamptz(3) not null,
  currency char(3),
  price bigint check (price >= 0),
  low bigint check (low >= 0),
  high bigint check (high >= 0),
  sample_size int check (sample_size >= 0),
  primary key (card_id, day, source, kind),
  check ((price is null and low is null and high is null) or currency is not null)
);
`;

// Calls that were made, whatever came of them: also for photos without a card, of which nothing else is kept.
const usage = `
create table provider_usage (
  account_id uuid not null references account (id) on delete cascade,
  day timestamptz(3) not null,
  engine text not null,
  calls int not null default 0,
  failures int not null default 0,
  -- Millionths of a US dollar, where the provider's price is known.
  cost_micros bigint not null default 0,
  primary key (account_id, day, engine)
);
alter table account add column provider_budget_micros bigint check (provider_budget_micros >= 0);
`;
