import type { Logger } from "@cardvault/kit";
import pg from "pg";

const oid = { int8: 20, date: 1082, numeric: 1700, int8Array: 1016 } as const;

/**
 * How our own statements read values: int8 and numeric as numbers (amounts and counts stay far below
 * 2^53), timestamptz as Date and jsonb parsed (pg's own way), a date as its text. They hold for our
 * pool alone: pg's global parsers stay as they are, because other libraries share them.
 */
export const rowTypes = new pg.TypeOverrides();
rowTypes.setTypeParser(oid.int8, Number);
rowTypes.setTypeParser(oid.numeric, Number);
rowTypes.setTypeParser(oid.date, (value) => value);
rowTypes.setTypeParser(oid.int8Array, (value) =>
  value === "{}" ? [] : value.slice(1, -1).split(",").map(Number),
);

export interface PoolSettings {
  url: string;
  size: number;
  applicationName: string;
  statementTimeoutMs: number;
  logger: Logger | undefined;
  types?: pg.CustomTypesConfig | undefined;
}

/** A pool whose lost connections are logged and not thrown at the process. */
export function createPool(settings: PoolSettings): pg.Pool {
  const { logger } = settings;
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.size,
    application_name: settings.applicationName,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: settings.statementTimeoutMs,
    // A transaction of ours never waits for anything but the database.
    idle_in_transaction_session_timeout: 30_000,
    ...(settings.types === undefined ? {} : { types: settings.types }),
  });
  pool.on("error", (error) => logger?.warn({ err: error }, "an idle database connection was lost"));
  // A checked-out client has no listener of the pool's, and its error would end the process.
  pool.on("connect", (client) =>
    client.on("error", (error) => logger?.warn({ err: error }, "a database connection was lost")),
  );
  return pool;
}
