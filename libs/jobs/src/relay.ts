import type { Database, Subscription } from "@cardvault/db";
import { workChannel } from "@cardvault/db";
import { isTracing, toId, tracedUntilNow } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import type { Queue } from "./queue.ts";
import { mostAtOnce } from "./delivery-window.ts";
import { openCondition } from "./work-source.ts";
import type { LaneFacts, WorkSource } from "./work-source.ts";

export interface RelayOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: Queue;
  readonly sources: readonly WorkSource[];
  readonly everyMs: number;
}

export interface WorkRow extends LaneFacts {
  readonly id: string;
  readonly due: Date;
}

interface RelayedRow extends WorkRow {
  readonly has_more: boolean;
}

/** Small enough that the first of a backlog runs while the rest is still being passed on. */
const batchSize = 200;
/** For so long nobody else relays a row that was claimed; after a crash in between it is relayed again. */
const stampMs = 10_000;
/**
 * How long after the queue has them rows are marked: most have ended by then, and never need the mark.
 * Well below the stamp, which stands for it meanwhile.
 */
const markAfterMs = 1_000;
/** While deliveries wait for room in the queue it looks so often; longer and longer where there is none. */
const roomEveryMs = 50;
const roomAtMostMs = 400;

/**
 * Carries rows of committed work to the queue. A row is claimed by a short stamp, which is committed,
 * before the queue is asked: no lock is held while that answers. It polls by the null flag: ids
 * commit out of order, so "greater than the last" would lose some.
 */
export class Relay {
  readonly #options: RelayOptions;
  #timer: NodeJS.Timeout | undefined;
  #roomTimer: NodeJS.Timeout | undefined;
  #roomMs = roomEveryMs;
  #restUntilMs = 0;
  #subscription: Subscription | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopped = false;
  /** Ids that the queue has and whose rows do not say so yet. */
  readonly #unmarked = new Map<WorkSource, string[]>();
  #markTimer: NodeJS.Timeout | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => this.#wake(), this.#options.everyMs);
    this.#subscription = await this.#options.db.listen(workChannel, () => this.#wake());
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#roomTimer);
    await this.#subscription?.close();
    await this.#running;
    await this.#mark();
  }

  /** Relays everything there is room for now. Answers how many rows. Throws where a store is away. */
  async once(): Promise<number> {
    const relayed = await this.#relayAll();
    await this.#mark();
    return relayed;
  }

  async #relayAll(): Promise<number> {
    let relayed = 0;
    let hasMore = false;
    for (const source of this.#options.sources) {
      let count = batchSize;
      while (count > 0 && !this.#isStopped) {
        const batch = await this.#relayBatch(source);
        ({ count } = batch);
        relayed += count;
        hasMore = batch.hasMore;
        // What there is room for has gone, unless an endpoint has room for more than goes at once.
        if (count < mostAtOnce || (count < batchSize && !hasMore)) break;
      }
      if (hasMore) this.#lookForRoom(relayed > 0);
    }
    return relayed;
  }

  #lookForRoom(hasFound: boolean): void {
    if (this.#timer === undefined || this.#isStopped) return;
    this.#roomMs = hasFound ? roomEveryMs : Math.min(roomAtMostMs, this.#roomMs * 2);
    this.#restUntilMs = performance.now() + roomEveryMs;
    clearTimeout(this.#roomTimer);
    this.#roomTimer = this.#wakeAfter(this.#roomMs);
  }

  #wakeAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#roomTimer = undefined;
      this.#restUntilMs = 0;
      this.#wake();
    }, ms);
  }

  #wake(): void {
    // While more wait than there is room for, looking is all the same whoever asks for it.
    const restMs = this.#restUntilMs - performance.now();
    if (restMs > 0 && !this.#isStopped) {
      this.#roomTimer ??= this.#wakeAfter(restMs);
      return;
    }
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#isStopped) {
      this.#again = false;
      try {
        await this.#relayAll();
      } catch (error) {
        this.#options.logger.warn({ err: error }, "the relay failed, and tries again");
      }
    }
  }

  async #relayBatch(source: WorkSource): Promise<{ count: number; hasMore: boolean }> {
    const { db, queue } = this.#options;
    const startedAtMs = Date.now();
    if (!(await queue.isReachable())) return { count: 0, hasMore: false };
    const answered = await this.#claim(source);
    const hasMore = answered.some((row) => row.has_more);
    const rows = answered.filter(({ id }) => id !== null);
    if (rows.length === 0) return { count: 0, hasMore };
    const ids = rows.map(({ id }) => id);
    try {
      await queue.put(source, rows);
    } catch (error) {
      await db.query(`update ${source.table} set relay_until = null where id = any($1::uuid[])`, [
        ids,
      ]);
      throw error;
    }
    if (isTracing()) await this.#trace(source, ids, startedAtMs);
    this.#unmarked.set(source, [...(this.#unmarked.get(source) ?? []), ...ids]);
    if (!source.marksLater) await this.#mark();
    else this.#markTimer ??= setTimeout(() => void this.#markSafely(), markAfterMs);
    return { count: rows.length, hasMore };
  }

  /** A step in the trace of every row that has one. */
  async #trace(source: WorkSource, ids: readonly string[], startedAtMs: number): Promise<void> {
    try {
      const rows = await this.#options.db.query<{ id: string; traceparent: string }>(
        source.traceparents,
        [ids],
      );
      for (const { id, traceparent } of rows) {
        const facts = { [`vault.${source.name}_id`]: toId(source.idPrefix, id) };
        tracedUntilNow("relay", { facts, startedAtMs }, traceparent);
      }
    } catch (error) {
      this.#options.logger.debug({ err: error }, "relayed rows are missing in their traces");
    }
  }

  async #markSafely(): Promise<void> {
    await this.#mark().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, "relayed rows were not marked");
    });
  }

  /** Where it fails the stamp ends, and the rows are relayed once more, which changes nothing. */
  async #mark(): Promise<void> {
    clearTimeout(this.#markTimer);
    this.#markTimer = undefined;
    const all = [...this.#unmarked];
    this.#unmarked.clear();
    for (const [source, ids] of all) {
      await this.#options.db.query(
        // A delivery that is locked is being worked on, and is marked when that has ended.
        `update ${source.table} set enqueued_at = $2, relay_until = null
         where id = any(array(
           select id from ${source.table}
           where id = any($1::uuid[]) and enqueued_at is null and relay_until > $2 and ${openCondition(source)}
           order by id for no key update ${source.marksLater ? "skip locked" : ""}))`,
        [ids, this.#options.clock.now()],
      );
    }
  }

  #claim(source: WorkSource): Promise<RelayedRow[]> {
    const now = this.#options.clock.now();
    const soon = new Date(now.getTime() + this.#options.everyMs * 2);
    return this.#options.db.query<RelayedRow>(
      `${source.relay.next(batchSize)}, stamped as (
         update ${source.table} as work set relay_until = $2
         where work.id = any(array(select id from next))
         returning work.id, work.${source.dueColumn} as due, ${source.laneColumns}
       )
       select stamped.*, false as has_more from stamped
       union all
       select null, null, null, null, true where ${source.relay.hasMore}`,
      [now, new Date(now.getTime() + stampMs), soon],
      `relay-claim-${source.name}`,
    );
  }
}
