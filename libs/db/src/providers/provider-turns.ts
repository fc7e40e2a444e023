import type { Queryable } from "../connection/database.ts";

/** How often a provider may be called, as it says itself. */
export interface ProviderRate {
  perMinute: number;
  /** How many calls may come at once after a rest. */
  burst: number;
}

/**
 * Takes the next turn at a provider, for all processes together: a token bucket, kept as the moment at
 * which it is full again (GCRA). Answers how many milliseconds the caller has to wait for its turn; null,
 * and takes none, where that is longer than `maxWaitMs`.
 */
export async function takeProviderTurn(
  db: Queryable,
  provider: string,
  { perMinute, burst }: ProviderRate,
  maxWaitMs: number,
): Promise<number | null> {
  const spacingMs = 60_000 / perMinute;
  // What stands in the table is when the turns given out are over; the burst may run ahead of it.
  const [row] = await db.query<{ waitMs: number }>(
    `insert into provider_turn as t (provider, busy_until)
     values ($1, clock_timestamp() + $2 * interval '1 ms')
     on conflict (provider) do update
       set busy_until = greatest(t.busy_until, clock_timestamp()) + $2 * interval '1 ms'
       where greatest(t.busy_until, clock_timestamp()) + ($2 - $3 * $2 - $4) * interval '1 ms' <= clock_timestamp()
     returning greatest(0, extract(epoch from t.busy_until - clock_timestamp()) * 1000 - $3 * $2)::float8 as "waitMs"`,
    [provider, spacingMs, burst, maxWaitMs],
    "provider_turn",
  );
  return row === undefined ? null : row.waitMs;
}

/** Lets nobody call a provider for so long: it said so itself. */
export async function holdProvider(
  db: Queryable,
  provider: string,
  { perMinute, burst }: ProviderRate,
  forMs: number,
): Promise<void> {
  // Beyond what the burst would let through at once.
  const busyMs = forMs + (burst - 1) * (60_000 / perMinute);
  await db.query(
    `insert into provider_turn as t (provider, busy_until)
     values ($1, clock_timestamp() + $2 * interval '1 ms')
     on conflict (provider) do update set busy_until = greatest(t.busy_until, excluded.busy_until)`,
    [provider, busyMs],
    "provider_hold",
  );
}
