import type { SourceFailure } from "@cardvault/contract";
import { addProviderUsage, readProviderBudget } from "@cardvault/db";
import type { ProviderCall } from "@cardvault/db";
import type { PriceQuote } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { EngineError, sourceFailureOf } from "../identify/engines.ts";
import type { PriceEngine, PricedThing } from "../identify/engines.ts";
import type { Services } from "../services.ts";

/** What all sources said, and why some said nothing. */
export interface AskedSources {
  quotes: PriceQuote[];
  failures: { source: string; error: SourceFailure }[];
  /** Every source that was asked cannot be reached now. When one may be asked again, where it says so. */
  outage: { retryAfterMs: number | undefined } | null;
}

export const lookupPatienceMs = 20_000;

type Needs = Pick<Services, "db" | "clock" | "logger" | "engines">;

/** Asks all price sources at once. One that fails is named and holds nobody up. */
export async function askSources(
  needs: Needs,
  access: Access,
  thing: PricedThing,
  patienceMs: number = lookupPatienceMs,
): Promise<AskedSources> {
  const { db, clock, engines } = needs;
  const { accountId } = access;
  const all = engines(access).prices;
  const title = thing.fields.title ?? thing.fields.subject ?? null;
  if (title === null) return { quotes: [], failures: [], outage: null };
  const affordable = await affordableOf(needs, accountId, all);
  const signal = AbortSignal.timeout(patienceMs);
  const said = await Promise.all(
    affordable.map((engine) => askSource(needs, engine, thing, signal)),
  );
  const calls = said.map(({ call }) => call);
  await addProviderUsage(db, accountId, calls, clock.now());
  const outages = said.flatMap(({ outage }) => (outage === null ? [] : [outage]));
  const isOut = said.length > 0 && outages.length === said.length;
  return {
    quotes: said.flatMap(({ quotes }) => quotes),
    failures: [
      ...said.flatMap(({ failure }) => (failure === null ? [] : [failure])),
      ...all
        .filter((engine) => !affordable.includes(engine))
        .map(({ name }) => ({ source: name, error: "error" as const })),
    ],
    outage: isOut
      ? (outages.find((one) => one.retryAfterMs !== undefined) ?? outages[0] ?? null)
      : null,
  };
}

async function affordableOf(
  { db, clock }: Needs,
  accountId: string,
  all: readonly PriceEngine[],
): Promise<readonly PriceEngine[]> {
  if (!all.some(({ isPaid }) => isPaid)) return all;
  const { budgetMicros, spentMicros } = await readProviderBudget(db, accountId, clock.now());
  const isSpent = budgetMicros !== null && spentMicros >= budgetMicros;
  return isSpent ? all.filter(({ isPaid }) => !isPaid) : all;
}

interface Said {
  quotes: readonly PriceQuote[];
  failure: AskedSources["failures"][number] | null;
  call: ProviderCall;
  outage: AskedSources["outage"];
}

async function askSource(
  { logger }: Needs,
  engine: PriceEngine,
  thing: PricedThing,
  signal: AbortSignal,
): Promise<Said> {
  const { name } = engine;
  try {
    const { quotes, costMicros } = await withinPatience(engine.quote(thing, signal), signal);
    const call = { engine: name, isFailure: false, costMicros };
    const failure = quotes.length === 0 ? { source: name, error: "no_match" as const } : null;
    return { quotes, failure, call, outage: null };
  } catch (thrown) {
    const error = sourceFailureOf(thrown);
    logger.warn({ err: thrown, source: name, error }, "a price source failed");
    const isOut = thrown instanceof EngineError && (thrown.isOutage || thrown.isTimeout);
    return {
      quotes: [],
      failure: { source: name, error },
      call: { engine: name, isFailure: true, costMicros: null },
      outage: isOut ? { retryAfterMs: thrown.retryAfterMs } : null,
    };
  }
}

/** A source that does not mind its signal is left behind. */
async function withinPatience<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new EngineError("timeout", { isTimeout: true }));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([call, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    promise.catch(() => undefined);
  }
}
