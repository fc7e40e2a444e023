import { Migration } from "@mikro-orm/migrations";

/** The files behind photos, imports of many photos, and the hashes that the local recogniser has learned. */
export class Migration0011Photos extends Migration {
  override up(): void {
    this.addSql(pictures);
    this.addSql(imports);
    this.addSql(learned);
  }
}

// The row is there before the first byte of a file is, and goes after the last one: whatever a crash
// leaves in the store has a row that leads to it. A stored picture has a photo.
const pictures = `
create table picture (
  account_id uuid not null references account (id) on delete cascade,
  -- SHA-256 of the file as it came.
  content_hash bytea not null,
  state text not null check (state in ('writing', 'stored', 'loose', 'removing')),
  format text not null check (format in ('jpeg', 'png', 'webp', 'heic')),
  byte_size int not null check (byte_size > 0),
  width int not null check (width > 0),
  height int not null check (height > 0),
  perceptual_hash bit(256) not null,
  touched_at timestamptz(3) not null,
  primary key (account_id, content_hash)
);
create index picture_unsettled_index on picture (touched_at) where state <> 'stored';
create index photo_unattached_index on photo (created_at) where card_id is null;
`;

const imports = `
create table photo_import (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  batch_id uuid not null references batch (id),
  status text not null check (status in ('open', 'committing', 'done')),
  pairing text not null,
  job_id uuid references job (id),
  created_by text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index photo_import_account_id_index on photo_import (account_id, created_at, id);
create index photo_import_batch_id_index on photo_import (batch_id);
create index photo_import_job_id_index on photo_import (job_id);
create index photo_import_updated_at_index on photo_import (updated_at);

-- A file is named by where it stands in its import. Its hash may have been announced before it came.
create table photo_import_file (
  import_id uuid not null references photo_import (id) on delete cascade,
  position int not null,
  name text not null,
  content_hash bytea not null,
  byte_size int not null,
  photo_id uuid references photo (id) on delete set null,
  is_dropped boolean not null default false,
  -- Put there by hand; else the import's rule decides.
  group_no int,
  group_side text check (group_side in ('front', 'back')),
  -- The nearest photo of a card when it came.
  similar_card_id uuid,
  similar_distance int,
  -- The card that was made of it.
  card_id uuid references card (id) on delete cascade,
  primary key (import_id, position)
);
create index photo_import_file_hash_index on photo_import_file (import_id, content_hash);
create index photo_import_file_photo_id_index on photo_import_file (photo_id);
create index photo_import_file_card_id_index on photo_import_file (card_id);
`;

// What a person has confirmed of a photo teaches the account's own recogniser, and nobody else's.
const learned = `
create table learned_hash (
  account_id uuid not null references account (id) on delete cascade,
  photo_id uuid not null references photo (id) on delete cascade,
  card_id uuid not null references card (id) on delete cascade,
  hash bit(256) not null,
  learned_at timestamptz(3) not null,
  primary key (account_id, photo_id)
);
create index learned_hash_photo_id_index on learned_hash (photo_id);
create index learned_hash_card_id_index on learned_hash (card_id);
`;
