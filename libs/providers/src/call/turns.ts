import type { ProviderName } from "../ports.ts";

/** How often a provider may be called, as it says itself. */
export interface ProviderRate {
  readonly perMinute: number;
  /** How many calls may come at once after a rest. */
  readonly burst: number;
}

/**
 * Gives out the turns at a provider: a token bucket. One process keeps it in memory; several share it,
 * by the statements of `takeProviderTurn` and `holdProvider` in libs/db.
 */
export interface ProviderTurns {
  /** How many milliseconds to wait for the next turn; null, and none is taken, where that is longer than `maxWaitMs`. */
  take(provider: ProviderName, rate: ProviderRate, maxWaitMs: number): Promise<number | null>;
  /** Nobody calls it for so long: it said so itself. */
  hold(provider: ProviderName, rate: ProviderRate, forMs: number): Promise<void>;
}

/** Kept as the moment at which all turns that were given out have passed at the provider's rate (GCRA). */
export function createMemoryTurns(nowMs: () => number = () => performance.now()): ProviderTurns {
  const busyUntil = new Map<ProviderName, number>();
  const spacingOf = (rate: ProviderRate): number => 60_000 / rate.perMinute;
  return {
    take: (provider, rate, maxWaitMs) => {
      const now = nowMs();
      const next = Math.max(busyUntil.get(provider) ?? 0, now) + spacingOf(rate);
      const waitMs = Math.max(0, next - now - rate.burst * spacingOf(rate));
      if (waitMs > maxWaitMs) return Promise.resolve(null);
      busyUntil.set(provider, next);
      return Promise.resolve(waitMs);
    },
    hold: (provider, rate, forMs) => {
      const until = nowMs() + forMs + (rate.burst - 1) * spacingOf(rate);
      busyUntil.set(provider, Math.max(busyUntil.get(provider) ?? 0, until));
      return Promise.resolve();
    },
  };
}
