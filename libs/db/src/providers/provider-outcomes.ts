import type { Queryable } from "../connection/database.ts";

/** How one call of a provider ended; `code` is null where it answered. */
export interface ProviderCallOutcome {
  provider: string;
  code: string | null;
  durationMs: number;
}

/** What became of a provider's calls, of all processes together. */
export interface ProviderOutcomes {
  provider: string;
  succeeded: number;
  failed: number;
  consecutiveFailures: number;
  /** Over all calls that answered. */
  averageMs: number | null;
  /** Why the last failed call failed. */
  lastCode: string | null;
  lastSucceededAt: Date | null;
  lastFailedAt: Date | null;
}

/** Counts one call. A call takes half a second or more and costs money: one statement beside it is nothing. */
export async function writeProviderOutcome(
  db: Queryable,
  { provider, code, durationMs }: ProviderCallOutcome,
  now: Date,
): Promise<void> {
  const isSuccess = code === null;
  await db.query(
    `insert into provider_outcome as o
       (provider, succeeded, failed, consecutive_failures, total_ms, last_code, last_succeeded_at, last_failed_at, updated_at)
     values ($1, $2::int, 1 - $2::int, 1 - $2::int, case when $2::int = 1 then $3::bigint else 0 end, $4,
       case when $2::int = 1 then $5::timestamptz end, case when $2::int = 0 then $5::timestamptz end, $5)
     on conflict (provider) do update set
       succeeded = o.succeeded + excluded.succeeded,
       failed = o.failed + excluded.failed,
       consecutive_failures = case when $2::int = 1 then 0 else o.consecutive_failures + 1 end,
       total_ms = o.total_ms + excluded.total_ms,
       last_code = coalesce(excluded.last_code, o.last_code),
       last_succeeded_at = coalesce(excluded.last_succeeded_at, o.last_succeeded_at),
       last_failed_at = coalesce(excluded.last_failed_at, o.last_failed_at),
       updated_at = excluded.updated_at`,
    [provider, isSuccess ? 1 : 0, Math.round(durationMs), code, now],
    "provider_outcome",
  );
}

/** Every provider that was ever called. */
export function listProviderOutcomes(db: Queryable): Promise<ProviderOutcomes[]> {
  return db.query<ProviderOutcomes>(
    `select provider, succeeded, failed, consecutive_failures as "consecutiveFailures",
       case when succeeded > 0 then round(total_ms::numeric / succeeded)::int end as "averageMs",
       last_code as "lastCode", last_succeeded_at as "lastSucceededAt", last_failed_at as "lastFailedAt"
     from provider_outcome order by provider`,
  );
}
