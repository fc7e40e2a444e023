import * as z from "zod";
import { timestamp } from "./text.ts";

/** How a provider fares, for the settings page. Counts are the whole installation's. */
const providerHealth = z.strictObject({
  provider: z.string(),
  /** `failing`: its last three calls or more failed. */
  state: z.enum(["working", "failing"]),
  last_error: z.string().nullable().meta({ description: "A code, never a provider's text." }),
  last_succeeded_at: timestamp.nullable(),
  last_failed_at: timestamp.nullable(),
  average_ms: z.int().min(0).nullable(),
  /** Null for who is no operator: it would tell what other accounts do. */
  counts: z.strictObject({ succeeded: z.int().min(0), failed: z.int().min(0) }).nullable(),
});

/** `providers.health` (session, owner): every provider that was ever called. */
export const providerHealthAnswer = z.strictObject({ data: z.array(providerHealth) });
export type ProviderHealth = z.output<typeof providerHealth>;
