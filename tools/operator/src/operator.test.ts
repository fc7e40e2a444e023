import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { tokenPattern } from "@cardvault/contract";
import { authenticateToken } from "@cardvault/core";
import {
  bySystem,
  changeAccount,
  enqueueJob,
  isOperator,
  listEndpoints,
  listMembers,
  listProviderCaps,
  listTrail,
  readJob,
} from "@cardvault/db";
import { forCause, forRequest, newId, toUuid } from "@cardvault/kit";
import { createTestDatabase } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { CommanderError } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, databaseUrlOf } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { createProgram } from "./program.ts";

let database: TestDatabase;
let connection: Connection;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "cardvault-operator-"));
  environment = {
    DATABASE_URL: database.url,
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

/** The lines that a command writes. */
async function operator(args: string[], input = ""): Promise<string[]> {
  const lines: string[] = [];
  const program = createProgram({
    run: (work) => work(connection),
    databaseUrl: () => databaseUrlOf(environment),
    say: (line) => lines.push(line),
    readInput: () => Promise.resolve(input),
  });
  const quiet = { writeErr: () => undefined };
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap((c) => c.commands),
  ]) {
    command.exitOverride().configureOutput(quiet);
  }
  await program.parseAsync(args, { from: "user" });
  return lines;
}

let serial = 0;
async function account(...more: string[]): Promise<{ id: string; email: string; lines: string[] }> {
  serial += 1;
  const email = `owner-${serial}@example.com`;
  const base = ["account", "create", `Cards ${serial}`, "--email", email, "--person", "Robin Vale"];
  const lines = await operator([...base, ...more]);
  return { id: lines[0]?.split(/ +/)[1] ?? "", email, lines };
}

async function trailOf(id: string) {
  const rows = await listTrail(connection.services.db, id, { before: null, limit: 50 });
  return rows.map(({ action, actorKind }) => `${actorKind} ${action}`);
}

describe("account", () => {
  test("create makes the account and its first owner, who sets a password by a one-time link", async () => {
    const { id, email, lines } = await account("--environment", "test", "--currency", "EUR");
    expect(lines[0]).toMatch(/^account {2}acc_\w{26} {2}test {2}EUR {2}Cards \d+$/);
    expect(lines[1]).toContain("https://vault.example.com/auth/reset#token=");
    const members = await listMembers(connection.services.db, id);
    expect(members).toMatchObject([{ email, role: "owner", name: "Robin Vale" }]);
    expect(await trailOf(id)).toEqual(["operator account.created"]);
  });

  test("create with a password from standard input, and a second account for the same person", async () => {
    const args = ["--email", "known@example.com"];
    const first = await operator(
      ["account", "create", "First", ...args, "--person", "Known", "--password-stdin"],
      "correct horse battery\n",
    );
    expect(first).toHaveLength(1);
    expect(await operator(["account", "create", "Second", ...args])).toHaveLength(1);
    expect((await operator(["account", "list"])).join("\n")).toMatch(/Second[^]*First/);
  });

  test("suspend, restore and limits act on the account's tokens", async () => {
    const { id } = await account();
    const token =
      (await operator(["key", "create", id, "--name", "till"]))[1]?.split(/ +/)[1] ?? "";
    const { services } = connection;
    const authenticate = () => authenticateToken(services, `Bearer ${token}`, services.clock.now());
    await operator(["account", "limits", id, "--read", "600", "--write", "200"]);
    expect((await authenticate()).limits).toEqual({ read: 600, write: 200, ai: undefined });
    await operator(["account", "limits", id, "--read", "default"]);
    expect((await authenticate()).limits).toEqual({ read: undefined, write: 200, ai: undefined });
    await operator(["account", "suspend", id, "--reason", "unpaid"]);
    await expect(authenticate()).rejects.toMatchObject({ code: "account_suspended" });
    await operator(["account", "restore", id]);
    expect((await authenticate()).accountId).toBe(id);
    expect(await trailOf(id)).toContain("operator account.suspended");
  });

  test("spending sets an account's own cap at a provider, or takes it back", async () => {
    const { id } = await account();
    const caps = () => listProviderCaps(connection.services.db, id);
    await operator(["account", "spending", id, "--provider", "google", "--cap", "2000000"]);
    await operator(["account", "spending", id, "--provider", "cardsight", "--cap", "none"]);
    expect(Object.fromEntries(await caps())).toEqual({ cardsight: null, google: 2_000_000 });
    await operator(["account", "spending", id, "--provider", "google", "--cap", "default"]);
    expect([...(await caps())]).toEqual([["cardsight", null]]);
    expect(await trailOf(id)).toContain("operator account.provider_cap_set");
  });
});

test("person reset makes a link that stands in the trail; operator sets and takes the flag", async () => {
  const { id, email } = await account();
  const [link] = await operator(["person", "reset", email]);
  expect(link).toMatch(/^https:\/\/vault\.example\.com\/auth\/reset#token=[\w-]{43}$/);
  expect(await trailOf(id)).toContain("operator member.reset_link_made");
  const { db } = connection.services;
  const [owner] = await listMembers(db, id);
  await operator(["person", "operator", email]);
  expect(await isOperator(db, owner?.user_id ?? "")).toBe(true);
  await operator(["person", "operator", email, "--remove"]);
  expect(await isOperator(db, owner?.user_id ?? "")).toBe(false);
});

test("key create shows a token that works, list does not, revoke ends it", async () => {
  const { id } = await account();
  const lines = await operator(["key", "create", id, "--name", "till", "--scopes", "cards:read"]);
  const token = lines[1]?.split(/ +/)[1] ?? "";
  expect(token).toMatch(tokenPattern);
  const { services } = connection;
  const principal = await authenticateToken(services, `Bearer ${token}`, services.clock.now());
  expect(principal.scopes).toEqual(["cards:read"]);
  const listed = await operator(["key", "list", id]);
  expect(listed.join("\n")).toContain(`${principal.keyId}  active`);
  expect(listed.join("\n")).not.toContain(token);
  await operator(["key", "revoke", id, principal.keyId]);
  const again = authenticateToken(services, `Bearer ${token}`, services.clock.now());
  await expect(again).rejects.toMatchObject({ code: "revoked_token" });
});

test("endpoint create registers a receiver; a dropped event is listed and redelivered", async () => {
  const { id } = await account();
  const { db, clock, secretBox } = connection.services;
  const url = "https://hooks.example.com/vault";
  const lines = await operator(["endpoint", "create", id, url, "--events", "batch.completed"]);
  const [endpoint] = await listEndpoints(db, id);
  const secret = lines[1]?.split(/ +/)[1];
  expect(secretBox.open(endpoint?.sealedSecret ?? "", endpoint?.id ?? "")).toBe(secret);
  expect(endpoint?.events).toEqual(["batch.completed"]);

  await changeAccount(db, { accountId: id, clock, by: bySystem }, async (unit) => {
    const data = {
      batch_id: "batch_01kjn2z6g0fgz9pqafd9r83gq3",
      name: "Harbour",
      card_count: 0,
      completed_at: unit.stamp.toISOString(),
    };
    unit.emit({ type: "batch.completed", data });
    await Promise.resolve();
  });
  await db.query(
    `update webhook_delivery set status = 'dropped', drop_reason = 'attempts_exhausted',
       next_attempt_at = null, finished_at = now()`,
  );
  const [dropped = ""] = await operator(["events", "dropped", id]);
  expect(dropped).toMatch(/attempts_exhausted$/);
  const [, eventId = "", endpointId = ""] = dropped.split(/ +/);
  const [made] = await operator(["events", "redeliver", id, eventId, endpointId]);
  expect(made).toContain("generation 2");
  expect(await operator(["events", "dropped", id])).toEqual([]);
  // The new generation is due and nobody has relayed it yet.
  expect(await operator(["events", "enqueue-overdue"])).toEqual(["put back  1"]);
});

test("request show leads from a request's id to the attempts of its events and of its jobs'", async () => {
  const { id } = await account();
  const { db, clock } = connection.services;
  await operator(["endpoint", "create", id, "https://hooks.example.com/vault"]);
  const requestId = newId("req");
  expect((await operator(["request", "show", requestId])).at(-1)).toMatch(/no job and no event/);
  const emit = () =>
    changeAccount(db, { accountId: id, clock, by: bySystem }, async (unit) => {
      const asking_price = { amount: 1250, currency: "USD" };
      unit.emit({ type: "card.priced", data: { card_id: newId("card"), asking_price } });
      await Promise.resolve();
    });
  const jobRow = { kind: "test", accountId: id, payload: {} };
  const jobId = await forRequest(requestId, null, async () => {
    await emit();
    return db.transaction((tx) => enqueueJob(tx, jobRow, clock.now()));
  });
  await emit();
  const { cause } = (await readJob(db, jobId)) ?? {};
  if (cause === undefined) throw new Error("The job is there");
  await forCause(cause, "job", {}, emit);
  await db.query(
    `insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, total_ms, event_type)
     select uuidv7(), account_id, id, endpoint_id, 1, $1, 503, 12, 'card.priced' from webhook_delivery
     where account_id = $2 order by id limit 1`,
    ["2026-03-01T09:30:00.000Z", toUuid(id, "acc")],
  );
  const lines = await operator(["request", "show", requestId]);
  expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual([
    "request",
    "job",
    "event",
    "delivery",
    "attempt",
    "event",
    "delivery",
  ]);
  expect(lines[1]).toBe(`job  ${jobId}  test  queued`);
  expect(lines[4]).toBe("    attempt 1  2026-03-01T09:30:00.000Z  503");
  await expect(operator(["request", "show", "req_1"])).rejects.toThrow("looks like req_");
});

test("endpoints are listed with how they fare, disabled, enabled and recovered", async () => {
  const { id } = await account();
  const { services } = connection;
  const url = "https://hooks.example.com/vault";
  await operator(["endpoint", "create", id, url]);
  const [endpoint] = await listEndpoints(services.db, id);
  const endpointId = endpoint?.id ?? "";
  const line = (state: string) => `${endpointId}  ${state}  undelivered 0  dropped 0  ${url}`;
  expect(await operator(["endpoint", "list", id])).toEqual([line("idle")]);
  expect(await operator(["endpoint", "disable", id, endpointId])).toEqual([
    `disabled  ${endpointId}  ${url}`,
  ]);
  expect(await operator(["endpoint", "list", id])).toEqual([line("disabled")]);
  const recover = ["endpoint", "recover", id, endpointId, "--since"];
  await expect(operator([...recover, "2026-03-01T09:30:00Z"])).rejects.toThrow("disabled");
  await operator(["endpoint", "enable", id, endpointId]);
  const [made = ""] = await operator([...recover, "2026-03-01T09:30:00Z"]);
  const [, jobId = ""] = made.split(/ +/);
  expect(await operator(["job", "show", jobId])).toEqual([`${jobId}  webhook.recover  queued  {}`]);
  expect((await operator(["endpoint", "list", id]))[0]).toContain(`recovering ${jobId}`);
  expect(await trailOf(id)).toContain("operator endpoint.recovery_started");
});

test.each([
  [["account", "suspend", "acc_01kjn2z6g0fgz9pqafd9r83gq3", "--reason", "x"], "no account"],
  [["person", "reset", "nobody@example.com"], "Nobody has this address"],
  [["job", "show", "job_01kjn2z6g0fgz9pqafd9r83gq3"], "no job"],
  [["account", "create", "X", "--email", "new@example.com"], "--person"],
])("a mistake is said in one sentence: %j", async (args, sentence) => {
  await expect(operator(args)).rejects.toThrow(sentence);
});

test.each([
  [["account", "create", "X", "--email", "x@example.com", "--currency", "EURO"]],
  [["account", "limits", "acc_x", "--read", "0"]],
  [["account", "spending", "acc_x", "--provider", "google", "--cap", "-1"]],
  [["account", "spending", "acc_x", "--provider", "nobody", "--cap", "1"]],
  [["key", "create", "acc_x", "--name", "k", "--scopes", "everything"]],
  [["endpoint", "recover", "acc_x", "whe_x", "--since", "yesterday"]],
  [["endpoint", "recover", "acc_x", "whe_x"]],
  [["nonsense"]],
])("wrong arguments are refused before anything is opened: %j", async (args) => {
  await expect(operator(args)).rejects.toBeInstanceOf(CommanderError);
});

const groups = ["account", "person", "key", "endpoint", "job", "events"];
test.each([[], ...groups.map((group) => [group])])("help for %j", async (...path) => {
  await expect(operator([...path, "--help"])).rejects.toMatchObject({ exitCode: 0 });
});

describe("the program", () => {
  const main = join(import.meta.dirname, "main.ts");
  const run = (args: string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [main, ...args], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });

  test("works on the database of DATABASE_URL", async () => {
    const { id } = await account();
    expect((await run(["account", "list"], environment)).stdout).toContain(id);
  });

  test("works on the local start that runs on the data folder", async () => {
    const { id } = await account();
    await writeFile(join(folder, "running.json"), JSON.stringify(environment));
    expect((await run(["account", "list"], { DATA_DIR: folder })).stdout).toContain(id);
  });

  test("says in one sentence what is missing, and ends with 1", async () => {
    const nowhere = { DATA_DIR: join(folder, "nothing-here") };
    await expect(run(["account", "list"], nowhere)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing runs on .*npm start.*\n$/),
    });
    const { PUBLIC_URL: _, ...without } = environment;
    await expect(run(["account", "list"], without)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("PUBLIC_URL is required"),
    });
  });
});

describe("the database", () => {
  test("is migrated, and a role is made that reads and writes rows", async () => {
    expect(await operator(["database", "migrate"])).toEqual(["The database is up to date."]);
    const role = `service_${process.pid}_${Date.now()}`;
    expect(await operator(["database", "grant", role, "--password-stdin"], "pass word\n")).toEqual([
      `Made the role ${role}; it reads and writes rows.`,
    ]);
    expect(await operator(["database", "grant", role])).toEqual([
      `Found the role ${role}; it reads and writes rows.`,
    ]);
    const url = new URL(database.url);
    Object.assign(url, { username: role, password: "pass word" });
    const theirs = await connect({ ...environment, DATABASE_URL: url.href });
    expect(await theirs.services.db.query("select 1 as one")).toEqual([{ one: 1 }]);
    await theirs.close();
  });

  test("grants nothing to a role that is not there", async () => {
    await expect(operator(["database", "grant", "nobody_here"])).rejects.toThrow(
      "There is no role nobody_here; give it a password and it is made.",
    );
  });
});
