import { maxLiveIds } from "@cardvault/contract";
import { readAccountChanges, readLiveState } from "@cardvault/db";
import type { AccountChanges, Database, LiveState } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import type { LiveWatch } from "./live-watch.ts";

/** Jobs that changed within this time are told again, and known ones are left out. */
const jobsForMs = 2 * 60_000;

export interface LiveTopicOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly accountId: string;
  readonly restMs: number;
}

/** One account that is followed in this process. Those who follow it share what is read. */
export class LiveTopic {
  readonly watches = new Set<LiveWatch>();
  readonly #options: LiveTopicOptions;
  readonly #changes = new Map<string, Promise<AccountChanges | undefined>>();
  #state: Promise<LiveState> | undefined;
  #digest: string | undefined;
  #wokenAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveTopicOptions) {
    this.#options = options;
  }

  static jobsSince(now: Date): Date {
    return new Date(now.getTime() - jobsForMs);
  }

  get accountId(): string {
    return this.#options.accountId;
  }

  /** Something has changed. Many changes shortly after each other wake once at the begin, and once after them. */
  wake(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#wokenAtMs + this.#options.restMs - performance.now();
    this.#timer = setTimeout(() => this.#wakeNow(), Math.max(0, waitMs));
  }

  /** Wakes where the account is not as it was at the last look. */
  compare(digest: string): void {
    const before = this.#digest;
    this.#digest = digest;
    if (before !== digest) this.wake();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Kept until the next wake. One more of a kind than can be told says that there are too many. */
  changesSince(position: Date): Promise<AccountChanges | undefined> {
    const { db, accountId } = this.#options;
    const key = position.toISOString();
    const known = this.#changes.get(key);
    if (known !== undefined) return known;
    const reading = readAccountChanges(db, accountId, position, maxLiveIds + 1);
    this.#changes.set(key, reading);
    reading.catch(() => this.#changes.delete(key));
    return reading;
  }

  state(): Promise<LiveState> {
    const { db, clock, accountId } = this.#options;
    if (this.#state !== undefined) return this.#state;
    const reading = readLiveState(db, accountId, LiveTopic.jobsSince(clock.now()));
    this.#state = reading;
    reading.catch(() => (this.#state = undefined));
    return reading;
  }

  #wakeNow(): void {
    this.#timer = undefined;
    this.#wokenAtMs = performance.now();
    this.#changes.clear();
    this.#state = undefined;
    for (const watch of this.watches) watch.wake();
  }
}
