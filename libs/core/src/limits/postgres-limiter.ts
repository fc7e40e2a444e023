import type { Database } from "@cardvault/db";
import { sharedKey, takenOf, windowMs } from "./limiter.ts";
import type { Limiter, TakeInput, Taken } from "./limiter.ts";

/**
 * One statement a request. The row lock of the conflict orders requests of one key, and what is read
 * there is the latest row, so two processes never both take the last place. Time is the database's own
 * where $3 is null: the clocks of several machines would make the window inexact.
 */
const takeStatement = `
insert into rate_window as stored (key, hits, expires_at)
values (
  $1,
  array[coalesce($3::timestamptz(3), statement_timestamp()::timestamptz(3))],
  coalesce($3::timestamptz(3), statement_timestamp()::timestamptz(3)) + interval '60 s'
)
on conflict (key) do update set (hits, expires_at) = (
  select
    case when cardinality(live.hits) < $2 then live.hits || moment.now else live.hits end,
    case when cardinality(live.hits) < $2 then moment.now + interval '60 s' else stored.expires_at end
  from
    (select greatest(excluded.hits[1], stored.hits[cardinality(stored.hits)]) as now) as moment,
    lateral (
      select coalesce(array_agg(hit order by hit), '{}') as hits
      from unnest(stored.hits) as hit
      where hit > moment.now - interval '60 s'
    ) as live
)
returning
  cardinality(new.hits) as counted,
  new.hits[1] as oldest,
  new.hits[greatest(1, cardinality(new.hits) - $2 + 1)] as decisive,
  greatest(
    coalesce($3::timestamptz(3), statement_timestamp()::timestamptz(3)),
    old.hits[cardinality(old.hits)]
  ) as now,
  (
    select count(*)
    from unnest(old.hits) as hit
    where hit > greatest(
      coalesce($3::timestamptz(3), statement_timestamp()::timestamptz(3)),
      old.hits[cardinality(old.hits)]
    ) - interval '60 s'
  ) < $2 as allowed
`;

const countStatement = `
select key, (
  select count(*) from unnest(hits) as hit
  where hit > greatest(coalesce($2::timestamptz(3), statement_timestamp()::timestamptz(3)), hits[cardinality(hits)])
    - interval '60 s'
) as counted
from rate_window where key = any ($1::text[])
`;

const sweepStatement = `
with gone as (
  delete from rate_window
  where expires_at <= coalesce($1::timestamptz(3), statement_timestamp()::timestamptz(3))
)
select count(*) as kept from rate_window
`;

interface TakenRow {
  counted: number;
  oldest: Date;
  decisive: Date;
  now: Date;
  allowed: boolean;
}

const sweepMs = 10_000;
const maxRefusals = 10_000;

export interface PostgresLimiterOptions {
  db: Pick<Database, "query">;
  /** The most rows; a table beyond it lets further keys share a few windows. */
  maxKeys?: number | undefined;
  /** `caller` is for tests that move the clock; several machines need the database's time. */
  time?: "database" | "caller" | undefined;
  /** What becomes of an error of the sweep, which nobody waits for. */
  onSweepError?: ((error: unknown) => void) | undefined;
}

export interface PostgresLimiter extends Limiter {
  take(input: TakeInput): Promise<Taken>;
  /** Removes the rows whose window has passed. Happens by itself too. */
  sweep(now: Date): Promise<void>;
}

/**
 * Windows in an unlogged table, shared by all processes. A refusal is remembered here until the
 * moment that it names, so a client that goes on beyond its limit costs no query.
 */
export function createPostgresLimiter(options: PostgresLimiterOptions): PostgresLimiter {
  const { db, maxKeys = 200_000, time = "database", onSweepError } = options;
  const refusals = new Map<string, { taken: Taken; oldest: number; until: number }>();
  let sweepAt = Number.NEGATIVE_INFINITY;
  let isFull = false;
  let sweeping: Promise<void> | undefined;

  async function sweep(now: Date): Promise<void> {
    for (const [key, refusal] of refusals) {
      if (refusal.until <= now.getTime()) refusals.delete(key);
    }
    const [row] = await db.query<{ kept: number }>(sweepStatement, [
      time === "caller" ? now : null,
    ]);
    isFull = (row?.kept ?? 0) >= maxKeys;
  }

  /** A refusal that still stands: until then nothing leaves the window, and nothing is added to it. */
  function standingRefusal(key: string, limit: number, now: number): Taken | undefined {
    const refusal = refusals.get(key);
    if (refusal === undefined || refusal.taken.limit !== limit || refusal.until <= now) {
      return undefined;
    }
    const retryAfterSeconds = Math.max(1, Math.ceil((refusal.until - now) / 1000));
    return { ...refusal.taken, retryAfterSeconds };
  }

  return {
    sweep,
    async take({ key, limit, now }: TakeInput): Promise<Taken> {
      const local = now.getTime();
      if (local >= sweepAt && sweeping === undefined) {
        sweepAt = local + sweepMs;
        sweeping = sweep(now)
          .catch((error: unknown) => onSweepError?.(error))
          .finally(() => {
            sweeping = undefined;
          });
      }
      const used = isFull ? sharedKey(key) : key;
      const standing = standingRefusal(used, limit, local);
      if (standing !== undefined) return standing;
      const [row] = await db.query<TakenRow>(
        takeStatement,
        [used, limit, time === "caller" ? now : null],
        "rate-window-take",
      );
      if (row === undefined) throw new TypeError("An upsert returns one row");
      const moment = row.now.getTime();
      const decisive = row.decisive.getTime();
      const oldest = row.oldest.getTime();
      const taken = takenOf(row.allowed, limit, row.counted, oldest, decisive, moment);
      if (row.allowed) refusals.delete(used);
      else if (refusals.size < maxRefusals) {
        // In this process's own time: what is left of the wait, counted from now.
        refusals.set(used, { taken, oldest, until: local + (decisive + windowMs - moment) });
      }
      return taken;
    },
    async counted(keys, now) {
      const rows = await db.query<{ key: string; counted: number }>(
        countStatement,
        [keys, time === "caller" ? now : null],
        "rate-window-count",
      );
      const counts = new Map(rows.map(({ key, counted }) => [key, counted]));
      return keys.map((key) => counts.get(key) ?? 0);
    },
    async close() {
      await sweeping;
      refusals.clear();
    },
  };
}
