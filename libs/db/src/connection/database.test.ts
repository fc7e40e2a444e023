import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { VaultError } from "@cardvault/contract";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { countListening, migrate, openDatabase } from "../index.ts";
import type { Database } from "../index.ts";

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 3 });
  await db.query("create table note (id int primary key, text text)");
});

afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

describe("migrate", () => {
  test("is idempotent, and safe when several processes start together", async () => {
    const name = new URL(testDatabase.url).pathname.slice(1);
    await db.query(`create database ${name}_fresh template template0`);
    const url = testDatabase.url.replace(name, `${name}_fresh`);
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    await migrate(url);
    const fresh = await openDatabase({ url });
    const rows = await fresh.query<{ name: string }>("select name from migration order by id");
    expect(rows.map((row) => row.name)).toContain("0001-tables");
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
    const schemas = await fresh.query(
      "select nspname from pg_namespace where nspname in ('auth', 'agenda')",
    );
    expect(schemas).toHaveLength(2);
    await fresh.close();
    await db.query(`drop database ${name}_fresh`);
  });
});

describe("query", () => {
  test("reads values in their own forms, prepared or not", async () => {
    const text =
      "select $1::timestamptz as at, 9007199254740991::int8 as big, 1.25::numeric as part, " +
      "'2026-03-01'::date as day, array[1, 2]::int8[] as bigs, '{\"a\":[1]}'::jsonb as doc";
    const at = new Date("2026-03-01T09:30:00.123Z");
    const expected = [
      { at, big: 9007199254740991, part: 1.25, day: "2026-03-01", bigs: [1, 2], doc: { a: [1] } },
    ];
    expect(await db.query(text, [at])).toEqual(expected);
    expect(await db.query(text, [at], "forms")).toEqual(expected);
    expect(await db.query(text, [at], "forms")).toEqual(expected);
  });

  test("answers errors of the closed table", async () => {
    await db.query("insert into note values (0, 'taken') on conflict do nothing");
    const duplicate = db.query("insert into note values (0, 'again')");
    await expect(duplicate).rejects.toMatchObject({ code: "conflict" });
    await expect(db.query("select nonsense")).rejects.toMatchObject({ code: "internal_error" });
    const elsewhere = await openDatabase({ url: "postgres://nobody@127.0.0.1:1/none" });
    await expect(elsewhere.query("select 1")).rejects.toMatchObject({
      code: "service_unavailable",
      retryAfterSeconds: 1,
    });
    await expect(elsewhere.transaction(async () => 1)).rejects.toBeInstanceOf(VaultError);
    await elsewhere.close();
  });
});

describe("transaction", () => {
  test("commits as one, and calls what waits for the commit after it", async () => {
    const seen: unknown[] = [];
    const answer = await db.transaction(async (tx) => {
      await tx.query("insert into note values (1, 'kept')");
      tx.afterCommit(() => seen.push("committed"));
      seen.push("working");
      return 7;
    });
    expect(answer).toBe(7);
    expect(seen).toEqual(["working", "committed"]);
    expect(await db.query("select text from note where id = 1")).toEqual([{ text: "kept" }]);
  });

  test("a failure leaves nothing, and the connection is used again", async () => {
    for (let round = 0; round < 5; round += 1) {
      const failing = db.transaction(async (tx) => {
        tx.afterCommit(() => expect.unreachable());
        await tx.query("insert into note values (2, 'lost')");
        throw new VaultError("conflict");
      });
      await expect(failing).rejects.toMatchObject({ code: "conflict" });
    }
    expect(await db.query("select 1 from note where id = 2")).toEqual([]);
  });

  test("a connection that the server closes fails its work and not the process", async () => {
    const failing = db.transaction(async (tx) => {
      await tx.query("select pg_terminate_backend(pg_backend_pid())");
    });
    await expect(failing).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await db.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
  });
});

describe("listen and notify", () => {
  test("tells how many processes of a name listen", async () => {
    const options = { url: testDatabase.url, applicationName: "one-of-several" };
    const both = await Promise.all([openDatabase(options), openDatabase(options)]);
    expect(await countListening(db, "one-of-several")).toBe(0);
    for (const process of both) await process.listen("a", () => undefined);
    await both[0].listen("b", () => undefined);
    expect(await countListening(db, "one-of-several")).toBe(2);
    await Promise.all(both.map((process) => process.close()));
    await expect.poll(() => countListening(db, "one-of-several")).toBe(0);
  });

  test("coalesces what is the same, and hears again after the connection was lost", async () => {
    const heard: string[] = [];
    const subscription = await db.listen("test_channel", (payload) => heard.push(payload));
    expect(subscription.connected()).toBe(true);
    for (let count = 0; count < 50; count += 1) db.notify("test_channel", "same");
    db.notify("test_channel", "other");
    await vi.waitFor(() => expect(heard).toEqual(["same", "other"]));

    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity " +
        "where application_name = 'cardvault-listen' and datname = current_database()",
    );
    await client.end();
    await vi.waitFor(() => expect(subscription.connected()).toBe(false));
    await vi.waitFor(() => expect(subscription.connected()).toBe(true), { timeout: 5_000 });
    db.notify("test_channel", "after");
    await vi.waitFor(() => expect(heard.at(-1)).toBe("after"));
    await subscription.close();
    db.notify("test_channel", "unheard");
    const other = await db.listen("test_end", (payload) => heard.push(payload));
    db.notify("test_end", "end");
    await vi.waitFor(() => expect(heard.at(-1)).toBe("end"));
    expect(heard).not.toContain("unheard");
    await other.close();
  });

  test("closing waits for a transaction that is running", async () => {
    const other = await openDatabase({ url: testDatabase.url });
    const work = other.transaction(async (tx) => {
      await tx.query("select pg_sleep(0.1)");
      await tx.query("insert into note values (3, 'drained')");
    });
    await vi.waitFor(async () => {
      const rows = await db.query(
        "select 1 from pg_stat_activity where query like '%pg_sleep(0.1)%' and state = 'active' and pid <> pg_backend_pid()",
      );
      expect(rows).toHaveLength(1);
    });
    await other.close();
    await work;
    expect(await db.query("select 1 from note where id = 3")).toHaveLength(1);
  });
});
