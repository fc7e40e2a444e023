import { providerBudgetInput, providerUsageAnswer } from "@cardvault/contract";
import type { ProviderUsage } from "@cardvault/contract";
import {
  listProviderCaps,
  listProviderUsage,
  readProviderBudget,
  writeProviderBudget,
} from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

type Needs = Pick<Services, "db" | "clock" | "engines">;

/** What the account's calls have cost in this month, and what they may. */
async function readUsage(needs: Needs, access: Access): Promise<ProviderUsage> {
  const { db, clock } = needs;
  const { accountId } = access;
  const now = clock.now();
  const [{ budgetMicros, spentMicros }, used, ownCaps] = await Promise.all([
    readProviderBudget(db, accountId, now),
    listProviderUsage(db, accountId, now),
    listProviderCaps(db, accountId),
  ]);
  const { identification, prices } = needs.engines(access);
  const caps = new Map<string, number | null>();
  for (const { name, capMicros = null } of [...identification, ...prices])
    caps.set(name, capMicros);
  for (const [name, cap] of ownCaps) caps.set(name, cap);
  const unused = [...caps].filter(
    ([name, cap]) => cap !== null && !used.some(({ engine }) => engine === name),
  );
  const engines = [
    ...used,
    ...unused.map(([engine]) => ({ engine, calls: 0, failures: 0, costMicros: 0 })),
  ].toSorted((one, other) => (one.engine < other.engine ? -1 : 1));
  return {
    budget_micros: budgetMicros,
    spent_micros: spentMicros,
    engines: engines.map(({ engine, calls, failures, costMicros }) => ({
      engine,
      calls,
      failures,
      cost_micros: costMicros,
      cap_micros: caps.get(engine) ?? null,
    })),
  };
}

/** Caps what a month may cost; null takes the cap away. */
async function setBudget(
  needs: Needs,
  access: Access,
  budgetMicros: number | null,
): Promise<ProviderUsage> {
  const { db, clock } = needs;
  const { accountId } = access;
  await db.transaction(async (tx) => {
    await writeProviderBudget(tx, accountId, budgetMicros);
    const details = { budget_micros: budgetMicros };
    await writeTrail(tx, access, clock.now(), "account.provider_budget_set", accountId, details);
  });
  return readUsage(needs, access);
}

export const readUsageProcedure = session()
  .output(providerUsageAnswer)
  .query(({ ctx }) => readUsage(ctx.services, ctx.access));

export const setBudgetProcedure = session("owner")
  .input(providerBudgetInput)
  .output(providerUsageAnswer)
  .mutation(({ ctx, input }) => setBudget(ctx.services, ctx.access, input.budget_micros));
