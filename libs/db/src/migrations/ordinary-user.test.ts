import { randomBytes } from "node:crypto";
import { createTestDatabase } from "@cardvault/testkit";
import pg from "pg";
import { expect, test } from "vitest";
import { migrate } from "../index.ts";

test("the owner of a database who is no superuser can migrate it, extensions and all", async () => {
  const admin = await createTestDatabase();
  const name = `ordinary_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const url = new URL(admin.url);
  const client = new pg.Client({ connectionString: admin.url });
  await client.connect();
  try {
    await client.query(`create role ${name} login nosuperuser password '${password}'`);
    await client.query(`create database ${name} owner ${name} template template0`);
    url.username = name;
    url.password = password;
    url.pathname = `/${name}`;
    await migrate(url.href);
    const migrated = new pg.Client({ connectionString: url.href });
    await migrated.connect();
    const { rows } = await migrated.query("select extname from pg_extension order by extname");
    await migrated.end();
    expect(rows.map(({ extname }) => extname)).toEqual(["btree_gin", "pg_trgm", "plpgsql"]);
  } finally {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`drop role if exists ${name}`);
    await client.end();
    await admin.drop();
  }
});
