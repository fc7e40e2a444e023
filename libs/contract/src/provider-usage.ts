import * as z from "zod";

/** Millionths of a US dollar: a call costs fractions of a cent. */
const micros = z.int().min(0).max(1_000_000_000_000);

/** `identifications.usage`: what the account's calls of providers have cost since the month began (UTC). */
export const providerUsageAnswer = z.strictObject({
  /** Null: no end. */
  budget_micros: micros.nullable(),
  spent_micros: z.int().min(0),
  engines: z.array(
    z.strictObject({
      engine: z.string(),
      calls: z.int().min(0),
      failures: z.int().min(0),
      /** Calls that are under way stand here at what they are reckoned at. */
      cost_micros: z.int().min(0),
      /** What the account may spend at it in the month, by the installation or an operator. Null: no end. */
      cap_micros: z.int().min(0).nullable(),
    }),
  ),
});
export type ProviderUsage = z.output<typeof providerUsageAnswer>;

/**
 * `identifications.setBudget` (owner): what a month may cost. Once it is spent, engines that cost money are
 * not asked. Null: no end. Answers the usage.
 */
export const providerBudgetInput = z.strictObject({ budget_micros: micros.nullable() });
