import { Migration } from "@mikro-orm/migrations";

/**
 * Where cards lie, with sums that the database keeps; what is known of places; scanner runs; sales that
 * were made elsewhere; and what a spread of a batch's cost gave to each card.
 */
export class Migration0009LocationsAndScans extends Migration {
  override up(): void {
    this.addSql(totals);
    this.addSql(places);
    this.addSql(scans);
    this.addSql(sales);
    this.addSql(costs);
  }
}

const sums = ["cards", "present", "copies", "asking", "cost"];

/** What cards add to the row of their location. Sums are of those that are neither sold nor archived. */
function share(cards: string, sign: 1 | -1): string {
  const there = "(c.workflow_status not in ('sold', 'archived'))::int";
  return `select c.account_id, c.location, ${sign} as cards, ${there} * ${sign} as present,
      ${there} * c.quantity * ${sign} as copies,
      ${there} * coalesce(c.asking_price, 0)::numeric * c.quantity * ${sign} as asking,
      ${there} * coalesce(c.purchase_price, 0)::numeric * c.quantity * ${sign} as cost
    from ${cards} c where c.location is not null`;
}

/** The rows of location_total by which moved cards change it, in one order. */
function change(moved: string): string {
  return `select account_id, location, ${sums.map((name) => `sum(${name}) as ${name}`).join(", ")}
    from (${moved}) moved group by 1, 2
    having ${sums.map((name) => `sum(${name}) <> 0`).join(" or ")} order by 1, 2`;
}

const columns = `account_id, location, ${sums.join(", ")}`;
const upsert = (moved: string): string => `
    insert into location_total as t (${columns}) ${change(moved)}
    on conflict (account_id, location) do update set
      ${sums.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ")};`;

/**
 * A million cards lie in some thousand places: the tree, its sums and its suggestions are read from here.
 * A place that the last card has left stays with zeros until a card of the account moves again.
 */
const totals = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create table location_total (
  account_id uuid not null references account (id) on delete cascade,
  location text collate "C" not null,
  cards bigint not null,
  present bigint not null,
  copies bigint not null,
  asking numeric not null,
  cost numeric not null,
  primary key (account_id, location)
) with (fillfactor = 70);
create index location_total_similar_index on location_total using gin (account_id, location gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create index location_total_empty_index on location_total (account_id) where cards = 0;

create function location_total_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${upsert(share("new_cards", 1))}
  elsif tg_op = 'DELETE' then
    -- An update and not an upsert: the account itself may be going in the same statement.
    update location_total t set ${sums.map((name) => `${name} = t.${name} + gone.${name}`).join(", ")}
      from (${change(share("old_cards", -1))}) gone
      where t.account_id = gone.account_id and t.location = gone.location;
  else
    ${upsert(`${share("new_cards", 1)} union all ${share("old_cards", -1)}`)}
    if found then
      delete from location_total t using (select distinct account_id from old_cards) o
        where t.account_id = o.account_id and t.cards = 0;
    end if;
  end if;
  return null;
end $$;

create trigger location_total_inserted after insert on card
  referencing new table as new_cards for each statement execute function location_total_apply();
create trigger location_total_updated after update on card
  referencing old table as old_cards new table as new_cards for each statement execute function location_total_apply();
create trigger location_total_deleted after delete on card
  referencing old table as old_cards for each statement execute function location_total_apply();

insert into location_total (${columns}) ${change(share("card", 1))};
`;

const places = `
alter table account add column location_separator text not null default '/'
  check (length(location_separator) between 1 and 3);

create table known_place (
  account_id uuid not null references account (id) on delete cascade,
  path text collate "C" not null check (length(path) between 1 and 120),
  code text,
  note text,
  capacity int check (capacity > 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, path),
  unique (account_id, code)
);
`;

// Both ids are the client's own, so that a request can be repeated; they are names within an account.
const scans = `
create table scan_run (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  location text,
  next_number int not null default 1,
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index scan_run_created_at_index on scan_run (account_id, created_at, id);

create table scan (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  run_id uuid not null,
  number int not null,
  text text not null,
  outcome text not null check (outcome in
    ('place', 'moved', 'already_here', 'unknown', 'ambiguous', 'sold', 'archived')),
  location text,
  from_location text,
  card_id uuid references card (id) on delete cascade,
  candidate_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null,
  undone_at timestamptz(3),
  primary key (account_id, id),
  unique (account_id, run_id, number)
);
create index scan_card_id_index on scan (card_id);
`;

const sales = `
create table hand_sale (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  quantity int not null check (quantity > 0),
  price bigint not null check (price > 0),
  place text not null,
  note text,
  sold_at timestamptz(3) not null,
  request_id uuid,
  created_by text,
  created_at timestamptz(3) not null,
  voided_by text,
  voided_at timestamptz(3),
  unique (account_id, request_id)
);
create index hand_sale_card_id_index on hand_sale (card_id, created_at, id);
create index hand_sale_sold_at_index on hand_sale (account_id, sold_at, id);
`;

// A cost is the spread's own while the card, in this batch still, has what the last spread found or what it
// gave; else it is somebody's, and kept. Before the job has been at the card it has the first of the two.
const costs = `
create table batch_cost_share (
  card_id uuid primary key references card (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  batch_id uuid not null references batch (id) on delete cascade,
  job_id uuid not null,
  found_amount bigint,
  amount bigint not null check (amount >= 0)
);
create index batch_cost_share_batch_id_index on batch_cost_share (batch_id);
`;
