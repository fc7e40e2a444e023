import type { Access } from "../adapter.ts";

export const generativeProviders = ["google", "anthropic", "openai_compatible"] as const;
export type GenerativeProvider = (typeof generativeProviders)[number];

export interface GenerativeAccess extends Access {
  readonly provider: GenerativeProvider;
  readonly model: string;
  /** In US cents for a million tokens; null where it is not known. */
  readonly inputCents?: number | null | undefined;
  readonly outputCents?: number | null | undefined;
}
