import { Migration } from "@mikro-orm/migrations";

/** Card lists: the uploaded file, every row of it as it was checked and what became of it, saved mappings. */
export class Migration0008Imports extends Migration {
  override up(): void {
    this.addSql(imports);
    this.addSql(mappings);
    this.addSql(matching);
  }
}

// The file lies in the database, in pieces: whichever worker goes on with the import can read it, it goes
// with its account, and a process that dies leaves nothing behind.
const imports = `
create table card_import (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  status text not null check (status in
    ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'unreadable')),
  file_name text not null,
  file_size bigint not null default 0,
  file_hash bytea,
  -- How the file is to be read, as its head says.
  reading jsonb not null default '{}',
  mapping jsonb,
  mapping_from text,
  settings jsonb not null default '{}',
  mode text,
  batch_id uuid references batch (id),
  verdicts jsonb not null default '{}',
  outcomes jsonb not null default '{}',
  job_id uuid,
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index card_import_account_id_index on card_import (account_id, created_at, id);
create index card_import_file_hash_index on card_import (account_id, file_hash);

create table card_import_part (
  import_id uuid not null references card_import (id) on delete cascade,
  position int not null,
  bytes bytea not null,
  primary key (import_id, position)
);

create table card_import_row (
  import_id uuid not null references card_import (id) on delete cascade,
  row int not null,
  verdict text not null check (verdict in ('valid', 'invalid', 'duplicate', 'ignored')),
  fields jsonb not null default '{}',
  problems jsonb,
  matched_by text,
  same_as_row int,
  outcome text check (outcome in ('created', 'updated', 'added', 'skipped', 'failed', 'undone', 'kept')),
  card_id uuid,
  -- Its entry of the card's history.
  changed_at timestamptz(3),
  primary key (import_id, row)
);
create index card_import_row_verdict_index on card_import_row (import_id, verdict, row);
create index card_import_row_outcome_index on card_import_row (import_id, outcome, row);

-- What a row of the file is recognised by: the first row that says it has it.
create table card_import_key (
  import_id uuid not null references card_import (id) on delete cascade,
  key text not null,
  row int not null,
  primary key (import_id, key)
);
`;

const mappings = `
create table import_mapping (
  account_id uuid not null references account (id) on delete cascade,
  signature text not null,
  name text not null,
  mapping jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, signature)
);
`;

const matching = `
create index card_external_ids_index on card using gin (account_id, external_ids jsonb_path_ops)
  with (gin_pending_list_limit = 256) where external_ids <> '{}'::jsonb;
`;
