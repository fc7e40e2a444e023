import { VaultError } from "@cardvault/contract";
import { addProviderUsage, reserveProviderCall, settleProviderCall } from "@cardvault/db";
import type { Services } from "../services.ts";
import { EngineError } from "./engines.ts";
import type { EngineCost } from "./engines.ts";

type Needs = Pick<Services, "db" | "clock">;

/** Answers of a provider that did no work, and asks nothing for it. Of others nobody knows. */
const unbilled: readonly string[] = [
  "rate_limited",
  "unauthorized",
  "quota",
  "invalid_image",
  "refused",
  "unavailable",
];

/**
 * Makes one call of an engine and counts what it costs. A call that costs money is counted before it is made,
 * so that neither a crash nor another call at the same time spends what nobody counted.
 * @throws EngineError `budget_spent`, without a call; what the call throws
 */
export async function meteredCall<Answer extends { costMicros: number | null }>(
  { db, clock }: Needs,
  accountId: string,
  { name, isPaid, callMicros = 0, capMicros = null }: EngineCost,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const at = clock.now();
  const reservation = { accountId, engine: name, micros: callMicros, at };
  if (isPaid && !(await reserveProviderCall(db, reservation, capMicros))) {
    throw new EngineError("budget_spent", { isBudget: true });
  }
  const count = (isFailure: boolean, costMicros: number): Promise<void> =>
    isPaid
      ? settleProviderCall(db, reservation, { isFailure, costMicros })
      : addProviderUsage(db, accountId, [{ engine: name, isFailure, costMicros }], at);
  let answer: Answer;
  try {
    answer = await call();
  } catch (error) {
    const isFree = !isPaid || (error instanceof EngineError && unbilled.includes(error.code));
    await count(true, isFree ? 0 : callMicros);
    throw error;
  }
  await count(false, answer.costMicros ?? (isPaid ? callMicros : 0));
  return answer;
}

/** Why a card of a job is not settled yet: nobody is asked about it before the account may spend more. */
export class BudgetSpentError extends VaultError {
  constructor() {
    super("service_unavailable", { message: "What may be spent at providers is spent." });
  }
}
