import { Migration } from "@mikro-orm/migrations";

/**
 * What the inventory of a large account is found, ordered and counted by. Everything here is kept by the
 * database itself, in the transaction that changes a card, so no writer can forget it.
 */
export class Migration0007Inventory extends Migration {
  override up(): void {
    this.addSql(extensions);
    this.addSql(cards);
    this.addSql(photos);
    this.addSql(indexes);
    this.addSql(counts);
    this.addSql(words);
    this.addSql(views);
  }
}

// Both are trusted (PostgreSQL's word): whoever may create in the database may create them.
const extensions = `
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
`;

// Numbers within a text are filled up to twelve digits, so that A-2 comes before A-10.
const cards = `
create function natural_order(value text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(lower(value), '(\\d+)', '000000000000\\1', 'g'), '\\d*(\\d{12})', '\\1', 'g');

alter table card
  add column has_photo boolean not null default false,
  add column set_order text generated always as (
    natural_order(set_name) || chr(1) || coalesce(natural_order(number), '')) stored,
  add column location_order text generated always as (natural_order(location)) stored;
`;

const photos = `
update card c set has_photo = true where exists (select 1 from photo p where p.card_id = c.id);

create function card_has_photo_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update card c set has_photo = true where not c.has_photo
      and c.id in (select card_id from new_photos);
  elsif tg_op = 'DELETE' then
    update card c set has_photo = false where c.has_photo
      and c.id in (select card_id from old_photos)
      and not exists (select 1 from photo p where p.card_id = c.id);
  else
    update card c set has_photo = not c.has_photo
      where c.id in (select card_id from old_photos union select card_id from new_photos)
      and c.has_photo <> exists (select 1 from photo p where p.card_id = c.id);
  end if;
  return null;
end $$;

create trigger card_has_photo_inserted after insert on photo
  referencing new table as new_photos for each statement execute function card_has_photo_apply();
create trigger card_has_photo_updated after update on photo
  referencing old table as old_photos new table as new_photos for each statement execute function card_has_photo_apply();
create trigger card_has_photo_deleted after delete on photo
  referencing old table as old_photos for each statement execute function card_has_photo_apply();
`;

// The inverted indexes begin with the account, so that a list of an account is never longer than the account,
// however many others share a word or a game. Their waiting lists are short: every read goes through them.
const indexes = `
drop index card_search_index;
create index card_search_index on card using gin (account_id, search) with (gin_pending_list_limit = 256);
create index card_facet_index on card using gin (account_id, status, game, language, rarity, condition, grader,
  grade, year, review_reason, has_photo, tags) with (gin_pending_list_limit = 256);
create index card_id_index on card (account_id, id);
create index card_set_order_index on card (account_id, set_order, id);
create index card_location_order_index on card (account_id, location_order, id);
create index card_market_price_index on card (account_id, market_price, id);
create index card_purchase_price_index on card (account_id, purchase_price, id);
create index card_sku_prefix_index on card (account_id, lower(sku) text_pattern_ops);
create index card_cert_number_index on card (account_id, cert_number) where cert_number is not null;
create index card_copies_index on card (account_id, quantity) where quantity > 1;
create index listing_sold_at_index on listing (account_id, sold_at, id) where sold_at is not null;
create index batch_open_index on batch (account_id, created_at, id) where status <> 'complete';
`;

const sums = ["cards", "in_review", "copies", "asking", "cost", "market"];

/** What cards add to their row of card_count. A market price counts in the account's own currency only. */
function share(cards: string, sign: 1 | -1): string {
  const money = (column: string): string =>
    `coalesce(c.${column}, 0)::numeric * c.quantity * ${sign}`;
  return `select c.account_id, c.batch_id, c.workflow_status, ${sign} as cards,
      c.needs_review::int * ${sign} as in_review, c.quantity * ${sign} as copies,
      ${money("asking_price")} as asking, ${money("purchase_price")} as cost,
      case when coalesce(c.market_price_currency, a.currency) = a.currency
        then ${money("market_price")} else 0 end as market
    from ${cards} c join account a on a.id = c.account_id`;
}

/** The rows of card_count by which moved cards change it, each row in one order, so that writers never wait in a ring. */
function change(moved: string): string {
  return `select account_id, batch_id, workflow_status, ${sums.map((name) => `sum(${name}) as ${name}`).join(", ")}
    from (${moved}) moved group by 1, 2, 3
    having ${sums.map((name) => `sum(${name}) <> 0`).join(" or ")} order by 1, 2, 3`;
}

const columns = `account_id, batch_id, workflow_status, ${sums.join(", ")}`;
const upsert = (moved: string): string => `
    insert into card_count as k (${columns}) ${change(moved)}
    on conflict on constraint card_count_unique do update set
      ${sums.map((name) => `${name} = k.${name} + excluded.${name}`).join(", ")};`;

/**
 * Beside the number of cards what they are worth. Sums are numeric: nobody's card may be refused because a
 * total has become too large for its column.
 */
const counts = `
alter table card_count set (fillfactor = 50);
alter table card_count
  add column in_review bigint not null default 0,
  add column copies bigint not null default 0,
  add column asking numeric not null default 0,
  add column cost numeric not null default 0,
  add column market numeric not null default 0;

create or replace function card_count_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${upsert(share("new_cards", 1))}
  elsif tg_op = 'DELETE' then
    -- An update and not an upsert: the account itself may be going in the same statement.
    update card_count k set ${sums.map((name) => `${name} = k.${name} + gone.${name}`).join(", ")}
      from (${change(share("old_cards", -1))}) gone
      where k.account_id = gone.account_id and k.batch_id is not distinct from gone.batch_id
        and k.workflow_status = gone.workflow_status;
  else ${upsert(`${share("new_cards", 1)} union all ${share("old_cards", -1)}`)}
  end if;
  return null;
end $$;

delete from card_count;
insert into card_count (${columns}) ${change(share("card", 1))};
`;

/**
 * The words of an account's cards, each once, with how many cards have it: a search looks here for what
 * begins like its last word, and for what is like a word that no card has.
 */
const words = `
create table card_word (
  account_id uuid not null references account (id) on delete cascade,
  word text collate "C" not null,
  cards bigint not null,
  primary key (account_id, word)
) with (fillfactor = 70);
create index card_word_similar_index on card_word using gin (account_id, word gin_trgm_ops)
  with (gin_pending_list_limit = 256);

create function card_word_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into card_word as w (account_id, word, cards)
      select c.account_id, t.word, count(*) from new_cards c, unnest(tsvector_to_array(c.search)) as t (word)
      group by 1, 2 order by 1, 2
      on conflict (account_id, word) do update set cards = w.cards + excluded.cards;
  elsif tg_op = 'DELETE' then
    update card_word w set cards = w.cards - gone.cards
      from (select c.account_id, t.word, count(*) as cards
        from old_cards c, unnest(tsvector_to_array(c.search)) as t (word) group by 1, 2) gone
      where w.account_id = gone.account_id and w.word = gone.word;
  else
    insert into card_word as w (account_id, word, cards)
      -- What was and is cancels out before it is cut into words. No join of new and old: its plan, kept from
      -- changes of one card, would compare each with each in a change of many.
      select changed.account_id, t.word, sum(changed.sign) from (
        select account_id, search, sum(sign) as sign from (
          select account_id, search, 1 as sign from new_cards union all select account_id, search, -1 from old_cards
        ) moved group by 1, 2 having sum(sign) <> 0
      ) changed, unnest(tsvector_to_array(changed.search)) as t (word)
      group by 1, 2 having sum(changed.sign) <> 0 order by 1, 2
      on conflict (account_id, word) do update set cards = w.cards + excluded.cards;
  end if;
  return null;
end $$;

create trigger card_word_inserted after insert on card
  referencing new table as new_cards for each statement execute function card_word_apply();
create trigger card_word_updated after update on card
  referencing old table as old_cards new table as new_cards for each statement execute function card_word_apply();
create trigger card_word_deleted after delete on card
  referencing old table as old_cards for each statement execute function card_word_apply();

insert into card_word (account_id, word, cards)
  select c.account_id, t.word, count(*) from card c, unnest(tsvector_to_array(c.search)) as t (word) group by 1, 2;
`;

// The filter is kept as it was saved: what a later version no longer knows is left out when it is read.
const views = `
create table inventory_view (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  owner_id text not null,
  name text not null,
  is_shared boolean not null default false,
  filter jsonb not null default '{}',
  sort text,
  columns jsonb not null default '[]',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index inventory_view_name_key on inventory_view (account_id, owner_id, lower(name));
`;
