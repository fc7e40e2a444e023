import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import type { Queue } from "./queue.ts";
import type { WorkRow } from "./relay.ts";
import { openCondition } from "./work-source.ts";
import type { WorkSource } from "./work-source.ts";

export interface ReconcilerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: Queue;
  readonly sources: readonly WorkSource[];
  readonly everyMs: number;
  /** Only work that was enqueued longer ago than this. */
  readonly enqueuedMs: number;
  /** Only work that is overdue by more than this. */
  readonly overdueMs: number;
}

const batchSize = 500;
const lockKey = 0x7265636f;

/**
 * Sees to it that the queue has what the database says is due. Where the queue has lost a job, or holds
 * it in a state in which it would never run, the job is revived. One process at a time does it.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> | undefined;
  #isStopped = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.once()
        .catch((error: unknown) => {
          this.#options.logger.warn({ err: error }, "the reconciler failed, and tries again");
        })
        .finally(() => {
          this.#running = undefined;
        });
    }, this.#options.everyMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Answers how many overdue rows were seen to; 0 where another process is at it. */
  once(): Promise<number> {
    const { db, queue, sources, logger } = this.#options;
    return db.transaction(async (tx) => {
      // The lock is the transaction's, which does nothing else: it ends with its process.
      const [lock] = await tx.query<{ held: boolean }>(
        "select pg_try_advisory_xact_lock($1) as held",
        [lockKey],
      );
      if (lock?.held !== true) return 0;
      await queue.prepare();
      let overdue = 0;
      for (const source of sources) {
        let count = batchSize;
        while (count === batchSize && !this.#isStopped) {
          count = await this.#reviveBatch(source);
          overdue += count;
          // A long silence would end the transaction, and with it the lock.
          await tx.query("select 1");
        }
      }
      if (overdue > 0)
        logger.info(
          { overdue },
          "overdue work was sought in the queue, and put back where it was missing",
        );
      return overdue;
    });
  }

  async #reviveBatch(source: WorkSource): Promise<number> {
    const { db, clock, queue, enqueuedMs, overdueMs } = this.#options;
    const now = clock.now();
    const rows = await db.query<WorkRow>(
      `update ${source.table} as work set enqueued_at = $1
       from (select id from ${source.table}
             where ${openCondition(source)} and ${source.dueColumn} <= $2 and enqueued_at < $3
               and (lease_until is null or lease_until <= $1)
             order by ${source.dueColumn} limit ${batchSize} for update skip locked) as next
       where work.id = next.id
       returning work.id, work.${source.dueColumn} as due, ${source.laneColumns}`,
      [now, new Date(now.getTime() - overdueMs), new Date(now.getTime() - enqueuedMs)],
      `reconcile-${source.name}`,
    );
    await queue.put(source, rows);
    return rows.length;
  }
}
