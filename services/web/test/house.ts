import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { accountHeader } from "@cardvault/contract";
import type { Card, UploadAnswer } from "@cardvault/contract";
import { createTestDatabase, freePort, secretsIn, waitFor } from "@cardvault/testkit";
import type { BrowserContext } from "playwright-core";
import { buildPages } from "./build-pages.ts";
import type { GivenFile } from "./pictures.ts";

const root = resolve(import.meta.dirname, "../../..");
const stopDeadlineMs = 8_000;
const readyDeadlineMs = 90_000;
/** An identification takes up to 50 seconds. */
const callDeadlineMs = 90_000;

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
  /** Makes somebody an operator of the platform, by the operator's command line. */
  makeOperator(email: string): Promise<void>;
  /** A call of a procedure as a page makes it, with the session of the browser. */
  mutate<Answer>(
    context: BrowserContext,
    person: Person,
    procedure: string,
    input: unknown,
  ): Promise<Answer>;
  /**
   * A card whose front is a sample photo: what identifying it comes to is named. The house needs a sandbox.
   */
  makePhotographed(
    context: BrowserContext,
    person: Person,
    outcome: string,
    given?: Record<string, unknown>,
  ): Promise<Card>;
  /** A sample photo as a file of this name: what identifying it comes to is named. The house needs a sandbox. */
  samplePhoto(outcome: string): Promise<GivenFile>;
  /** Has the simulated third parties do something: `POST /control…`. The house needs a sandbox. */
  control(path: string, body: object): Promise<void>;
  /** Ends the api at once, as a crash does; the port stays its own. */
  killApi(): Promise<void>;
  /** Starts it again, and waits until it is ready. */
  startApi(): Promise<void>;
  /** A statement of the test's own, for what no page can do. */
  run(statement: string): Promise<void>;
  /** As if every endpoint had failed for so many days. */
  ageFailures(days: number): Promise<void>;
  /** Everything that api, worker and sandbox wrote. */
  output(): string;
  close(): Promise<void>;
}

interface HouseOptions {
  /** The simulated third parties run too, so that cards are identified and priced. */
  withSandbox?: boolean;
  /** Requests are counted in the database, as several machines do, where a statement can say how many there were. */
  hasSharedLimits?: boolean;
}

export async function openHouse({
  withSandbox = false,
  hasSharedLimits = false,
}: HouseOptions = {}): Promise<House> {
  const [database, dataFolder, port, sandboxPort] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "cardvault-web-")),
    freePort(),
    freePort(),
    buildPages(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    // Each process starts with half of the work.
    NODE_COMPILE_CACHE: join(root, ".cache/compiled"),
    DATABASE_URL: database.url,
    JOB_STORE: "postgres",
    DATA_DIR: dataFolder,
    PUBLIC_URL: url,
    PORT: String(port),
    VAULT_ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    SHUTDOWN_TIMEOUT: "2s",
    ...(hasSharedLimits ? { RATE_LIMIT_STORE: "postgres" } : {}),
    ...(withSandbox ? { SANDBOX_URL: sandboxUrl, SANDBOX_PORT: String(sandboxPort) } : {}),
  };
  let written = "";
  /** What no line of a log may hold. */
  const secrets = new Set([environment["VAULT_ENCRYPTION_KEYS"]?.split(":")[1] ?? ""]);
  const run = (file: string, args: readonly string[] = []) =>
    spawn(process.execPath, [join(root, file), ...args], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
  const start = (file: string): ChildProcess => {
    const child = run(file);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        written += chunk.toString();
      });
    }
    return child;
  };
  /** What a command of the operator's command line says: to the operator alone, so it is no part of what is written. */
  const operate = async (args: readonly string[], input = ""): Promise<string> => {
    const operator = run("tools/operator/src/main.ts", args);
    let said = "";
    for (const stream of [operator.stdout, operator.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    operator.stdin.end(input);
    await once(operator, "close");
    return said;
  };
  const startApi = (): ChildProcess => start("services/api/src/main-local.ts");
  const ready = (at: string, what: string): Promise<unknown> =>
    waitFor(async () => (await fetch(`${at}/readyz`)).ok, {
      deadlineMs: readyDeadlineMs,
      what: `${what} to be ready`,
    }).catch((error: unknown) => {
      throw new Error(`The service did not start:\n${written}`, { cause: error });
    });
  let api = startApi();
  const others = [
    "services/worker/src/main-local.ts",
    ...(withSandbox ? ["services/sandbox/src/main.ts"] : []),
  ].map((file) => start(file));
  await Promise.all([
    ready(url, "the API"),
    ...(withSandbox ? [ready(sandboxUrl, "the sandbox")] : []),
  ]);

  async function mutate<Answer>(
    context: BrowserContext,
    person: Person,
    procedure: string,
    input: unknown,
  ): Promise<Answer> {
    const response = await context.request.post(`/trpc/${procedure}`, {
      data: input,
      headers: { [accountHeader]: person.accountId, origin: url },
      timeout: callDeadlineMs,
    });
    if (!response.ok()) throw new Error(`${procedure}: ${await response.text()}`);
    const body = (await response.json()) as { result: { data: Answer } };
    return body.result.data;
  }

  async function samplePhoto(outcome: string): Promise<GivenFile> {
    const photo = await fetch(`${sandboxUrl}/control/photos/${outcome}.jpg`);
    const buffer = Buffer.from(await photo.arrayBuffer());
    return { name: `${outcome}.jpg`, mimeType: "image/jpeg", buffer };
  }

  return {
    url,
    output: () => written,
    async makeOwner(name, kind = "test") {
      // A name of its own, so that a test that is run again meets no account of its first run.
      const email = `${name.toLowerCase()}-${randomBytes(3).toString("hex")}@example.com`;
      const password = randomBytes(12).toString("base64url");
      secrets.add(password);
      const said = await operate(
        `account create ${name} --email ${email} --person ${name} --environment ${kind} --password-stdin`.split(
          " ",
        ),
        password,
      );
      const accountId = /acc_[0-9a-z]{26}/.exec(said)?.[0];
      if (accountId === undefined) throw new Error(`No account was made:\n${said}`);
      return { email, password, accountId };
    },
    async makeOperator(email) {
      await operate(["person", "operator", email]);
    },
    async makeResetLink(email) {
      const said = await operate(["person", "reset", email]);
      const link = /http:\S+/.exec(said)?.[0];
      if (link === undefined) throw new Error(`No link was made:\n${said}`);
      secrets.add(new URL(link).hash.replace("#token=", ""));
      return link;
    },
    async run(statement) {
      await database.run(statement);
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
    mutate,
    samplePhoto,
    async makePhotographed(context, person, outcome, given = {}) {
      const uploaded = await context.request.post("/photos", {
        multipart: { file: await samplePhoto(outcome) },
        headers: { [accountHeader]: person.accountId, origin: url },
      });
      const { files } = (await uploaded.json()) as UploadAnswer;
      const { id } = await mutate<Card>(context, person, "cards.create", given);
      return mutate<Card>(context, person, "photos.attach", {
        card_id: id,
        photos: [{ photo_id: files[0]?.photo?.id, side: "front" }],
      });
    },
    async control(path, body) {
      const answer = await fetch(`${sandboxUrl}/control${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`The sandbox: ${await answer.text()}`);
    },
    async killApi() {
      const ended = once(api, "exit");
      api.kill("SIGKILL");
      await ended;
    },
    async startApi() {
      api = startApi();
      await ready(url, "the API");
    },
    async close() {
      await Promise.all([api, ...others].map(stop));
      await database.drop();
      await rm(dataFolder, { recursive: true, force: true });
      const found = secretsIn(written, secrets);
      if (found.length > 0) throw new Error(`A log holds a secret: ${found.join(" | ")}`);
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
