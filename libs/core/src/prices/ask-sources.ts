import type { SourceFailure } from "@cardvault/contract";
import type { PriceQuote } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { EngineError, sourceFailureOf } from "../identify/engines.ts";
import type { PriceEngine, PricedThing } from "../identify/engines.ts";
import { meteredCall } from "../identify/metered-call.ts";
import type { Services } from "../services.ts";

/** What all sources said, and why some said nothing. */
export interface AskedSources {
  quotes: PriceQuote[];
  failures: { source: string; error: SourceFailure }[];
  /**
   * No source can be asked now. When one may be asked again, where it says so; `isBudget` where all of them
   * would cost more than the account may spend.
   */
  outage: { retryAfterMs: number | undefined; isBudget: boolean } | null;
}

const lookupPatienceMs = 20_000;

type Needs = Pick<Services, "db" | "clock" | "logger" | "engines">;

/** Asks all price sources at once. One that fails is named and holds nobody up. */
export async function askSources(
  needs: Needs,
  access: Access,
  thing: PricedThing,
  patienceMs: number = lookupPatienceMs,
): Promise<AskedSources> {
  const all = needs.engines(access).prices;
  const title = thing.fields.title ?? thing.fields.subject ?? null;
  if (title === null) return { quotes: [], failures: [], outage: null };
  const signal = AbortSignal.timeout(patienceMs);
  const said = await Promise.all(
    all.map((engine) => askSource(needs, access.accountId, engine, thing, signal)),
  );
  const outages = said.flatMap(({ outage }) => (outage === null ? [] : [outage]));
  const isOut = said.length > 0 && outages.length === said.length;
  return {
    quotes: said.flatMap(({ quotes }) => quotes),
    failures: said.flatMap(({ failure }) => (failure === null ? [] : [failure])),
    // Who is away comes back sooner than money.
    outage: isOut
      ? (outages.find((one) => one.retryAfterMs !== undefined) ??
        outages.find((one) => !one.isBudget) ??
        outages[0] ??
        null)
      : null,
  };
}

interface Said {
  quotes: readonly PriceQuote[];
  failure: AskedSources["failures"][number] | null;
  outage: AskedSources["outage"];
}

async function askSource(
  needs: Needs,
  accountId: string,
  engine: PriceEngine,
  thing: PricedThing,
  signal: AbortSignal,
): Promise<Said> {
  const { name } = engine;
  try {
    const { quotes } = await meteredCall(needs, accountId, engine, () =>
      withinPatience(engine.quote(thing, signal), signal),
    );
    const failure = quotes.length === 0 ? { source: name, error: "no_match" as const } : null;
    return { quotes, failure, outage: null };
  } catch (thrown) {
    const error = sourceFailureOf(thrown);
    needs.logger.warn({ err: thrown, source: name, error }, "a price source failed");
    const isOut =
      thrown instanceof EngineError && (thrown.isOutage || thrown.isTimeout || thrown.isBudget);
    return {
      quotes: [],
      failure: { source: name, error },
      outage: isOut ? { retryAfterMs: thrown.retryAfterMs, isBudget: thrown.isBudget } : null,
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
