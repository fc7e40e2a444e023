import { Migration } from "@mikro-orm/migrations";

/** What an operator lets an account spend at one provider, instead of the installation's own cap. */
export class Migration0014ProviderCaps extends Migration {
  override up(): void {
    this.addSql(caps);
  }
}

// No row: the installation's cap. Null: no end, whatever the installation's is.
const caps = `
create table provider_cap (
  account_id uuid not null references account (id) on delete cascade,
  engine text not null,
  -- Millionths of a US dollar in a month.
  cap_micros bigint check (cap_micros >= 0),
  primary key (account_id, engine)
);
`;
