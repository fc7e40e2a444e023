import { Migration } from "@mikro-orm/migrations";

/**
 * The installation's own, of no account: which cards there are, how its providers fare, and what the
 * sandbox remembers.
 */
export class Migration0010CatalogueAndProviders extends Migration {
  override up(): void {
    this.addSql(catalogue);
    this.addSql(imports);
    this.addSql(providers);
    this.addSql(sandbox);
  }
}

// The compared columns are written by the importer, which knows how names and numbers are compared.
const catalogue = `
create extension if not exists pg_trgm;
create table catalogue_card (
  id uuid primary key default uuidv7(),
  source text not null,
  source_id text not null,
  game text not null,
  set_name text not null,
  set_code text,
  number text not null,
  set_total int,
  name text not null,
  rarity text,
  year int,
  external_ids jsonb not null default '{}',
  image_url text,
  compared_name text not null,
  compared_number text not null,
  compared_set text not null,
  -- Name, set and set code, for the search by words.
  words text not null,
  imported_at timestamptz(3) not null,
  unique (source, source_id)
);
create index catalogue_card_number_index on catalogue_card (compared_number, set_total);
create index catalogue_card_name_index on catalogue_card (compared_name);
create index catalogue_card_words_index on catalogue_card using gin (words gin_trgm_ops);
`;

const imports = `
create table catalogue_import (
  id uuid primary key default uuidv7(),
  source text not null,
  -- Says which list it is: the same list goes on where it stopped.
  list_key text not null,
  status text not null check (status in ('running', 'done')),
  -- How far it has come: bytes of a file, or files of a folder.
  position bigint not null default 0,
  total bigint,
  written int not null default 0,
  skipped int not null default 0,
  started_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (source, list_key)
);
`;

// Turns can be lost with the server: a provider then sees one burst too many, and says so.
const providers = `
create unlogged table provider_turn (
  provider text primary key,
  -- When all turns that were given out have passed at the provider's own rate.
  busy_until timestamptz(3) not null
);
create table provider_outcome (
  provider text primary key,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  consecutive_failures int not null default 0,
  total_ms bigint not null default 0,
  last_code text,
  last_succeeded_at timestamptz(3),
  last_failed_at timestamptz(3),
  updated_at timestamptz(3) not null
);
`;

const sandbox = `
create table sandbox_record (
  protocol text not null,
  key text not null,
  value jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (protocol, key)
);
`;
