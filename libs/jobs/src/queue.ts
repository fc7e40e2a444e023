import { toId } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import type { JobStore, QueueEntry } from "./stores/job-store.ts";
import type { WakeChannel } from "./wake-channel.ts";
import type { LaneFacts, WorkSource } from "./work-source.ts";

/** How soon a job of a lane should be put there for Agenda to be woken instead of ticking. */
const soonMs = 100;

/** The store, told in the terms of work: due by our clock, in the lane of its row. */
export class Queue {
  readonly #store: JobStore;
  readonly #clock: Clock;
  readonly #channel: WakeChannel;
  readonly #logger: Logger;
  readonly #lockMs: number;
  #isPrepared = false;
  #preparing: Promise<void> | undefined;
  #isAway = false;

  constructor(options: {
    readonly store: JobStore;
    readonly clock: Clock;
    readonly channel: WakeChannel;
    readonly logger: Logger;
    readonly lockMs: number;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#channel = options.channel;
    this.#logger = options.logger;
    this.#lockMs = options.lockMs;
  }

  /** Throws while the store is away. */
  async prepare(): Promise<void> {
    this.#preparing ??= this.#store.prepare().finally(() => {
      this.#preparing = undefined;
    });
    await this.#preparing;
    this.#isPrepared = true;
  }

  /** After a failure the store is asked first, so that no row is stamped in vain. */
  async isReachable(): Promise<boolean> {
    try {
      if (!this.#isPrepared) await this.prepare();
      else if (this.#isAway) await this.#store.ping();
    } catch (error) {
      this.#away(error);
      return false;
    }
    if (this.#isAway) this.#logger.info("the job store answers again");
    this.#isAway = false;
    return true;
  }

  /** Told once, and not at every try. */
  #away(error: unknown): void {
    if (!this.#isAway) {
      this.#logger.warn({ err: error }, "the job store is away; work waits in the database");
    }
    this.#isAway = true;
  }

  async put(
    source: WorkSource,
    rows: readonly (LaneFacts & { readonly id: string; readonly due: Date })[],
  ): Promise<void> {
    const nowMs = Date.now();
    const entries = rows.map((row): QueueEntry => ({
      lane: source.laneOf(row),
      dataMember: source.dataMember,
      id: toId(source.idPrefix, row.id),
      runAt: this.machineTime(row.due),
    }));
    try {
      await this.#store.put(entries, new Date(nowMs - this.#lockMs));
    } catch (error) {
      this.#away(error);
      throw error;
    }
    const soon = entries.filter(({ runAt }) => runAt.getTime() <= nowMs + soonMs);
    for (const lane of new Set(soon.map(({ lane: name }) => name))) this.#channel.wake(lane);
  }

  /** A time of our clock as one of the machine's, by which Agenda runs. */
  machineTime(at: Date): Date {
    return new Date(Date.now() + at.getTime() - this.#clock.now().getTime());
  }
}
