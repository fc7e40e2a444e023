import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@cardvault/kit";
import type { CallReport, ProviderFailure, ProviderFailureCode, ProviderName } from "../ports.ts";
import { ProviderError } from "./provider-error.ts";
import type { Slots } from "./slots.ts";
import type { ProviderRate, ProviderTurns } from "./turns.ts";

/** How a provider is called, whatever is asked of it. */
export interface CallRules {
  readonly provider: ProviderName;
  /** Over everything: waiting for a turn, every try, every pause. */
  readonly deadlineMs: number;
  /** Of requests, the first one included. */
  readonly maxTries: number;
  readonly rate: ProviderRate;
  readonly maxAnswerBytes: number;
}

/** What every adapter is given, once a process. */
export interface CallHouse {
  readonly logger: Logger;
  readonly turns: ProviderTurns;
  /** Told of every call that ended. Must not throw. */
  readonly onOutcome?: ((outcome: CallOutcome) => void) | undefined;
  /** 0 to 1; for tests. */
  readonly random?: (() => number) | undefined;
}

export interface CallOutcome {
  readonly provider: ProviderName;
  /** Null where it answered. */
  readonly code: ProviderFailureCode | null;
  readonly durationMs: number;
}

/** One try: what is found, and what it cost where that is known. */
export interface Tried<Found> {
  readonly found: Found;
  readonly model?: string | null | undefined;
  readonly costMicros?: number | null | undefined;
}

const firstPauseMs = 400;

/**
 * Calls a provider under one deadline: waits for a place and a turn, tries, and tries again after what the
 * provider calls passing, with a growing pause of random length or the one that it asks for. Never throws.
 */
export async function callProvider<Found extends object>(
  house: CallHouse,
  rules: CallRules,
  slots: Slots,
  callerSignal: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<Tried<Found>>,
): Promise<({ readonly ok: true; readonly report: CallReport } & Found) | ProviderFailure> {
  const { provider, deadlineMs } = rules;
  const started = performance.now();
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = callerSignal === undefined ? deadline : AbortSignal.any([callerSignal, deadline]);
  const leftMs = (): number => deadlineMs - (performance.now() - started);
  let tries = 0;
  const report = (tried?: Pick<Tried<Found>, "model" | "costMicros">): CallReport => ({
    provider,
    model: tried?.model ?? null,
    durationMs: Math.round(performance.now() - started),
    tries,
    costMicros: tried?.costMicros ?? null,
  });
  let giveBack: (() => void) | undefined;
  try {
    giveBack = await slots.take(signal);
    for (;;) {
      await waitForTurn(house, rules, leftMs(), signal);
      tries += 1;
      try {
        const tried = await attempt(signal);
        house.onOutcome?.({ provider, code: null, durationMs: performance.now() - started });
        return { ...tried.found, ok: true, report: report(tried) };
      } catch (error) {
        const failure = asProviderError(error, signal, callerSignal);
        if (failure.code === "rate_limited" && failure.retryAfterMs !== null) {
          await house.turns.hold(provider, rules.rate, failure.retryAfterMs);
        }
        if (!failure.isPassing || tries >= rules.maxTries) throw failure;
        const pauseMs = failure.retryAfterMs ?? pauseBefore(tries, house.random ?? Math.random);
        // What cannot end in time is told now.
        if (pauseMs >= leftMs()) throw failure;
        await pause(pauseMs, undefined, { signal });
      }
    }
  } catch (error) {
    const failure = asProviderError(error, signal, callerSignal);
    const { code, retryAfterMs } = failure;
    const told = report();
    house.logger.warn(
      {
        provider,
        code,
        tries,
        durationMs: told.durationMs,
        detail: failure.detail,
        err: failure.cause,
      },
      "a provider failed",
    );
    if (code !== "cancelled") {
      house.onOutcome?.({ provider, code, durationMs: told.durationMs });
    }
    return { ok: false, code, retryAfterMs, report: told };
  } finally {
    giveBack?.();
  }
}

async function waitForTurn(
  { turns }: CallHouse,
  { provider, rate }: CallRules,
  leftMs: number,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = await turns.take(provider, rate, Math.max(0, leftMs));
  if (waitMs === null) {
    throw new ProviderError("rate_limited", {
      isPassing: false,
      detail: "Our own count of what the provider allows.",
    });
  }
  if (waitMs > 0) await pause(waitMs, undefined, { signal });
}

/** Half to whole of 400 ms, then of twice that, and so on: callers that failed together do not return together. */
function pauseBefore(tries: number, random: () => number): number {
  return firstPauseMs * 2 ** (tries - 1) * (0.5 + random() / 2);
}

function asProviderError(
  error: unknown,
  signal: AbortSignal,
  callerSignal: AbortSignal | undefined,
): ProviderError {
  const thrown = providerErrorWithin(error);
  if (callerSignal?.aborted === true) return new ProviderError("cancelled", { cause: error });
  if (signal.aborted) return new ProviderError("timeout", { cause: error });
  return thrown ?? new ProviderError("unavailable", { cause: error });
}

/** Libraries wrap what their `fetch` threw. */
function providerErrorWithin(error: unknown): ProviderError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth += 1) {
    if (at instanceof ProviderError) return at;
    at = at.cause;
  }
  return undefined;
}
