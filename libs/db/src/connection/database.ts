import { traced } from "@cardvault/kit";
import type { Logger } from "@cardvault/kit";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Pool, PoolClient } from "pg";
import { databaseError } from "./database-error.ts";
import { Listener } from "./listener.ts";
import type { Subscription } from "./listener.ts";
import { Notifier } from "./notifier.ts";
import { createOrm, forkOn, unitOfWorkTypes } from "./orm.ts";
import type { Orm } from "./orm.ts";
import { createPool, rowTypes } from "./pool.ts";

export interface OpenDatabaseOptions {
  url: string;
  /** Connections for reads, and as many again for writes. */
  poolSize?: number | undefined;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string | undefined;
  logger?: Logger | undefined;
}

/** Runs statements: the database itself (each on its own) or a transaction (all on one connection). */
export interface Queryable {
  /**
   * With a `name` a prepared statement: the name must say the text, whole. Rows come as
   * timestamptz → Date, int8 and numeric → number, jsonb parsed, uuid and date as text.
   */
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** The unit of work, flushed before the commit. */
  readonly em: EntityManager;
  /** Called once the commit has succeeded, and never otherwise. Must not throw. */
  afterCommit(action: () => void): void;
}

interface PoolUse {
  readonly pool: "reads" | "writes";
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Database extends Queryable {
  /** Commits what `work` did, or nothing of it. Errors of the driver become VaultErrors. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** On a connection of its own, which is made again when it is lost. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Subscription>;
  /** Call it after the commit. At most once per 20 ms for a channel and payload; may be lost. */
  notify(channel: string, payload?: string): void;
  /** How many connections each pool has, and how many calls wait for one. */
  connections(): readonly PoolUse[];
  /** Waits for the statements and transactions that are running. */
  close(): Promise<void>;
}

/** From the wait for a connection to the end of the commit. Statements are no steps of their own. */
const transactionSpan = { kind: "client", facts: { "db.system.name": "postgresql" } } as const;

/** Opens the pools; no connection is made before it is needed. `migrate` is the caller's. */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, logger, poolSize = 10, applicationName = "cardvault" } = options;
  const common = { url, applicationName, logger };
  const reads = createPool({
    ...common,
    size: poolSize,
    statementTimeoutMs: 15_000,
    types: rowTypes,
  });
  const writes = createPool({
    ...common,
    size: poolSize,
    statementTimeoutMs: 30_000,
    types: unitOfWorkTypes,
  });
  const notifies = createPool({ ...common, size: 1, statementTimeoutMs: 5_000 });
  const orm = createOrm(url);
  const listener = new Listener(url, applicationName, logger);
  const notifier = new Notifier(notifies, logger);
  let closing: Promise<void> | undefined;

  return Promise.resolve({
    query: (text, values, name) => run(reads, text, values, name),
    transaction: (work) =>
      traced("transaction", transactionSpan, () => runTransaction(orm, writes, work)),
    listen: (channel, onNotify) => listener.listen(channel, onNotify),
    notify: (channel, payload = "") => notifier.notify(channel, payload),
    connections: () => [useOf("reads", reads), useOf("writes", writes)],
    close: () => {
      closing ??= (async () => {
        await Promise.all([reads.end(), writes.end()]);
        await Promise.all([notifier.close(), listener.close(), orm.close(true)]);
      })();
      return closing;
    },
  });
}

function useOf(pool: PoolUse["pool"], { totalCount, idleCount, waitingCount }: Pool): PoolUse {
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

async function run<Row>(
  runner: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<Row[]> {
  try {
    const config = { text, values: values as unknown[], types: rowTypes };
    const { rows } = await runner.query(name === undefined ? config : { ...config, name });
    return rows as Row[];
  } catch (error) {
    throw databaseError(error);
  }
}

async function runTransaction<T>(
  orm: Orm,
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const afterCommit: (() => void)[] = [];
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });
  // A connection whose rollback fails is not given back.
  let broken: Error | undefined;
  let result: T;
  try {
    await client.query("begin");
    const em = forkOn(orm, client);
    result = await work({
      em,
      query: (text, values, name) => run(client, text, values, name),
      afterCommit: (action) => afterCommit.push(action),
    });
    await em.flush();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw databaseError(error);
  } finally {
    client.release(broken);
  }
  for (const action of afterCommit) action();
  return result;
}
