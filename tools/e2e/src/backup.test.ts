import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Card } from "@cardvault/contract";
import { seedDemo } from "@cardvault/demo";
import { createJobs } from "@cardvault/jobs";
import { createLogger, systemClock } from "@cardvault/kit";
import { startPostgres, withDatabase } from "@cardvault/postgres";
import { startReceiver, waitFor } from "@cardvault/testkit";
import pg from "pg";
import { expect, test } from "vitest";
import { findPostgresTools } from "./postgres-tools.ts";
import { root } from "./program.ts";
import { subjectOf, verified } from "./received.ts";
import { openStack } from "./stack.ts";
import type { Stack, TestEnd } from "./stack.ts";

const tools = await findPostgresTools();
if (tools === undefined) {
  process.stderr.write(
    "NOT TESTED: backup and restore (no pg_dump of PostgreSQL 18 or later runs here)\n",
  );
}

/** The commands of the README's section, from its first fence to the last. */
async function readmeCommands(): Promise<string[]> {
  const text = await readFile(join(root, "tools/deploy/README.md"), "utf8");
  const section = text.split("\n## Backup and restore\n")[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/```sh\n([^]*?)```/gu)].map((fence) => fence[1] ?? "");
}

/** In the repository, as its reader does, with files of the test's own. */
async function shell(script: string, ownerUrl: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "bash",
    [
      "-euo",
      "pipefail",
      "-c",
      script
        .replaceAll("vault.dump", join(folder, "vault.dump"))
        .replaceAll("secrets/service-password", join(folder, "service-password")),
    ],
    {
      cwd: root,
      env: { ...process.env, PATH: `${tools}:${process.env["PATH"]}`, OWNER_URL: ownerUrl },
    },
  );
  return stdout;
}

/** How many rows each table has, and the sum of their text. */
async function contentsOf(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema in ('public', 'auth', 'agenda') order by 1`,
    );
    const contents: unknown[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ count: string; sum: string | null }>(
        `select count(*), md5(string_agg(md5(t::text), '' order by t::text collate "C")) as sum from ${name} t`,
      );
      contents.push([name, rows[0]?.count, rows[0]?.sum]);
    }
    return contents;
  } finally {
    await client.end();
  }
}

/** Tables, constraints, indexes, functions and triggers, without what each dump says of itself. */
async function schemaOf(url: string): Promise<string> {
  const dump = ["--schema-only", "--no-owner", "--no-privileges", url];
  const { stdout } = await promisify(execFile)(join(tools ?? "", "pg_dump"), dump, {
    maxBuffer: 64 * 1024 * 1024,
  });
  // PostgreSQL writes a list of varchar otherwise than it reads it, once.
  const restrictions = /^\\(?:un)?restrict .*$/gmu;
  const casts = /::(?:character varying|text)(?:\[\])?/gu;
  return stdout
    .replaceAll(restrictions, "")
    .replaceAll(/^.*agenda_jobs_type_check.*$/gmu, (line) =>
      line.replaceAll(casts, "").replaceAll(/[()]/gu, ""),
    );
}

/** Another server, as after the first one was lost, with an owner who is no superuser. */
async function openServer(end: TestEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-test-"));
  await writeFile(join(folder, "owner.pid"), String(process.pid));
  end.onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = await startPostgres({
    dataDir: join(folder, "postgres"),
    settings: { fsync: "off", max_connections: "60" },
  });
  end.onTestFinished(() => server.stop());
  const password = randomBytes(12).toString("hex");
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create role vault_owner login createrole password '${password}'`);
  await client.query("create database vault owner vault_owner");
  await client.end();
  const url = new URL(withDatabase(server.url, "vault"));
  url.username = "vault_owner";
  url.password = password;
  return url.href;
}

interface List {
  data: Card[];
  next_cursor: string | null;
  next_updated_since?: string;
}

/** REST with a token that an account of the first installation was given. */
function callerOf(stack: Stack, token: string) {
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(`${stack.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Body;
  };
}

/** All changes since a moment, and the moment to go on from. */
async function pollFrom(
  call: ReturnType<typeof callerOf>,
  since: string,
): Promise<{ cards: Card[]; next: string }> {
  const cards: Card[] = [];
  for (let cursor = ""; ;) {
    const query = `updated_since=${encodeURIComponent(since)}&limit=200${cursor}`;
    const page = await call<List>("GET", `/cards?${query}`);
    cards.push(...page.data);
    if (page.next_cursor === null) return { cards, next: page.next_updated_since ?? "" };
    cursor = `&cursor=${page.next_cursor}`;
  }
}

test.skipIf(tools === undefined)(
  "the README's commands bring an installation back on another server, and it goes on where it was",
  { timeout: 180_000 },
  async (end) => {
    const folder = await mkdtemp(join(tmpdir(), "cardvault-backup-"));
    end.onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const receiver = await startReceiver();
    end.onTestFinished(() => receiver.stop());

    // A shop with a past, a poller, and events that nobody has delivered yet.
    const source = await openStack(end, { store: "postgres" });
    const keys = source.environment["VAULT_ENCRYPTION_KEYS"] ?? "";
    const { token, webhookSecret, cardId } = await seedDemo({
      databaseUrl: source.databaseUrl,
      encryptionKeys: keys,
      receiverUrl: receiver.url,
      photoFolder: join(folder, "photos"),
    });
    source.secrets.add(token).add(webhookSecret);
    await source.api.start();
    const before = callerOf(source, token);
    const asking_price = { amount: 4_200, currency: "USD" };
    const priced = await before<Card>("PATCH", `/cards/${cardId}`, { asking_price });
    const { cards, next } = await pollFrom(before, "2020-01-01T00:00:00Z");
    await source.api.stop();
    const jobs = createJobs({
      db: source.services.db,
      clock: systemClock,
      logger: createLogger({ name: "e2e", level: "silent" }),
      store: { kind: "postgres", url: source.databaseUrl },
    });
    expect(await jobs.relayOnce()).toBeGreaterThan(1);
    await jobs.stop();

    const [backUp = "", restore = ""] = await readmeCommands();
    await shell(backUp, source.databaseUrl, folder);
    const ownerUrl = await openServer(end);
    const password = randomBytes(12).toString("hex");
    await writeFile(join(folder, "service-password"), password);
    const said = await shell(restore, ownerUrl, folder);
    expect(said).toContain("The database is up to date.");
    expect(said).toContain("Made the role vault_service");
    expect(await contentsOf(ownerUrl)).toEqual(await contentsOf(source.databaseUrl));
    expect(await schemaOf(ownerUrl)).toBe(await schemaOf(source.databaseUrl));
    // Again, over what is there.
    expect(await shell(restore, ownerUrl, folder)).toContain("Found the role vault_service");
    expect(await contentsOf(ownerUrl)).toEqual(await contentsOf(source.databaseUrl));

    // The queue is not part of a backup where it is MongoDB's.
    const restored = await openStack(end, {
      store: "postgres",
      kind: "short",
      database: { url: ownerUrl, key: Buffer.from(keys.split(":")[1] ?? "", "base64") },
      serviceRole: (url) => {
        const service = Object.assign(new URL(url), { username: "vault_service", password });
        return Promise.resolve(service.href);
      },
    });
    await restored.services.db.query("delete from agenda.agenda_jobs");
    await Promise.all([restored.api.start(), restored.worker.start()]);
    const call = callerOf(restored, token);

    // The key works, and the card is as it was.
    const { photos: _, ...same } = priced;
    expect(await call("GET", `/cards/${cardId}`)).toMatchObject(same);
    // The sealed secret opens: what waited is delivered, and signed with it.
    await waitFor(async () => {
      const [row] = await restored.services.db.query<{ open: number }>(
        "select count(*) as open from webhook_delivery where status in ('pending', 'retrying')",
      );
      return row?.open === 0;
    });
    const events = verified(receiver.requests, webhookSecret);
    expect(events.filter((event) => subjectOf(event) === cardId).map(({ event }) => event)).toEqual(
      expect.arrayContaining(["card.priced", "card.workflow_status_changed"]),
    );
    // Work that a worker had been given is done.
    await waitFor(async () => {
      const [row] = await restored.services.db.query<{ open: number }>(
        "select count(*) as open from job where finished_at is null",
      );
      return row?.open === 0;
    });

    // The poller goes on, and misses nothing.
    const other = cards.find(({ id, status }) => id !== cardId && status === "identified");
    const changed = await call<Card>("PATCH", `/cards/${other?.id}`, { notes: "After it all" });
    expect(changed.updated_at > next).toBe(true);
    const polled = await pollFrom(call, next);
    expect(polled.cards.at(-1)).toMatchObject({ id: other?.id, version: changed.version });
    expect(polled.cards.map(({ id }) => id)).toContain(cardId);
  },
);
