import { randomBytes } from "node:crypto";
import { withDatabase } from "@cardvault/postgres";
import pg from "pg";
import { postgresVariable, templateName } from "./servers.ts";

export interface TestDatabase {
  /** A PostgreSQL URL for any driver or pool. */
  readonly url: string;
  /** Runs statements in it, for what no use case does. */
  run(statements: string): Promise<void>;
  /** Removes the database, closing whatever connections are still on it. */
  drop(): Promise<void>;
}

async function administer(statement: string, url = serverUrl()): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env[postgresVariable];
  if (url === undefined) {
    throw new Error(
      "No PostgreSQL of a test run: run under vitest, or call startTestServers() first.",
    );
  }
  return url;
}

/**
 * A database of the caller's own with every migration in it, cloned from the template in tens of
 * milliseconds. Any number may be made at the same time, by any worker.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(`create database ${name} template ${templateName} strategy wal_log`);
  const url = withDatabase(serverUrl(), name);
  return {
    url,
    run: (statements) => administer(statements, url),
    drop: () => administer(`drop database if exists ${name} with (force)`),
  };
}
