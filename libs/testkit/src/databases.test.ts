import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "./databases.ts";

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

test("each test has a database of its own, however many are made at once", async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
  const [first, second] = databases;
  if (first === undefined || second === undefined) throw new Error("four databases were asked for");
  await query(first.url, "create table only_here (x int)");
  expect(await query(second.url, "select to_regclass('only_here')")).toEqual([
    { to_regclass: null },
  ]);
  expect(new Set(databases.map((database) => database.url)).size).toBe(4);
  await Promise.all(databases.map((database) => database.drop()));
});

test("drop closes connections that are still open, and the database is gone", async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  pool.on("error", () => undefined);
  await pool.query("select 1");
  await database.drop();
  await expect(query(database.url, "select 1")).rejects.toThrow(/does not exist/u);
  await pool.end();
});
