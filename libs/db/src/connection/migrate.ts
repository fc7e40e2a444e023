import { VaultError } from "@cardvault/contract";
import { Migrator } from "@mikro-orm/migrations";
import { MikroORM } from "@mikro-orm/postgresql";
import pg from "pg";
import { migrationsList } from "../migrations/index.ts";

/** `uuidv7()` came with PostgreSQL 18. */
const oldestServer = 18;
const lockKey = 0x6361726476;
export const migrationTable = "migration";

/**
 * Brings the database's schema up to date. Nothing happens where it is already; processes that
 * start together wait for each other.
 * @throws VaultError `service_unavailable` where the server is older than PostgreSQL 18
 */
export async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "cardvault-migrate" });
  // A connection lost while it only holds the lock must not end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await requireServer(client);
    if (await isUpToDate(client)) return;
    await client.query("select pg_advisory_lock($1::bigint)", [lockKey]);
    if (await isUpToDate(client)) return;
    await client.query("create schema if not exists auth; create schema if not exists agenda");
    await runMigrations(url);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as version",
  );
  const [server] = rows;
  if (server !== undefined && Number(server.number) >= oldestServer * 10_000) return;
  throw new VaultError("service_unavailable", {
    message: `The Card Vault needs PostgreSQL ${oldestServer} or later; this server is ${server?.version ?? "unknown"}.`,
  });
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  const table = await client.query<{ exists: boolean }>(
    "select to_regclass($1) is not null as exists",
    [`public.${migrationTable}`],
  );
  if (table.rows[0]?.exists !== true) return false;
  const { rows } = await client.query<{ name: string }>(
    `select name from public.${migrationTable}`,
  );
  const executed = new Set(rows.map((row) => row.name));
  return migrationsList.every((migration) => executed.has(migration.name));
}

async function runMigrations(url: string): Promise<void> {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    logger: () => undefined,
    ensureDatabase: false,
    migrations: {
      tableName: migrationTable,
      migrationsList,
      snapshot: false,
      silent: true,
      // The default would need a superuser: it switches foreign keys off while migrating.
      disableForeignKeys: false,
    },
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close();
  }
}
