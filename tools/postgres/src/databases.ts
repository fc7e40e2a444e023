import pg from "pg";

/** The same server and sign-in, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Whether the server that the URL names has a database of this name. */
export function databaseExists(url: string, database: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [database]);
    return found.rowCount === 1;
  });
}

/** Makes the database where it does not exist yet, and answers its URL. */
export async function createDatabase(url: string, database: string): Promise<string> {
  if (!(await databaseExists(url, database))) {
    await withClient(url, (client) =>
      client.query(`create database ${client.escapeIdentifier(database)}`),
    );
  }
  return withDatabase(url, database);
}
