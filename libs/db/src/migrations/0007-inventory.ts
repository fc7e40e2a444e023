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
create index card_facet_index on card using gin (account_id, game, language, rarity, condition, grader,
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

-- What a card adds to its row of card_count. A market price counts in the account's own currency only.
create view card_share as
  select c.account_id, c.batch_id, c.workflow_status, 1 as cards, c.needs_review::int as in_review,
    c.quantity as copies, coalesce(c.asking_price, 0)::numeric * c.quantity as asking,
    coalesce(c.purchase_price, 0)::numeric * c.quantity as cost,
    case when c.market_price_currency = a.currency then c.market_price::numeric * c.quantity else 0 end as market
  from card c join account a on a.id = c.account_id;

create or replace function card_count_apply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into card_count as k (account_id, batch_id, workflow_status, cards, in_review, copies, asking, cost, market)
      select c.account_id, c.batch_id, c.workflow_status, count(*), count(*) filter (where c.needs_review),
        sum(c.quantity), sum(coalesce(c.asking_price, 0)::numeric * c.quantity),
        sum(coalesce(c.purchase_price, 0)::numeric * c.quantity),
        sum(case when c.market_price_currency = a.currency then c.market_price::numeric * c.quantity else 0 end)
      from new_cards c join account a on a.id = c.account_id group by 1, 2, 3
      on conflict on constraint card_count_unique do update set cards = k.cards + excluded.cards,
        in_review = k.in_review + excluded.in_review, copies = k.copies + excluded.copies,
        asking = k.asking + excluded.asking, cost = k.cost + excluded.cost, market = k.market + excluded.market;
  else
    null;
  end if;
  return null;
end $$;
`;
