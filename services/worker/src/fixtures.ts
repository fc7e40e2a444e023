import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { bySystem, changeAccount, insertAccount, openDatabase } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { StoreSettings } from "@cardvault/jobs";
import { createSecretBox, newId, systemClock, toUuid } from "@cardvault/kit";
import { createTestDatabase, mongoUrlForTest, searchedLogger } from "@cardvault/testkit";
import type { WorkerConfig } from "./settings.ts";

/** Prints nothing; what is written is searched for secrets. */
export const silent = searchedLogger("test");

const dayMs = 24 * 60 * 60 * 1_000;

interface TestAccount {
  readonly accountId: string;
  addEndpoint(url: string): Promise<{ readonly id: string; readonly secret: string }>;
  /** So many events in one commit. Answers their ids. */
  emit(count: number): Promise<string[]>;
}

/** One account with a database of its own, and the configuration of workers on it. */
export interface Installation extends TestAccount {
  readonly db: Database;
  readonly config: WorkerConfig;
  addAccount(): Promise<TestAccount>;
  remove(): Promise<void>;
}

export async function createInstallation(
  store: "mongodb" | "postgres" | { readonly mongodbUrl: string },
): Promise<Installation> {
  const database = await createTestDatabase();
  const db = await openDatabase({ url: database.url, poolSize: 4, logger: silent });
  const key = randomBytes(32);
  const config: WorkerConfig = {
    databaseUrl: database.url,
    databasePoolSize: 8,
    jobStore: await storeOf(store, database.url),
    encryptionKeys: [{ id: "test", key }],
    receiverPorts: [443],
    metricsPort: 0,
    metricsHost: "127.0.0.1",
    shutdownMs: 5_000,
    publicUrl: "https://vault.example.com",
    smtpUrl: undefined,
    mailFrom: undefined,
    retentionAttemptsMs: 30 * dayMs,
    retentionEventsMs: 90 * dayMs,
    retentionJobItemsMs: 90 * dayMs,
  };
  return {
    db,
    config,
    addAccount: () => addAccount(db, key),
    ...(await addAccount(db, key)),
    remove: async () => {
      await db.close();
      await database.drop();
    },
  };
}

async function addAccount(db: Database, key: Buffer): Promise<TestAccount> {
  const accountId = newId("acc");
  const account = { id: accountId, name: "Shop", currency: "USD", liveAccountId: null } as const;
  await insertAccount(db, { ...account, environment: "test", createdAt: new Date() });
  return {
    accountId,
    addEndpoint: async (url) => {
      const id = newId("whe");
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      await db.query(
        `insert into webhook_endpoint (id, account_id, url, secret, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
        [
          toUuid(id),
          toUuid(accountId),
          url,
          createSecretBox([{ id: "test", key }]).seal(secret, id),
        ],
      );
      return { id, secret };
    },
    emit: async (count) => {
      const cards = Array.from({ length: count }, () => newId("card"));
      await changeAccount(db, { accountId, clock: systemClock, by: bySystem }, (unit) => {
        const asking_price = { amount: 1250, currency: "USD" };
        unit.emit(
          ...cards.map((card_id) => ({
            type: "card.priced" as const,
            data: { card_id, asking_price },
          })),
        );
        return Promise.resolve();
      });
      const rows = await db.query<{ body: string }>(
        "select body from webhook_event where subject_id = any($1)",
        [cards.map((card) => toUuid(card))],
      );
      return rows.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    },
  };
}

async function storeOf(
  store: "mongodb" | "postgres" | { readonly mongodbUrl: string },
  databaseUrl: string,
): Promise<StoreSettings> {
  if (store === "postgres") return { kind: "postgres", url: databaseUrl };
  if (store === "mongodb") return { kind: "mongodb", url: await mongoUrlForTest() };
  return { kind: "mongodb", url: store.mongodbUrl };
}

export interface WorkerProcess {
  /** SIGKILL: nothing is finished and nothing is told. */
  kill(): Promise<void>;
  /** SIGTERM. Answers the exit status. */
  stop(): Promise<number | null>;
}

export interface WorkerTimes {
  /** The deadline of an attempt. */
  readonly timeoutMs: number;
  /** What a killed worker held is free again after so long. */
  readonly leaseMs: number;
}

/**
 * Short, because what is killed is waited for. The lease is much longer than the attempt all the same:
 * on a busy machine a second may pass between the claim and the POST, or the answer and the commit, and
 * a lease that ended meanwhile would make an event arrive twice without any crash.
 */
const shortTimes: WorkerTimes = { timeoutMs: 3_000, leaseMs: 6_000 };

/** A worker in a process of its own, with short leases and locks. Resolves when it works. */
export async function spawnWorker(
  config: WorkerConfig,
  delivery: WorkerTimes = shortTimes,
): Promise<WorkerProcess> {
  const keys = config.encryptionKeys.map(({ id, key }) => ({
    id,
    key: Buffer.from(key).toString("base64"),
  }));
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "test-worker.ts"),
      JSON.stringify({ ...config, encryptionKeys: keys, delivery }),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("The worker ended."))),
  ]);
  return {
    kill: async () => {
      await ended(child, "SIGKILL");
    },
    stop: () => ended(child, "SIGTERM"),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
  return child.exitCode;
}
