import { workChannel } from "@cardvault/db";
import type { Database, Queryable } from "@cardvault/db";
import { breakerUndelivered, closedBreaker, recordBreaker } from "@cardvault/domain";
import type { AttemptSummary, BreakerPhase, BreakerState } from "@cardvault/domain";
import { toUuid } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";

export interface EndpointHealthOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface HealthRow {
  phase: BreakerPhase;
  failures: number;
  failed_probes: number;
  probe_at: Date | null;
  undelivered: number;
}

export interface EndedAttempt {
  readonly endpointId: string;
  readonly hasDelivered: boolean;
  readonly isProbe: boolean;
  /** As it was claimed. */
  readonly endpointFailures: number;
}

/** Attempts that end within this time are told together. A probe is told at once. */
const gatherMs = 200;
const maxRemembered = 10_000;

/**
 * Tells the breakers in PostgreSQL, which hold for all processes, how attempts ended. An endpoint that
 * answers well costs no statement.
 */
export class EndpointHealth {
  readonly #options: EndpointHealthOptions;
  #gathered = new Map<string, AttemptSummary>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Endpoints of which failures were told since the last success. */
  readonly #failing = new Set<string>();
  readonly #crowded = new Set<string>();

  constructor(options: EndpointHealthOptions) {
    this.#options = options;
  }

  /** Whether so much of a failing endpoint waits that its retries do not belong into the queue. */
  isCrowded(endpointId: string): boolean {
    return this.#crowded.has(endpointId);
  }

  record({ endpointId, hasDelivered, isProbe, endpointFailures }: EndedAttempt): void {
    const before = this.#gathered.get(endpointId);
    const isNews = !hasDelivered || isProbe || endpointFailures > 0;
    if (!isNews && before === undefined && !this.#failing.has(endpointId)) return;
    this.#gathered.set(endpointId, {
      hasDelivered: hasDelivered || before?.hasDelivered === true,
      failures: hasDelivered ? 0 : (before?.failures ?? 0) + 1,
      hasProbe: isProbe || before?.hasProbe === true,
    });
    if (isProbe) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), gatherMs).unref();
  }

  /** Writes what was gathered. Never throws: what a breaker was not told, later attempts tell it. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = [...this.#gathered].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.#gathered = new Map();
    if (gathered.length === 0) return this.#writing;
    this.#writing = this.#writing.then(() =>
      this.#write(gathered).catch((error: unknown) => {
        this.#options.logger.warn({ err: error }, "the health of endpoints was not written");
      }),
    );
    return this.#writing;
  }

  /** Makes the one attempt that may go to an endpoint whose breaker is open. False where another was quicker. */
  async beginProbe(endpointId: string, before: BreakerState, next: BreakerState): Promise<boolean> {
    const rows = await this.#options.db.query(
      `update webhook_endpoint_health set phase = $3, probe_at = $4
       where endpoint_id = $1 and phase <> 'closed' and probe_at = $2 returning 1`,
      [toUuid(endpointId, "whe"), before.probeAt, next.phase, next.probeAt],
      "health-probe",
    );
    return rows.length > 0;
  }

  async #write(gathered: readonly (readonly [string, AttemptSummary])[]): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const moves: { endpointId: string; before: BreakerState; after: BreakerState }[] = [];
    await db.transaction(async (tx) => {
      moves.length = 0;
      for (const [endpointId, summary] of gathered) {
        const { breaker, undelivered } = await lockHealth(tx, endpointId);
        const after = recordBreaker(breaker, summary, undelivered, now);
        await saveHealth(tx, endpointId, after, now);
        moves.push({ endpointId, before: breaker, after });
        mark(this.#crowded, endpointId, undelivered > breakerUndelivered);
      }
    });
    for (const { endpointId, before, after } of moves) {
      mark(this.#failing, endpointId, after.failures > 0);
      this.#tell(endpointId, before, after);
    }
  }

  #tell(endpointId: string, before: BreakerState, after: BreakerState): void {
    const { db, logger } = this.#options;
    if (before.phase === "closed" && after.phase === "open") {
      const { failures, probeAt } = after;
      logger.warn({ endpointId, failures, probeAt }, "the breaker of an endpoint has opened");
    }
    if (before.phase !== "closed" && after.phase === "closed") {
      logger.info({ endpointId }, "the breaker of an endpoint has closed");
      // What waited in the database may go.
      db.notify(workChannel);
    }
  }
}

/** Endpoints in use whose breaker is not closed. */
export async function countOpenBreakers(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    `select count(*) as open from webhook_endpoint_health h join webhook_endpoint e on e.id = h.endpoint_id
     where h.phase <> 'closed' and e.enabled and e.deleted_at is null`,
    [],
    "health-open",
  );
  return row?.open ?? 0;
}

async function lockHealth(
  tx: Queryable,
  endpointId: string,
): Promise<{ breaker: BreakerState; undelivered: number }> {
  const id = toUuid(endpointId, "whe");
  await tx.query(
    "insert into webhook_endpoint_health (endpoint_id) values ($1) on conflict do nothing",
    [id],
    "health-insert",
  );
  const [row] = await tx.query<HealthRow>(
    `select phase, failures, failed_probes, probe_at,
       (select count(*) from (select 1 from webhook_delivery
          where endpoint_id = $1 and status in ('pending', 'retrying') limit ${breakerUndelivered + 1}) counted) as undelivered
     from webhook_endpoint_health where endpoint_id = $1 for update`,
    [id],
    "health-lock",
  );
  if (row === undefined) return { breaker: closedBreaker, undelivered: 0 };
  const { phase, failures, failed_probes: failedProbes, probe_at: probeAt, undelivered } = row;
  return { breaker: { phase, failures, failedProbes, probeAt }, undelivered };
}

async function saveHealth(
  tx: Queryable,
  endpointId: string,
  { phase, failures, failedProbes, probeAt }: BreakerState,
  now: Date,
): Promise<void> {
  await tx.query(
    `update webhook_endpoint_health set phase = $2, failures = $3, failed_probes = $4, probe_at = $5,
       opened_at = case when $2 = 'closed' then null else coalesce(opened_at, $6) end
     where endpoint_id = $1`,
    [toUuid(endpointId, "whe"), phase, failures, failedProbes, probeAt, now],
    "health-save",
  );
}

function mark(set: Set<string>, member: string, isIn: boolean): void {
  set.delete(member);
  if (isIn) set.add(member);
  const [oldest] = set;
  if (set.size > maxRemembered && oldest !== undefined) set.delete(oldest);
}
