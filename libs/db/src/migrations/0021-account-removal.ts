import { Migration } from "@mikro-orm/migrations";

/** What is known of accounts that were removed, and the look-ups without which a removal reads whole tables. */
export class Migration0021AccountRemoval extends Migration {
  override up(): void {
    this.addSql(removals);
    this.addSql(indexes);
  }
}

// Nothing personal: the account is gone, and this must not tell whose it was.
const removals = `
create table account_removal (
  -- The account's, without a reference: the row outlives it.
  id uuid primary key,
  -- The account beside which a test account stood.
  live_account_id uuid,
  environment text not null,
  removed_by text not null,
  -- How many rows of each large table, and how many people.
  counts jsonb not null default '{}',
  started_at timestamptz(3) not null,
  -- Null: it was interrupted, and has to be asked for again.
  finished_at timestamptz(3)
);
create index account_removal_finished_at_index on account_removal (finished_at);
`;

// Each card and listing that goes is looked for where it is referred to.
const indexes = `
create index card_listing_id_index on card (listing_id) where listing_id is not null;
create index review_decision_card_id_index on review_decision (card_id);
`;
