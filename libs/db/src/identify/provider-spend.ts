import { toUuid } from "@cardvault/kit";
import type { Database, Queryable } from "../connection/database.ts";
import { addProviderUsage, dayOf, monthStart, readProviderBudget } from "./provider-usage.ts";

/** A call that is about to be made, and what it is reckoned at until its cost is known. */
export interface ProviderReservation {
  accountId: string;
  engine: string;
  /** Millionths of a US dollar. */
  micros: number;
  at: Date;
}

/**
 * Counts a call before it is made, at what it is reckoned at. Calls of an account with a cap are counted one
 * after another, so that no two of them take the same money. What is never settled stays counted: the
 * provider may have asked for it.
 * @param installationCap of one account at this engine in a month, unless an operator says otherwise
 * @returns false where the engine's cap, or the account's budget, does not allow the call
 */
export async function reserveProviderCall(
  db: Pick<Database, "query" | "transaction">,
  reservation: ProviderReservation,
  installationCap: number | null,
): Promise<boolean> {
  const { accountId, engine, micros, at } = reservation;
  const call = { engine, isFailure: false, costMicros: micros };
  const limits = await readLimits(db, reservation, installationCap);
  if (limits.capMicros === null && limits.budgetMicros === null) {
    await addProviderUsage(db, accountId, [call], at);
    return true;
  }
  return db.transaction(async (tx) => {
    await tx.query(
      "select pg_advisory_xact_lock(hashtextextended('provider spend ' || $1, 0))",
      [toUuid(accountId)],
      "provider_spend_lock",
    );
    const now = await readLimits(tx, reservation, installationCap);
    const isWithin = fits(now.engineMicros, now.capMicros, micros);
    if (!isWithin || !fits(now.spentMicros, now.budgetMicros, micros)) return false;
    await addProviderUsage(tx, accountId, [call], at);
    return true;
  });
}

/** A call of which nothing is known takes money too, so that the last of it is not spent without end. */
function fits(spent: number, limit: number | null, micros: number): boolean {
  return limit === null || (spent < limit && spent + micros <= limit);
}

/** Puts what a call has cost in the place of what it was reckoned at. Once for each reservation. */
export async function settleProviderCall(
  db: Queryable,
  { accountId, engine, micros, at }: ProviderReservation,
  { isFailure, costMicros }: { isFailure: boolean; costMicros: number },
): Promise<void> {
  if (!isFailure && costMicros === micros) return;
  await db.query(
    `update provider_usage set cost_micros = greatest(0, cost_micros + $4), failures = failures + $5
     where account_id = $1 and day = $2 and engine = $3`,
    [toUuid(accountId), dayOf(at), engine, costMicros - micros, isFailure ? 1 : 0],
    "provider_usage_settle",
  );
}

interface Limits {
  /** Of this engine, and spent at it, in this month. */
  capMicros: number | null;
  engineMicros: number;
  /** Of all engines together. */
  budgetMicros: number | null;
  spentMicros: number;
}

async function readLimits(
  db: Queryable,
  { accountId, engine, at }: ProviderReservation,
  installationCap: number | null,
): Promise<Limits> {
  const budget = await readProviderBudget(db, accountId, at);
  const [row] = await db.query<{ isSet: boolean; capMicros: number | null; engineMicros: number }>(
    `select c.engine is not null as "isSet", c.cap_micros as "capMicros",
       coalesce((select sum(u.cost_micros) from provider_usage u
         where u.account_id = $1 and u.engine = $2 and u.day >= $3), 0)::bigint as "engineMicros"
     from (values ($1::uuid)) as a (id) left join provider_cap c on c.account_id = a.id and c.engine = $2`,
    [toUuid(accountId), engine, monthStart(at)],
    "provider_cap",
  );
  const { isSet = false, capMicros = null, engineMicros = 0 } = row ?? {};
  return { ...budget, capMicros: isSet ? capMicros : installationCap, engineMicros };
}

/** Caps that operators have set for an account; null is no end. */
export async function listProviderCaps(
  db: Queryable,
  accountId: string,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await db.query<{ engine: string; capMicros: number | null }>(
    `select engine, cap_micros as "capMicros" from provider_cap where account_id = $1`,
    [toUuid(accountId)],
    "provider_caps",
  );
  return new Map(rows.map(({ engine, capMicros }) => [engine, capMicros]));
}

/** @param cap null: no end; `default`: the installation's */
export async function writeProviderCap(
  db: Queryable,
  accountId: string,
  engine: string,
  cap: number | null | "default",
): Promise<void> {
  await (cap === "default"
    ? db.query("delete from provider_cap where account_id = $1 and engine = $2", [
        toUuid(accountId),
        engine,
      ])
    : db.query(
        `insert into provider_cap (account_id, engine, cap_micros) values ($1, $2, $3)
         on conflict (account_id, engine) do update set cap_micros = excluded.cap_micros`,
        [toUuid(accountId), engine, cap],
      ));
}
