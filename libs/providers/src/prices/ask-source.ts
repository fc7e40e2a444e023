import type { Line } from "../adapter.ts";
import { callProvider } from "../call/call-provider.ts";
import type { Tried } from "../call/call-provider.ts";
import type { ProviderFailure, Quote, Quotes } from "../ports.ts";

interface Found {
  readonly quotes: readonly Quote[] | null;
}

/** Asks a source. Where there is nothing to ask it, no turn is taken and nothing is sent. */
export function askSource(
  line: Line,
  signal: AbortSignal | undefined,
  ask: ((trySignal: AbortSignal) => Promise<Tried<Found>>) | null,
): Promise<Quotes | ProviderFailure> {
  if (ask === null) {
    const { provider } = line.rules;
    const report = { provider, model: null, durationMs: 0, tries: 0, costMicros: null };
    return Promise.resolve({ ok: true, quotes: null, report });
  }
  return callProvider<Found>(line.house, line.rules, line.slots, signal, ask);
}
