import type { Database } from "@cardvault/db";
import { toId } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import { explainRefusal } from "./claim.ts";
import { recordDrop } from "./record.ts";

const batchSize = 500;
const everyMs = 60_000;
const gone = 410;

export interface DeadlineOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Drops what is past its deadline, visibly, every minute. A delivery that comes to its turn is dropped
 * there; this is for those that wait behind a breaker or a backlog.
 */
export class DeadlineSweep {
  readonly #options: DeadlineOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<number> | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.once().catch((error: unknown) => {
        options.logger.warn({ err: error }, "deadlines were not seen to, and are again");
      });
    }, everyMs).unref();
  }

  /** Answers how many were dropped. */
  once(): Promise<number> {
    this.#running ??= sweep(this.#options).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }
}

async function sweep({ db, clock, logger }: DeadlineOptions): Promise<number> {
  const now = clock.now();
  let dropped = 0;
  let count = batchSize;
  while (count === batchSize) {
    const rows = await db.query(
      `update webhook_delivery d set status = 'dropped', drop_reason = 'deadline', finished_at = $1,
         next_attempt_at = null, lease_token = null, lease_until = null
       from (select id from webhook_delivery
             where status in ('pending', 'retrying') and next_attempt_at <= $1 and deadline_at <= $1
               and (lease_until is null or lease_until <= $1) and last_status_code is distinct from ${gone}
             order by next_attempt_at limit ${batchSize} for update skip locked) as late
       where d.id = late.id returning 1`,
      [now],
    );
    count = rows.length;
    dropped += count;
  }
  dropped += await dropGone(db, now);
  if (dropped > 0) logger.warn({ dropped, reason: "deadline" }, "deliveries dropped");
  return dropped;
}

/** Dropping after a 410 disables the endpoint, which drops the others: one is enough for each. */
async function dropGone(db: Database, now: Date): Promise<number> {
  const rows = await db.query<{ id: string }>(
    `select distinct on (endpoint_id) id from webhook_delivery
     where status in ('pending', 'retrying') and next_attempt_at <= $1 and deadline_at <= $1
       and (lease_until is null or lease_until <= $1) and last_status_code = ${gone}
     order by endpoint_id, next_attempt_at limit ${batchSize}`,
    [now],
  );
  for (const row of rows) {
    const id = toId("dlv", row.id);
    const refusal = await explainRefusal(db, id, now);
    if (refusal.type === "drop") {
      await recordDrop(db, id, refusal.endpointId, refusal.outcome, now);
    }
  }
  return rows.length;
}
