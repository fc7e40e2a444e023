import { randomBytes } from "node:crypto";
import { eventTypes } from "@cardvault/contract";
import { createEndpoint } from "@cardvault/core";
import { grantServiceRole } from "@cardvault/db";
import { startReceiver, waitFor } from "@cardvault/testkit";
import pg from "pg";
import { expect, test } from "vitest";
import { deliveriesTo } from "./rows.ts";
import { openShop } from "./shop.ts";
import { openStack } from "./stack.ts";

/** As the owner of the database, before the services start. */
async function makeRole(ownerUrl: string): Promise<string> {
  const role = `service_${randomBytes(4).toString("hex")}`;
  const password = randomBytes(12).toString("base64url");
  expect(await grantServiceRole(ownerUrl, { role, password })).toEqual({ created: true });
  expect(await grantServiceRole(ownerUrl, { role })).toEqual({ created: false });
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

test(
  "api and worker run as a role that reads and writes rows, and can change no table",
  { timeout: 60_000 },
  async (end) => {
    const receiver = await startReceiver();
    end.onTestFinished(() => receiver.stop());
    const stack = await openStack(end, { store: "postgres", serviceRole: makeRole });
    const serviceUrl = stack.environment["DATABASE_URL"] ?? "";
    expect(new URL(serviceUrl).username).toMatch(/^service_/);
    await Promise.all([stack.api.start(), stack.worker.start()]);
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const { endpoint } = await createEndpoint(stack.services, shop.access, {
      url: receiver.url,
      events: [...eventTypes],
    });
    const [card] = await session.createCards([{ title: "Hollow Stag" }]);
    const asking_price = { amount: 100, currency: "USD" };
    expect((await shop.call("PATCH", `/cards/${card?.id}`, { asking_price })).status).toBe(200);
    await waitFor(async () => {
      const deliveries = await deliveriesTo(stack, endpoint.id);
      return deliveries.length > 0 && deliveries.every(({ status }) => status === "delivered");
    });

    const client = new pg.Client({ connectionString: serviceUrl });
    await client.connect();
    end.onTestFinished(() => client.end());
    for (const statement of [
      "create table theirs (id int)",
      "drop table card",
      "alter table card add column theirs int",
      "truncate card",
      "create schema theirs",
      "create role theirs",
      "copy card to program 'cat'",
      "alter table auth.user disable trigger all",
      "create temporary table theirs (id int)",
      "create index on card (title)",
      "create function theirs() returns int language sql as 'select 1'",
      "create extension dblink",
      "set role postgres",
      "set session_replication_role = replica",
      "alter system set log_statement = 'all'",
      "select rolpassword from pg_authid",
      "select pg_read_file('postgresql.conf')",
      "select lo_import('/etc/passwd')",
      "copy card to '/tmp/theirs'",
      // What was done stays as it was written, and which migrations have run is the owner's to say.
      "update trail_entry set created_at = now()",
      "delete from migration",
    ]) {
      const refused: unknown = await client.query(statement).catch((error: unknown) => error);
      // insufficient_privilege
      expect({ statement, code: (refused as { code?: unknown }).code }).toEqual({
        statement,
        code: "42501",
      });
    }

    const [role] = await rows(
      client,
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
         (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships,
         (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
      owned: 0,
    });
    // Rows of every table of the three schemas, and nothing of any other.
    expect(
      await rows(
        client,
        `select n.nspname as schema, string_agg(distinct p.privilege_type, ', ' order by p.privilege_type) as may
         from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) p
         where p.grantee = current_user::regrole and c.relkind in ('r', 'p', 'v', 'm')
         group by 1 order by 1`,
      ),
    ).toEqual(
      ["agenda", "auth", "public"].map((schema) => ({
        schema,
        may: "DELETE, INSERT, SELECT, UPDATE",
      })),
    );
  },
);

async function rows(client: pg.Client, statement: string): Promise<unknown[]> {
  return (await client.query<Record<string, unknown>>(statement)).rows;
}
