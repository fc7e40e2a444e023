import { Migration } from "@mikro-orm/migrations";

/** How far each account's cards have been looked at for what the local recogniser learns of them. */
export class Migration0018LearnerPositions extends Migration {
  override up(): void {
    this.addSql(positions);
  }
}

// Behind the stamps of cards, which are in the order of commits within an account: whoever goes on here
// has missed none, however long it was away and however many cards one commit has changed.
const positions = `
create table learner_position (
  account_id uuid primary key references account (id) on delete cascade,
  changed_at timestamptz(3) not null,
  card_id uuid not null,
  looked_at timestamptz(3) not null
);
`;
