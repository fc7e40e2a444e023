import pg from "pg";
import { migrationTable } from "./migrate.ts";

const schemas = "public, auth, agenda";

/**
 * Lets a role read and write the rows of every table, those of later migrations too, and nothing else: it
 * owns nothing, so it can change no table. What was done stands in the trail as it was written, and which
 * migrations have run is the owner's to say. Rows can be deleted, because retention and the removal of an
 * account are the services' own work. Can be repeated.
 * @param url the owner's connection, who has migrated the database
 * @param role is made, with the right to sign in, where it is not there and a password is given
 * @throws Error where it is not there and no password is given
 */
export async function grantServiceRole(
  url: string,
  { role, password }: { role: string; password?: string | undefined },
): Promise<{ created: boolean }> {
  const client = new pg.Client({ connectionString: url, application_name: "cardvault-grant" });
  await client.connect();
  try {
    await client.query("begin");
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
    const created = rowCount === 0;
    const name = client.escapeIdentifier(role);
    if (created && password === undefined) {
      throw new Error(`There is no role ${role}; give it a password and it is made.`);
    }
    if (created) {
      await client.query(
        `create role ${name} login password ${client.escapeLiteral(password ?? "")}`,
      );
    }
    const { rows } = await client.query<{ database: string }>(
      "select current_database() as database",
    );
    const database = client.escapeIdentifier(rows[0]?.database ?? "");
    await client.query(`
      revoke create on schema ${schemas} from public;
      revoke temporary on database ${database} from public, ${name};
      grant connect on database ${database} to ${name};
      grant usage on schema ${schemas} to ${name};
      grant select, insert, update, delete on all tables in schema ${schemas} to ${name};
      revoke update on trail_entry from ${name};
      revoke insert, update, delete on ${migrationTable} from ${name};
      grant usage, select on all sequences in schema ${schemas} to ${name};
      alter default privileges in schema ${schemas}
        grant select, insert, update, delete on tables to ${name};
      alter default privileges in schema ${schemas} grant usage, select on sequences to ${name};
    `);
    await client.query("commit");
    return { created };
  } finally {
    await client.end();
  }
}
