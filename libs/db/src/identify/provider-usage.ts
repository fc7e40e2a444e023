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
      dayOf(now),
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
  const [row] = await db.query<{ budgetMicros: number | null; spentMicros: number }>(
    `select a.provider_budget_micros as "budgetMicros",
       coalesce((select sum(u.cost_micros) from provider_usage u where u.account_id = a.id and u.day >= $2), 0)
         as "spentMicros"
     from account a where a.id = $1`,
    [toUuid(accountId), monthStart(now)],
    "provider_budget",
  );
  return row ?? { budgetMicros: null, spentMicros: 0 };
}

/** The day of a call, in UTC. */
export function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs);
}

/** The beginning of a call's month, in UTC. */
export function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}

/** What each engine was called and has cost in this month. */
export function listProviderUsage(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<{ engine: string; calls: number; failures: number; costMicros: number }[]> {
  return db.query(
    `select engine, sum(calls)::int as calls, sum(failures)::int as failures,
       sum(cost_micros)::bigint as "costMicros"
     from provider_usage where account_id = $1 and day >= $2 group by engine order by engine`,
    [toUuid(accountId), monthStart(now)],
    "provider_usage",
  );
}

/** @param budgetMicros null: no end */
export async function writeProviderBudget(
  db: Queryable,
  accountId: string,
  budgetMicros: number | null,
): Promise<void> {
  await db.query("update account set provider_budget_micros = $2 where id = $1", [
    toUuid(accountId),
    budgetMicros,
  ]);
}
