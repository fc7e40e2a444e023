import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** One call of one engine. */
export interface ProviderCall {
  engine: string;
  isFailure: boolean;
  /** Millionths of a US dollar; null where the price is not known. */
  costMicros: number | null;
}

/** Counts calls and what they cost, by account, engine and day. */
export async function addProviderUsage(
  db: Queryable,
  accountId: string,
  calls: readonly ProviderCall[],
  now: Date,
): Promise<void> {
  if (calls.length === 0) return;
  await db.query(
    `insert into provider_usage as u (account_id, day, engine, calls, failures, cost_micros)
     select $1, $2, c.engine, count(*), count(*) filter (where c.is_failure), sum(c.cost)
     from unnest($3::text[], $4::bool[], $5::bigint[]) as c (engine, is_failure, cost)
     group by c.engine order by c.engine
     on conflict (account_id, day, engine) do update set calls = u.calls + excluded.calls,
       failures = u.failures + excluded.failures, cost_micros = u.cost_micros + excluded.cost_micros`,
    [
      toUuid(accountId),
      new Date(Math.floor(now.getTime() / dayMs) * dayMs),
      calls.map(({ engine }) => engine),
      calls.map(({ isFailure }) => isFailure),
      calls.map(({ costMicros }) => costMicros ?? 0),
    ],
    "provider_usage_add",
  );
}

/** What an account may spend in a month, and has spent in this one. A budget of null has no end. */
export async function readProviderBudget(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<{ budgetMicros: number | null; spentMicros: number }> {
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [row] = await db.query<{ budgetMicros: number | null; spentMicros: number }>(
    `select a.provider_budget_micros as "budgetMicros",
       coalesce((select sum(u.cost_micros) from provider_usage u where u.account_id = a.id and u.day >= $2), 0)
         as "spentMicros"
     from account a where a.id = $1`,
    [toUuid(accountId), monthStart],
    "provider_budget",
  );
  return row ?? { budgetMicros: null, spentMicros: 0 };
}
