import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createTestDatabase, freePort, waitFor } from "@cardvault/testkit";
import type { BrowserContext } from "playwright-core";
import { buildPages } from "./build-pages.ts";

const root = resolve(import.meta.dirname, "../../..");
const stopDeadlineMs = 8_000;
const readyDeadlineMs = 30_000;

export interface Person {
  email: string;
  password: string;
  accountId: string;
}

/** The service as `npm start` runs it: api and worker in processes of their own, and the built pages. */
export interface House {
  url: string;
  /** A test account with its owner, made by the operator's command line. */
  makeOwner(name: string, environment?: "live" | "test"): Promise<Person>;
  /** The one-time link that the operator gives to somebody who forgot the password. */
  makeResetLink(email: string): Promise<string>;
  /** A call of a procedure as a page makes it, with the session of the browser. */
  mutate<Answer>(
    context: BrowserContext,
    person: Person,
    procedure: string,
    input: unknown,
  ): Promise<Answer>;
  /** As if every endpoint had failed for so many days. */
  ageFailures(days: number): Promise<void>;
  /** Everything that api and worker wrote. */
  output(): string;
  close(): Promise<void>;
}

export async function openHouse(): Promise<House> {
  const [database, dataFolder, port] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "cardvault-web-")),
    freePort(),
    buildPages(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    DATABASE_URL: database.url,
    JOB_STORE: "postgres",
    DATA_DIR: dataFolder,
    PUBLIC_URL: url,
    PORT: String(port),
    VAULT_ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    SHUTDOWN_TIMEOUT: "2s",
  };
  let written = "";
  const start = (file: string, args: readonly string[] = []): ChildProcess => {
    const child = spawn(process.execPath, [join(root, file), ...args], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        written += chunk.toString();
      });
    }
    return child;
  };
  /** What a command of the operator's command line says. */
  const operate = async (args: readonly string[], input = ""): Promise<string> => {
    const operator = start("tools/operator/src/main.ts", args);
    let said = "";
    operator.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    operator.stdin?.end(input);
    await once(operator, "close");
    return said;
  };
  const services = ["api", "worker"].map((name) => start(`services/${name}/src/main-local.ts`));

  await waitFor(async () => (await fetch(`${url}/readyz`)).ok, {
    deadlineMs: readyDeadlineMs,
    what: "the API to be ready",
  }).catch((error: unknown) => {
    throw new Error(`The service did not start:\n${written}`, { cause: error });
  });

  return {
    url,
    output: () => written,
    async makeOwner(name, kind = "test") {
      // A name of its own, so that a test that is run again meets no account of its first run.
      const email = `${name.toLowerCase()}-${randomBytes(3).toString("hex")}@example.com`;
      const password = randomBytes(12).toString("base64url");
      const said = await operate(
        `account create ${name} --email ${email} --person ${name} --environment ${kind} --password-stdin`.split(
          " ",
        ),
        password,
      );
      const accountId = /acc_[0-9a-z]{26}/.exec(said)?.[0];
      if (accountId === undefined) throw new Error(`No account was made:\n${written}`);
      return { email, password, accountId };
    },
    async makeResetLink(email) {
      const link = /http:\S+/.exec(await operate(["person", "reset", email]))?.[0];
      if (link === undefined) throw new Error(`No link was made:\n${written}`);
      return link;
    },
    ageFailures: (days) =>
      database.run(
        `insert into webhook_endpoint_outcomes
           (endpoint_id, failing_since, last_failed_at, checked_until, drops_told_until)
         select id, now() - interval '${days} days', now() - interval '1 hour', now(), now()
         from webhook_endpoint
         on conflict (endpoint_id) do update set failing_since = excluded.failing_since,
           last_failed_at = excluded.last_failed_at, last_delivered_at = null`,
      ),
    async mutate<Answer>(
      context: BrowserContext,
      person: Person,
      procedure: string,
      input: unknown,
    ): Promise<Answer> {
      const response = await context.request.post(`/trpc/${procedure}`, {
        data: input,
        headers: { "x-vault-account": person.accountId, origin: url },
      });
      if (!response.ok()) throw new Error(`${procedure}: ${await response.text()}`);
      const body = (await response.json()) as { result: { data: Answer } };
      return body.result.data;
    },
    async close() {
      await Promise.all(services.map(stop));
      await database.drop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** In order, so that the database can be dropped; by force where that takes too long. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const deadline = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
  await ended;
  clearTimeout(deadline);
}
