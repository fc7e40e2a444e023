import { Migration } from "@mikro-orm/migrations";

/** Jobs that change each card in its own way, and which fields of a card were at fault. */
export class Migration0015JobPatches extends Migration {
  override up(): void {
    this.addSql(patches);
  }
}

// Beside the job's cards, not in its payload: that is read with every chunk and with every list of jobs.
const patches = `
alter table job_item add column details jsonb;

create table job_patch (
  job_id uuid not null references job (id) on delete cascade,
  card_id uuid not null,
  -- The body of a PATCH.
  patch jsonb not null,
  if_version int,
  primary key (job_id, card_id)
);
`;
