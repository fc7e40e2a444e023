import { Migration } from "@mikro-orm/migrations";

/**
 * The ledger of sales: each line of a marketplace's order once, beside the sales by hand; how far the orders
 * and offers of an account have been read; and where a marketplace shows something else than we do.
 */
export class Migration0019Sales extends Migration {
  override up(): void {
    this.addSql(orderLines);
    this.addSql(handSales);
    this.addSql(listingsBefore);
    this.addSql(sync);
  }
}

/**
 * Amounts are of the line, in minor units of its currency. What is cancelled or refunded of it stands beside
 * what was sold and does not replace it. `cost_each` is what one copy had cost when it was sold.
 */
const orderLines = `
create table marketplace_order_line (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  marketplace text not null,
  order_id text not null,
  line_id text not null,
  listing_id uuid references listing (id) on delete cascade,
  card_id uuid references card (id) on delete cascade,
  -- Why it takes no copies of a card; null where it does.
  unmatched text check (unmatched in ('no_listing', 'other_currency', 'refused')),
  external_listing_id text,
  sku text,
  title text not null,
  quantity int not null check (quantity > 0),
  total bigint not null check (total >= 0),
  currency char(3) not null,
  cancelled_quantity int not null default 0,
  cancelled_total bigint not null default 0,
  refunded bigint not null default 0,
  fee bigint check (fee >= 0),
  cost_each bigint check (cost_each >= 0),
  is_paid boolean not null default true,
  sold_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  cancelled_at timestamptz(3),
  pulled_at timestamptz(3),
  pulled_by text,
  -- An order may be read any number of times, by any number of processes: it is counted once.
  constraint marketplace_order_line_key unique (account_id, marketplace, order_id, line_id),
  check ((unmatched is null) = (listing_id is not null)),
  check (cancelled_quantity between 0 and quantity),
  check (cancelled_total >= 0 and refunded >= 0 and cancelled_total + refunded <= total)
);
create index marketplace_order_line_sold_at_index on marketplace_order_line (account_id, sold_at, id);
create index marketplace_order_line_card_id_index on marketplace_order_line (card_id, sold_at, id);
create index marketplace_order_line_listing_id_index on marketplace_order_line (listing_id);
create index marketplace_order_line_to_pull_index on marketplace_order_line (account_id, id)
  where pulled_at is null and cancelled_quantity < quantity and unmatched is null;
create index marketplace_order_line_unmatched_index on marketplace_order_line (account_id, sold_at, id)
  where unmatched is not null;
`;

const handSales = `
alter table hand_sale
  add column fee bigint check (fee >= 0),
  add column cost_each bigint check (cost_each >= 0);
update hand_sale s set cost_each = c.purchase_price from card c where c.id = s.card_id;
`;

/** What listings had sold before there was a ledger: one line for each, as far as they tell. */
const listingsBefore = `
insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id, card_id,
  external_listing_id, title, quantity, total, currency, cost_each, sold_at, modified_at, recorded_at, pulled_at)
select uuidv7(), l.account_id, l.marketplace, coalesce(l.order_id, 'before-ledger'), l.id::text, l.id, l.card_id,
  l.external_listing_id, l.title, l.quantity_sold, coalesce(l.sold_price, l.price * l.quantity_sold), a.currency,
  c.purchase_price, l.sold_at, l.sold_at, l.updated_at, l.updated_at
from listing l join account a on a.id = l.account_id join card c on c.id = l.card_id
where l.sold_at is not null and l.quantity_sold > 0;
`;

const sync = `
create table marketplace_sync (
  account_id uuid primary key references account (id) on delete cascade,
  -- Every order that was changed before this moment is in the ledger.
  orders_until timestamptz(3) not null,
  -- When the last look at the orders began that reached its end.
  orders_read_at timestamptz(3),
  due_at timestamptz(3) not null,
  lease_token uuid,
  lease_until timestamptz(3),
  -- How far the look at closed listings has come, from the last one that closed backwards; null at its begin.
  closed_ended_at timestamptz(3),
  closed_id uuid,
  synced_at timestamptz(3),
  failure jsonb,
  failed_since timestamptz(3)
);
create index marketplace_sync_due_at_index on marketplace_sync (due_at);

create table listing_difference (
  listing_id uuid primary key references listing (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  price bigint check (price >= 0),
  quantity int check (quantity >= 0),
  seen_at timestamptz(3) not null,
  check (price is not null or quantity is not null)
);
create index listing_difference_account_index on listing_difference (account_id, listing_id);
-- Why it is live no more, where it was not we who withdrew it.
alter table listing_publication add column seen_end_reason text;
create index listing_publication_seen_ended_index on listing_publication (account_id, listing_id)
  where seen_ended_at is not null;
create index listing_ended_at_index on listing (account_id, status, ended_at, id);
-- What was never compared goes first.
create index listing_to_sync_index on listing (account_id, last_synced_at nulls first, id)
  where status = 'live';
create index listing_closed_to_sync_index on listing (account_id, ended_at, id)
  where status in ('ended', 'sold');
`;
