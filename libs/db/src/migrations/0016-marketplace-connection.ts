import { Migration } from "@mikro-orm/migrations";

/** Where an account sells, and how it was agreed to. */
export class Migration0016MarketplaceConnection extends Migration {
  override up(): void {
    this.addSql(connections);
    this.addSql(notices);
  }
}

const connections = `
create table marketplace_connection (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  marketplace text not null check (marketplace in ('ebay')),
  status text not null check (status in ('connected', 'revoked')),
  -- Sealed, the row's id its associated data. Null of test accounts, for which nobody has to agree.
  refresh_token text,
  refresh_token_ends_at timestamptz(3),
  payment_policy_id text,
  return_policy_id text,
  fulfillment_policy_id text,
  location_key text,
  -- For cards that say neither game nor sport.
  category_id text,
  -- Null where nobody did it: a test account's is there by itself.
  connected_by text,
  connected_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  updated_at timestamptz(3) not null,
  check ((status = 'revoked') = (revoked_at is not null))
);
create unique index marketplace_connection_key on marketplace_connection (account_id, marketplace);

-- A consent that was asked for, by whom and in which session. Taken away when its answer comes.
create table marketplace_consent (
  -- SHA-256 of what stands in the address: who reads the table cannot answer for anybody.
  state_hash bytea primary key,
  account_id uuid not null references account (id) on delete cascade,
  marketplace text not null check (marketplace in ('ebay')),
  user_id text not null,
  session_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index marketplace_consent_account_index on marketplace_consent (account_id);
`;

const notices = `
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check
  check (kind in ('endpoint_failing', 'endpoint_disabled', 'events_dropped', 'marketplace_revoked'));
`;
