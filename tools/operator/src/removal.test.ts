import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { authenticateToken, removeAccount, uploadPhoto } from "@cardvault/core";
import {
  exportTables,
  insertAccount,
  insertMember,
  insertPerson,
  listCards,
  listRemovals,
  notExported,
  removalSteps,
} from "@cardvault/db";
import { drawCard, seedDemo } from "@cardvault/demo";
import { newId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, databaseUrlOf } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { createProgram } from "./program.ts";

/** Of no account: the installation's own, and what is known of those that were removed. */
const installation = [
  "account_removal",
  "catalogue_card",
  "catalogue_import",
  "migration",
  "platform_operator",
  "provider_outcome",
  "provider_turn",
  "rate_window",
  "sandbox_record",
];
/** What two shops of the demonstration share, or what counts requests. */
const shared = new Set([
  "public.account_removal",
  "public.catalogue_card",
  "public.catalogue_import",
  "public.provider_outcome",
  "public.provider_turn",
  "public.rate_window",
]);

const face = {
  title: "Hollow Stag",
  setName: "Hollow Wood",
  number: "1/9",
  kind: "creatures",
  hues: [120, 40],
  foil: false,
} as const;

let database: TestDatabase;
let folder: string;
let picture: Buffer;
let connection: Connection;
let environment: Record<string, string>;

beforeAll(async () => {
  picture = await drawCard({ ...face, seed: 1 });
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "cardvault-operator-"));
  environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PUBLIC_URL: "https://vault.example.com",
    VAULT_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    JOB_STORE: "postgres",
  };
  connection = await connect(environment);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function operator(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const program = createProgram({
    run: (work) => work(connection),
    databaseUrl: () => databaseUrlOf(environment),
    say: (line) => lines.push(line),
    readInput: () => Promise.resolve(""),
  });
  await program.parseAsync(args, { from: "user" });
  return lines;
}

interface Shop {
  id: string;
  name: string;
  token: string;
  secret: string;
}

/** A shop of the demonstration with a past of weeks, and what that has none of: each table has something. */
async function openShop(): Promise<Shop> {
  const { services } = connection;
  const { token, webhookSecret } = await seedDemo({
    databaseUrl: database.url,
    encryptionKeys: environment["VAULT_ENCRYPTION_KEYS"] ?? "",
    receiverUrl: "http://127.0.0.1:4000/",
    photoFolder: join(folder, "photos"),
  });
  const { accountId: id } = await authenticateToken(services, `Bearer ${token}`, new Date());
  const [row] = await services.db.query<{ name: string }>(
    "select name from account where id = $1",
    [toUuid(id)],
  );
  const contentHash = createHash("sha256").update(picture).digest();
  const file = { bytes: picture, contentHash, byteSize: picture.length };
  await uploadPhoto(services, { accountId: id }, { name: "front.webp" }, file);
  await services.db.query(
    `update webhook_delivery set status = 'pending', finished_at = null, drop_reason = null,
       enqueued_at = null, dismissed_at = null, next_attempt_at = now() + interval '6 hours'
     where account_id = $1 and id in (select id from webhook_delivery where account_id = $1 limit 3)`,
    [toUuid(id)],
  );
  await connection.enqueueOverdue();
  return { id, name: row?.name ?? "", token, secret: webhookSecret };
}

/** Every row of every table, as text. */
async function everything(): Promise<Map<string, string[]>> {
  const { db } = connection.services;
  const tables = await db.query<{ name: string }>(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'auth', 'agenda') order by 1`,
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) {
    if (shared.has(name)) continue;
    const found = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    rows.set(name, found.map(({ row }) => row).toSorted());
  }
  return rows;
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

test("every table is either an account's, exported or left out for a reason, or the installation's", async () => {
  const { db } = connection.services;
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const told = [...exportTables.flatMap(({ of }) => of), ...Object.keys(notExported)];
  expect([...told, ...installation].toSorted()).toEqual(tables.map(({ name }) => name));
  // What belongs to an account goes with it, whatever a removal forgets.
  const loose = await db.query(
    `select table_name from information_schema.columns c where column_name = 'account_id'
       and table_schema = 'public' and not exists (
         select 1 from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
         where k.contype = 'f' and k.confrelid = 'account'::regclass and k.confdeltype = 'c'
           and k.conrelid = c.table_name::regclass and a.attname = 'account_id')`,
  );
  expect(loose).toEqual([]);
});

describe("an account among others", { timeout: 120_000 }, () => {
  let other: Shop;
  let shop: Shop;
  let before: Map<string, string[]>;
  let otherFiles: string[];

  beforeAll(async () => {
    other = await openShop();
    const { db } = connection.services;
    // Belongs to both: stays.
    const both = { userId: "person-of-both", name: "Both", email: "both@example.com" };
    await insertPerson(db, { ...both, passwordHash: "-", createdAt: new Date() });
    await insertMember(db, other.id, {
      userId: both.userId,
      role: "member",
      createdAt: new Date(),
    });
    before = await everything();
    otherFiles = await filesOf(join(folder, "photos"));
    shop = await openShop();
    await insertMember(db, shop.id, { userId: both.userId, role: "owner", createdAt: new Date() });
    const [owner] = await db.query<{ email: string; id: string }>(
      `select u.email, u.id from member m join auth."user" u on u.id = m.user_id
       where m.account_id = $1 and u.id <> 'person-of-both' limit 1`,
      [toUuid(shop.id)],
    );
    await operator("person", "reset", owner?.email ?? "");
    await db.query(
      `insert into auth."session" (id, "expiresAt", token, "updatedAt", "userId")
       values ('s', now() + interval '1 day', $2, now(), $1)`,
      [owner?.id, randomBytes(16).toString("hex")],
    );
    await db.query(
      `insert into idempotency_record (account_id, method, path, key, request_hash, owner, deadline_at, created_at)
       values ($1, 'POST', '/cards', 'k', '\\x00', uuidv7(), now(), now())`,
      [toUuid(shop.id)],
    );
  }, 120_000);

  test("is written into a folder with everything but its secrets, whole or not at all", async () => {
    const { db } = connection.services;
    const to = join(folder, "export");
    await mkdir(`${to}.partial`);
    await writeFile(join(`${to}.partial`, "cards.ndjson"), "of one that was interrupted");
    const lines = await operator("account", "export", shop.id, "--to", to);
    expect(lines.at(-1)).toBe(`exported  ${shop.id}  ${to}`);
    await expect(operator("account", "export", shop.id, "--to", to)).rejects.toThrow("already");
    await expect(stat(`${to}.partial`)).rejects.toThrow("ENOENT");

    // Everything, as the database counts it.
    const read = async (name: string): Promise<Record<string, unknown>[]> => {
      const text = await readFile(join(to, `${name}.ndjson`), "utf8");
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    for (const table of exportTables) {
      const [main = ""] = table.of;
      const scoped = await db.query<{ rows: number }>(
        main === "account"
          ? "select 1 as rows"
          : `select count(*) as rows from ${main} t where ${
              {
                job_item: "job_id in (select id from job where account_id = $1)",
                card_import_row: "import_id in (select id from card_import where account_id = $1)",
                photo_import_file:
                  "import_id in (select id from photo_import where account_id = $1)",
              }[main] ?? "account_id = $1"
            }`,
        main === "account" ? [] : [toUuid(shop.id)],
      );
      expect([table.name, (await read(table.name)).length]).toEqual([table.name, scoped[0]?.rows]);
    }
    const [first] = (await listCards(db, shop.id, { limit: 1, sort: "created_at" }, () => "")).data;
    const exported = (await read("cards")).find(({ id }) => id === first?.id);
    expect({ ...exported, photos: [] }).toEqual({ ...first, photos: [] });
    expect((await read("events"))[0]).toMatchObject({ body: { data: {} } });
    expect((await read("account"))[0]).toMatchObject({ id: shop.id, currency: "USD" });

    // Its sums are those of what is there.
    const sums = (await readFile(join(to, "SHA256SUMS"), "utf8")).trimEnd().split("\n");
    const files = (await filesOf(to)).filter((file) => !file.endsWith("SHA256SUMS"));
    expect(sums).toHaveLength(files.length);
    for (const line of sums) {
      const [sum, name = ""] = line.split("  ");
      const bytes = await readFile(join(to, name));
      expect([name, createHash("sha256").update(bytes).digest("hex")]).toEqual([name, sum]);
    }
    const manifest = JSON.parse(await readFile(join(to, "manifest.json"), "utf8")) as {
      pictures: object;
    };
    expect(manifest.pictures).toMatchObject({ missing: [] });
    const sum = createHash("sha256").update(picture).digest("hex");
    expect(await readFile(join(to, "pictures", sum.slice(0, 2), `${sum}.webp`))).toEqual(picture);

    // No secret, in no form.
    const [stored] = await db.query<Record<string, string>>(
      `select encode(k.token_hash, 'hex') as hash, encode(k.token_hash, 'base64') as hash64, e.secret as sealed,
         encode(i.token_hash, 'hex') as invitation from api_key k
       join webhook_endpoint e on e.account_id = k.account_id join invitation i on i.account_id = k.account_id
       where k.account_id = $1 limit 1`,
      [toUuid(shop.id)],
    );
    const everySecret = [shop.token, shop.secret, ...Object.values(stored ?? {})];
    for (const file of files) {
      const text = await readFile(file, "latin1");
      const found = [...everySecret, other.id].filter((secret) => text.includes(secret));
      expect([file, found]).toEqual([file, []]);
    }
  });

  test("is removed whole, however often that is interrupted, and nobody else's data change", async () => {
    const { services, forgetLostJobs } = connection;
    await expect(
      operator("account", "remove", shop.id, "--name", "Another Shop"),
    ).rejects.toMatchObject({ code: "validation_failed" });
    expect(await listRemovals(services.db, 10)).toEqual([]);
    expect((await authenticateToken(services, `Bearer ${shop.token}`, new Date())).accountId).toBe(
      shop.id,
    );

    // A process that is killed while it is at it: it cannot get past the trail before.
    await services.db.transaction(async (tx) => {
      await tx.query("set local idle_in_transaction_session_timeout = 0");
      const held = await tx.query("select 1 from trail_entry where account_id = $1 for update", [
        toUuid(shop.id),
      ]);
      expect(held.length).toBeGreaterThan(0);
      const main = join(import.meta.dirname, "main.ts");
      const args = [main, "account", "remove", shop.id, "--name", shop.name];
      const killed = spawn(process.execPath, args, {
        env: { PATH: process.env["PATH"] ?? "", ...environment },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise<void>((resolve) => killed.once("close", () => resolve()));
      killed.stdout.once("data", () => killed.kill("SIGKILL"));
      await ended;
    });
    expect(await operator("account", "removals")).toEqual([
      expect.stringMatching(`^unfinished  ${shop.id}  test`),
    ]);
    await expect(operator("account", "restore", shop.id)).rejects.toThrow("being removed");

    // Then one that dies after each commit of it, and once after each of what leaves no rows.
    const diedAfter = new Set<string>();
    for (let isOver = false; !isOver;) {
      const removal = removeAccount(services, shop.id, {
        name: shop.name,
        listingsStay: false,
        removedBy: "robin",
        forgetJobs: forgetLostJobs,
        onProgress: ({ step }) => {
          if (diedAfter.has(step) && !removalSteps.includes(step)) return;
          diedAfter.add(step);
          throw new Error("killed");
        },
      });
      isOver = await removal.then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ message: "killed" });
          return diedAfter.has("pictures");
        },
      );
    }
    expect([...diedAfter].slice(-3)).toEqual(["account", "queue", "pictures"]);
    const lines = await operator("account", "remove", shop.id, "--name", shop.name);
    expect(lines.at(-1)).toMatch(`removed  ${shop.id}  test`);

    const after = await everything();
    for (const [table, rows] of after) expect([table, rows]).toEqual([table, before.get(table)]);
    expect(await filesOf(join(folder, "photos"))).toEqual(otherFiles);
    const [tombstone] = await listRemovals(services.db, 10);
    expect(tombstone).toMatchObject({ accountId: shop.id, counts: { people: 2 } });
    expect(tombstone?.counts["card"]).toBeGreaterThan(300);
    expect(JSON.stringify(tombstone)).not.toContain(shop.name);
    await expect(
      authenticateToken(services, `Bearer ${shop.token}`, new Date()),
    ).rejects.toMatchObject({ code: "invalid_token" });
    await expect(operator("account", "remove", shop.id, "--name", shop.name)).rejects.toMatchObject(
      { code: "conflict" },
    );
    expect((await authenticateToken(services, `Bearer ${other.token}`, new Date())).accountId).toBe(
      other.id,
    );
  });
});

test("a live account goes with the test account beside it, and not before its listings are seen to", async () => {
  const { services } = connection;
  const { db } = services;
  const [made = ""] = await operator(
    "account",
    "create",
    "Both Sides",
    "--email",
    "sides@example.com",
    "--person",
    "Sam",
  );
  const id = made.split(/ +/)[1] ?? "";
  const testId = newId("acc");
  await insertAccount(db, {
    id: testId,
    name: "Both Sides (test)",
    environment: "test",
    currency: "USD",
    liveAccountId: id,
    createdAt: new Date(),
  });
  const cardId = newId("card");
  await db.query(
    `insert into card (id, account_id, status, workflow_status, title, created_at, updated_at)
     values ($1, $2, 'identified', 'identified', 'Hollow Stag', now(), now())`,
    [toUuid(cardId), toUuid(id)],
  );
  await db.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
     values (uuidv7(), $1, $2, 'ebay', 'live', 'Hollow Stag', 100, 1, now(), now())`,
    [toUuid(id), toUuid(cardId)],
  );
  await db.query(
    "update card set listing_id = (select id from listing where card_id = $1) where id = $1",
    [toUuid(cardId)],
  );
  const remove = ["account", "remove", id, "--name", "Both Sides"];
  await expect(operator(...remove)).rejects.toThrow("1 listing is publishing or live");
  const lines = await operator(...remove, "--listings-stay");
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(`^removed  ${testId}  test`),
    expect.stringMatching(`^removed  ${id}  live .* 1 cards  1 people$`),
  ]);
  const left = await db.query("select 1 from account where id = any ($1::uuid[])", [
    [toUuid(id), toUuid(testId)],
  ]);
  expect(left).toEqual([]);
});

test("help and mistakes are told in a sentence", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const run = promisify(execFile)(
    process.execPath,
    [main, "account", "remove", newId("acc"), "--name", "x"],
    { env: { PATH: process.env["PATH"] ?? "", ...environment } },
  );
  await expect(run).rejects.toMatchObject({ stderr: "There is no account with this id.\n" });
});
