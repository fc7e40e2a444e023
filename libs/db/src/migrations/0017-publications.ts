import { Migration } from "@mikro-orm/migrations";

/** How far the publication of a listing is, what it is still to be given, and how titles are made. */
export class Migration0017Publications extends Migration {
  override up(): void {
    this.addSql(publications);
    this.addSql(templates);
  }
}

// Beside the listing: its row is what clients read, and is stamped by the account's clock.
const publications = `
create table listing_publication (
  listing_id uuid primary key references listing (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  -- What the marketplace knows it by. The card may be given another one once the listing is closed.
  sku text not null,
  offer_id text,
  -- The call that was asked for last. Written before it is made, and its end when its answer is known.
  step text not null default 'waiting'
    check (step in ('waiting', 'look', 'item', 'offer', 'terms', 'publish', 'done')),
  step_began_at timestamptz(3),
  step_ended_at timestamptz(3),
  -- When it was last asked to be published without our knowing the answer: it may yet take effect.
  unsettled_at timestamptz(3),
  -- Runs in a row that met something passing.
  tries int not null default 0 check (tries >= 0),
  next_try_at timestamptz(3),
  deadline_at timestamptz(3) not null,
  cancel_requested_at timestamptz(3),
  -- A refusal that stands once the marketplace shows that nothing is published.
  refusal jsonb,
  -- What the request gave of its own, for publishing again.
  given jsonb not null default '{}',
  -- As the marketplace was last given it, photos by their ids: addresses are capabilities, and not kept.
  asked jsonb,
  -- What a revision is still to bring; null where there is nothing, and then no job runs for it.
  wanted jsonb,
  wanted_count int not null default 0,
  -- Asked to be withdrawn, and why; a job runs until it is seen to have ended.
  withdraw_reason text,
  seen_ended_at timestamptz(3),
  -- The bulk job that began it.
  bulk_job_id uuid
);
-- What is under way: looked through for what has lost its job.
create index listing_publication_pending_index on listing_publication (listing_id)
  where wanted is not null or (withdraw_reason is not null and seen_ended_at is null);
create index listing_publishing_index on listing (updated_at) where status = 'publishing';
create index listing_publication_account_index on listing_publication (account_id);
create index listing_publication_bulk_job_index on listing_publication (bulk_job_id) where bulk_job_id is not null;
`;

// An account's stand with its settings. A table of its own for batches and cards: few have one.
const templates = `
alter table account add column title_template text, add column description_template text;

create table listing_template (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  batch_id uuid references batch (id) on delete cascade,
  card_id uuid references card (id) on delete cascade,
  title text,
  description text,
  updated_at timestamptz(3) not null,
  check ((batch_id is null) <> (card_id is null))
);
create unique index listing_template_batch_key on listing_template (batch_id) where batch_id is not null;
create unique index listing_template_card_key on listing_template (card_id) where card_id is not null;
create index listing_template_account_index on listing_template (account_id);
`;
