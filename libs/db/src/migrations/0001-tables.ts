import { Migration } from "@mikro-orm/migrations";

/**
 * The first schema, by subject. Rules that must never break stand here as constraints: one open
 * listing a card, one SKU an account, one delivery for each event, endpoint and generation.
 *
 * Times are `timestamptz(3)`: JavaScript has milliseconds, and a finer column would make a keyset
 * cursor skip rows. Ids are UUIDv7. Money is `bigint` in minor units of the account's currency.
 */
export class Migration0001Tables extends Migration {
  override up(): void {
    this.addSql(people);
    this.addSql(inventory);
    this.addSql(webhooks);
    this.addSql(work);
    this.addSql(counters);
  }
}

const people = `
create table account (
  id uuid primary key,
  name text not null,
  environment text not null check (environment in ('live', 'test')),
  live_account_id uuid unique references account (id),
  currency char(3) not null,
  sku_format text not null default '{batch}-{n:5}',
  review_threshold numeric(4, 3) not null default 0.85 check (review_threshold between 0.85 and 1),
  high_value_limit bigint,
  limit_read int check (limit_read > 0),
  limit_write int check (limit_write > 0),
  limit_ai int check (limit_ai > 0),
  suspended_at timestamptz(3),
  suspended_reason text,
  created_at timestamptz(3) not null,
  check (live_account_id is null or environment = 'test')
);

-- Locked first by every transaction that changes the account's cards, batches or listings: the order
-- of stamps is then the order of commits, so a poller with updated_since misses nothing.
create table account_clock (
  account_id uuid primary key references account (id) on delete cascade,
  last_change timestamptz(3) not null,
  next_card_number bigint not null default 1,
  next_batch_number bigint not null default 1
);

create table member (
  account_id uuid not null references account (id) on delete cascade,
  user_id text not null,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz(3) not null,
  primary key (account_id, user_id)
);
create index member_user_id_index on member (user_id);

create table platform_operator (
  user_id text primary key,
  created_at timestamptz(3) not null
);

create table invitation (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'member')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3)
);
create index invitation_account_id_index on invitation (account_id, created_at);

create table api_key (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  name text not null,
  prefix text not null,
  last_four text not null,
  token_hash bytea not null unique,
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  replaced_by uuid references api_key (id),
  last_used_at timestamptz(3)
);
create index api_key_account_id_index on api_key (account_id, created_at, id);

create table trail_entry (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  actor_kind text not null check (actor_kind in ('member', 'token', 'operator', 'system')),
  actor_id text,
  action text not null,
  subject_id uuid,
  details jsonb not null default '{}',
  created_at timestamptz(3) not null
);
create index trail_entry_account_id_index on trail_entry (account_id, created_at, id);
`;

const inventory = `
create table batch (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  code text not null,
  name text not null,
  status text not null check (status in ('open', 'processing', 'complete')),
  source text,
  description text,
  defaults jsonb not null default '{}',
  cost_basis bigint check (cost_basis >= 0),
  acquired_at timestamptz(3),
  completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, code),
  check ((status = 'complete') = (completed_at is not null))
);
create index batch_created_at_index on batch (account_id, created_at, id);
create index batch_updated_at_index on batch (account_id, updated_at, id);
create index batch_name_index on batch (account_id, name, id);

create table card (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  batch_id uuid references batch (id),
  sku text check (length(sku) between 1 and 50),
  status text not null check (status in ('imported', 'identified')),
  workflow_status text not null check (workflow_status in
    ('imported', 'identified', 'priced', 'photographed', 'listed', 'sold', 'archived')),
  needs_review boolean not null default false,
  review_reason text,
  title text,
  game text,
  set_name text,
  set_code text,
  number text,
  year int,
  subject text,
  team text,
  manufacturer text,
  variant text,
  rarity text,
  language text,
  print_run int,
  serial_number text,
  is_rookie boolean not null default false,
  is_autograph boolean not null default false,
  is_memorabilia boolean not null default false,
  condition text,
  grader text,
  grade text,
  cert_number text,
  qualifier text,
  quantity int not null default 1 check (quantity >= 0),
  asking_price bigint check (asking_price >= 0),
  price_floor bigint check (price_floor >= 0),
  purchase_price bigint check (purchase_price >= 0),
  market_price bigint check (market_price >= 0),
  market_price_currency char(3),
  market_price_source text,
  market_price_as_of timestamptz(3),
  first_priced_at timestamptz(3),
  location text,
  external_ids jsonb not null default '{}',
  notes text,
  tags text[] not null default '{}',
  identified_by text,
  identification_confidence double precision,
  identified_at timestamptz(3),
  pending_return_quantity int not null default 0 check (pending_return_quantity >= 0),
  oversold_quantity int not null default 0 check (oversold_quantity >= 0),
  listing_id uuid,
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  search tsvector not null generated always as (to_tsvector('simple', regexp_replace(
    lower(coalesce(title, '') || ' ' || coalesce(set_name, '') || ' ' || coalesce(number, '') || ' ' || coalesce(subject, '')),
    '[^[:alnum:]]+', ' ', 'g'))) stored,
  unique (account_id, sku),
  check (condition is null or grader is null),
  check (needs_review = (review_reason is not null)),
  check (status <> 'identified' or title is not null)
);
create index card_created_at_index on card (account_id, created_at, id);
create index card_updated_at_index on card (account_id, updated_at, id);
create index card_title_index on card (account_id, title, id);
create index card_asking_price_index on card (account_id, asking_price, id);
create index card_workflow_status_index on card (account_id, workflow_status, created_at, id);
create index card_batch_index on card (account_id, batch_id, created_at, id);
create index card_location_index on card (account_id, location text_pattern_ops, created_at, id);
create index card_set_name_index on card (account_id, lower(set_name), created_at, id);
create index card_set_code_index on card (account_id, lower(set_code), created_at, id);
create index card_needs_review_index on card (account_id, created_at, id) where needs_review;
create index card_graded_index on card (account_id, created_at, id) where grader is not null;
create index card_search_index on card using gin (search);

create table photo (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid references card (id) on delete cascade,
  side text not null check (side in ('front', 'back', 'listing')),
  position int not null default 0,
  content_hash bytea not null,
  width int not null check (width > 0),
  height int not null check (height > 0),
  created_at timestamptz(3) not null
);
create index photo_card_id_index on photo (card_id, position, id);
create index photo_content_hash_index on photo (account_id, content_hash);

create table listing (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id),
  marketplace text not null,
  status text not null check (status in ('publishing', 'live', 'sold', 'ended', 'failed')),
  external_listing_id text,
  url text,
  title text not null,
  description text,
  category_id text,
  format text not null default 'fixed_price',
  price bigint not null check (price > 0),
  quantity int not null check (quantity >= 0),
  quantity_sold int not null default 0 check (quantity_sold >= 0),
  published_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  sold_at timestamptz(3),
  sold_price bigint,
  order_id text,
  error jsonb,
  last_synced_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- At most one listing of a card is being published or live, whatever the code believes.
create unique index listing_open_key on listing (card_id) where status in ('publishing', 'live');
create index listing_card_id_index on listing (card_id);
create index listing_created_at_index on listing (account_id, created_at, id);
create index listing_updated_at_index on listing (account_id, updated_at, id);
create index listing_price_index on listing (account_id, price, id);
create index listing_status_index on listing (account_id, status, created_at, id);
create index listing_external_index on listing (account_id, marketplace, external_listing_id);
alter table card add constraint card_listing_id_fkey foreign key (listing_id) references listing (id);
`;

const webhooks = `
create table webhook_endpoint (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  url text not null,
  description text,
  event_types text[],
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamptz(3),
  secret text not null,
  next_secret text,
  secret_switch_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((next_secret is null) = (secret_switch_at is null))
);
create index webhook_endpoint_account_id_index on webhook_endpoint (account_id, created_at, id) where deleted_at is null;

-- The body is text: jsonb would reorder its members and break the signature.
create table webhook_event (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  type text not null,
  subject_id uuid,
  body text not null,
  created_at timestamptz(3) not null
);
create index webhook_event_created_at_index on webhook_event (account_id, created_at, id);
create index webhook_event_type_index on webhook_event (account_id, type, created_at, id);
create index webhook_event_subject_index on webhook_event (account_id, subject_id, created_at, id);

create table webhook_delivery (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id) on delete cascade,
  event_id uuid not null references webhook_event (id) on delete cascade,
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  generation int not null default 1 check (generation > 0),
  status text not null default 'pending' check (status in
    ('pending', 'retrying', 'delivered', 'dropped', 'cancelled')),
  drop_reason text,
  attempts int not null default 0 check (attempts between 0 and 7),
  next_attempt_at timestamptz(3),
  deadline_at timestamptz(3) not null,
  last_status_code int,
  last_error_code text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  dismissed_at timestamptz(3),
  dismissed_note text,
  enqueued_at timestamptz(3),
  relay_until timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  claims int not null default 0,
  unique (event_id, endpoint_id, generation),
  check ((status = 'dropped') = (drop_reason is not null)),
  check ((status in ('pending', 'retrying')) = (next_attempt_at is not null)),
  check ((status in ('pending', 'retrying')) = (finished_at is null))
);
create index webhook_delivery_account_id_index on webhook_delivery (account_id, created_at, id);
create index webhook_delivery_endpoint_index on webhook_delivery (endpoint_id, created_at, id);
create index webhook_delivery_dropped_index on webhook_delivery (account_id, finished_at, id)
  where status = 'dropped' and dismissed_at is null;
create index webhook_delivery_unrelayed_index on webhook_delivery (id)
  where enqueued_at is null and status in ('pending', 'retrying');
create index webhook_delivery_due_index on webhook_delivery (next_attempt_at)
  where status in ('pending', 'retrying');
create index webhook_delivery_open_index on webhook_delivery (endpoint_id)
  where status in ('pending', 'retrying');

create table webhook_attempt (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  endpoint_id uuid not null,
  number int not null check (number between 1 and 7),
  started_at timestamptz(3) not null,
  status_code int,
  error_code text,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real not null,
  response_headers jsonb,
  response_body bytea,
  response_truncated boolean not null default false,
  unique (delivery_id, number)
);
create index webhook_attempt_account_id_index on webhook_attempt (account_id, started_at, id);
create index webhook_attempt_endpoint_index on webhook_attempt (endpoint_id, started_at, id);
`;

const work = `
create table job (
  id uuid primary key,
  account_id uuid references account (id) on delete cascade,
  kind text not null,
  status text not null default 'queued' check (status in
    ('queued', 'running', 'paused', 'done', 'failed', 'cancelled')),
  payload jsonb not null,
  progress jsonb not null default '{}',
  error jsonb,
  next_run_at timestamptz(3),
  -- The batch that it works on, and whether it changes which cards are in it.
  batch_id uuid references batch (id),
  changes_membership boolean not null default false,
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  enqueued_at timestamptz(3),
  relay_until timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  claims int not null default 0,
  check ((status in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);
create index job_account_id_index on job (account_id, created_at, id);
create index job_batch_index on job (batch_id) where status in ('queued', 'running', 'paused');
create index job_unrelayed_index on job (id) where enqueued_at is null and status in ('queued', 'running');
create index job_due_index on job (next_run_at) where status in ('queued', 'running');

create table idempotency_record (
  account_id uuid not null references account (id) on delete cascade,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  owner uuid not null,
  deadline_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  response_status int,
  response_headers jsonb,
  response_body text,
  primary key (account_id, method, path, key)
);
create index idempotency_record_created_at_index on idempotency_record (created_at);

-- Unlogged: a limit's window is a minute long, and a crash may forget it.
create unlogged table rate_window (
  key text primary key,
  hits timestamptz(3)[] not null,
  expires_at timestamptz(3) not null
);
create index rate_window_expires_at_index on rate_window (expires_at);
`;

/**
 * Cards of an account by batch and workflow status, kept by the database itself: one row changed or a
 * hundred thousand, the counts are right in the same commit. The account clock is held by whoever
 * changes cards, so these rows are never contended.
 */
const counters = `
create table card_count (
  account_id uuid not null references account (id) on delete cascade,
  batch_id uuid references batch (id) on delete cascade,
  workflow_status text not null,
  cards bigint not null,
  constraint card_count_unique unique nulls not distinct (account_id, batch_id, workflow_status)
);

create function card_count_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into card_count as c (account_id, batch_id, workflow_status, cards)
      select account_id, batch_id, workflow_status, count(*) from new_cards group by 1, 2, 3
      on conflict on constraint card_count_unique do update set cards = c.cards + excluded.cards;
  elsif tg_op = 'DELETE' then
    -- An update and not an upsert: the account itself may be going in the same statement.
    update card_count c set cards = c.cards - gone.cards
      from (select account_id, batch_id, workflow_status, count(*) as cards from old_cards group by 1, 2, 3) gone
      where c.account_id = gone.account_id and c.batch_id is not distinct from gone.batch_id
        and c.workflow_status = gone.workflow_status;
  else
    insert into card_count as c (account_id, batch_id, workflow_status, cards)
      select account_id, batch_id, workflow_status, sum(change) from (
        select account_id, batch_id, workflow_status, 1 as change from new_cards
        union all
        select account_id, batch_id, workflow_status, -1 from old_cards
      ) moved group by 1, 2, 3 having sum(change) <> 0
      on conflict on constraint card_count_unique do update set cards = c.cards + excluded.cards;
  end if;
  return null;
end $$;

create trigger card_count_inserted after insert on card
  referencing new table as new_cards for each statement execute function card_count_apply();
create trigger card_count_updated after update on card
  referencing old table as old_cards new table as new_cards for each statement execute function card_count_apply();
create trigger card_count_deleted after delete on card
  referencing old table as old_cards for each statement execute function card_count_apply();
`;
