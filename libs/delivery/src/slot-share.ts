import { randomUUID } from "node:crypto";
import type { Database } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import { Batcher } from "./batcher.ts";

export interface SlotShareOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Attempts at once to one endpoint, of all processes together. */
  readonly slots: number;
}

/** Times are those of `performance.now`; those in the row are the clock's. */
interface Holding {
  held: number;
  untilMs: number;
  inFlight: number;
  /** The most in flight since the last look, and in the span before it. */
  peak: number;
  peakBefore: number;
  /** Others hold the rest: nothing is asked for until then. */
  refusedUntilMs: number;
}

interface Ask {
  readonly endpointId: string;
  readonly wanted: number;
}

/** A process that died holds its slots no longer than this. */
const holdMs = 5_000;
const lookEveryMs = 500;
const refusedMs = 100;

// The row's lock makes the sum right: whoever asks second sees what the first was given.
const askStatement = `
insert into webhook_endpoint_slots as s (endpoint_id, holders)
select endpoint_id, jsonb_build_object($3::text, jsonb_build_array(least(wanted, $4::int), $5::bigint))
from unnest($1::uuid[], $2::int[]) as asked (endpoint_id, wanted) order by endpoint_id
on conflict (endpoint_id) do update set holders = (
  select coalesce(jsonb_object_agg(key, value), '{}') || jsonb_build_object($3::text, jsonb_build_array(
    least((excluded.holders -> $3::text ->> 0)::int, greatest(0, $4::int - coalesce(sum((value ->> 0)::int), 0))), $5::bigint))
  from jsonb_each(s.holders) where key <> $3::text and (value ->> 1)::bigint > $6::bigint and (value ->> 0)::int > 0)
returning endpoint_id, (holders -> $3::text ->> 0)::int as held`;

/**
 * This process's part of the slots of each endpoint, which all processes share through PostgreSQL. What
 * was given is used again and again without asking; what was not needed for a second is given back.
 */
export class SlotShare {
  readonly #options: SlotShareOptions;
  readonly #holder = randomUUID();
  readonly #holdings = new Map<string, Holding>();
  readonly #asks: Batcher<Ask, number>;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlotShareOptions) {
    this.#options = options;
    this.#asks = new Batcher({
      run: (asks) => this.#ask(asks),
      maxItems: 100,
      maxRunning: 1,
    });
  }

  /** Whether others hold so much that there is none for one more. */
  isRefused(endpointId: string, inFlight: number): boolean {
    const holding = this.#holdings.get(endpointId);
    if (holding === undefined || inFlight < holding.held) return false;
    return holding.refusedUntilMs > performance.now();
  }

  /** How many may be in flight now. Asks for more where that is fewer than are wanted. */
  async allowed(endpointId: string, inFlight: number): Promise<number> {
    const holding = this.#holdings.get(endpointId) ?? newHolding();
    this.#holdings.set(endpointId, holding);
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
    const nowMs = performance.now();
    if (holding.held >= inFlight && holding.untilMs > nowMs) return holding.held;
    if (holding.refusedUntilMs > nowMs) return holding.held;
    try {
      await this.#want(endpointId, holding, Math.min(this.#options.slots, inFlight * 2));
    } catch (error) {
      // The cap of this process holds all the same.
      this.#options.logger.warn({ err: error }, "slots of an endpoint could not be asked for");
      return this.#options.slots;
    }
    if (holding.held < inFlight) holding.refusedUntilMs = performance.now() + refusedMs;
    return holding.held;
  }

  /** Says how many are in flight, whenever that changes. */
  use(endpointId: string, inFlight: number): void {
    const holding = this.#holdings.get(endpointId);
    if (holding === undefined) return;
    holding.inFlight = inFlight;
    holding.peak = Math.max(holding.peak, inFlight);
  }

  /** Gives all of it back. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const held = [...this.#holdings].filter(([, { held: slots }]) => slots > 0);
    this.#holdings.clear();
    if (held.length === 0) return;
    await this.#ask(held.map(([endpointId]) => ({ endpointId, wanted: 0 }))).catch(
      (error: unknown) => {
        this.#options.logger.warn({ err: error }, "slots of endpoints were not given back");
      },
    );
  }

  #look(): void {
    const nowMs = performance.now();
    for (const [endpointId, holding] of this.#holdings) {
      const needed = Math.max(holding.inFlight, holding.peak, holding.peakBefore);
      holding.peakBefore = holding.peak;
      holding.peak = holding.inFlight;
      const isRenewal = needed > 0 && holding.untilMs - nowMs < holdMs / 2;
      if (needed >= holding.held && !isRenewal) continue;
      if (needed === 0) this.#holdings.delete(endpointId);
      this.#want(endpointId, holding, needed).catch((error: unknown) => {
        this.#options.logger.debug({ err: error }, "slots of an endpoint were not renewed");
      });
    }
    if (this.#holdings.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #want(endpointId: string, holding: Holding, wanted: number): Promise<void> {
    holding.held = await this.#asks.add({ endpointId, wanted });
    holding.untilMs = performance.now() + holdMs;
  }

  async #ask(asks: readonly Ask[]): Promise<number[]> {
    const wanted = new Map<string, number>();
    for (const ask of asks) {
      const id = toUuid(ask.endpointId, "whe");
      wanted.set(id, Math.max(wanted.get(id) ?? 0, ask.wanted));
    }
    const nowMs = this.#options.clock.now().getTime();
    const rows = await this.#options.db.query<{ endpoint_id: string; held: number }>(
      askStatement,
      [
        [...wanted.keys()],
        [...wanted.values()],
        this.#holder,
        this.#options.slots,
        nowMs + holdMs,
        nowMs,
      ],
      "slots-ask",
    );
    const held = new Map(rows.map((row) => [row.endpoint_id, row.held]));
    return asks.map(({ endpointId }) => held.get(toUuid(endpointId, "whe")) ?? 0);
  }
}

function newHolding(): Holding {
  return { held: 0, untilMs: 0, inFlight: 0, peak: 0, peakBefore: 0, refusedUntilMs: 0 };
}
