import { maxLiveConnections, VaultError } from "@cardvault/contract";
import { liveChannel, readLiveDigests } from "@cardvault/db";
import type { Database, Subscription } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import { principalsChannel } from "../keys/principal-cache.ts";
import { LiveTopic } from "./live-topic.ts";
import { LiveWatch } from "./live-watch.ts";

export interface LiveTimes {
  /** How soon a change shows of which no notification came. */
  readonly pollMs: number;
  /** How soon a right that was lost ends a connection where no notification of it came. */
  readonly recheckMs: number;
  /** The least time between two messages of an account's changes. */
  readonly restMs: number;
}

export interface LiveHubOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times?: Partial<LiveTimes> | undefined;
}

/** Who follows accounts in this process, and what wakes them. */
export interface LiveHub {
  /**
   * Begins to follow an account.
   * @throws VaultError `rate_limit_exceeded` where the person has too many connections to this process;
   * `service_unavailable` while it ends
   */
  open(accountId: string, userId: string): Promise<LiveWatch>;
  /** Connections there are. */
  connections(): number;
  /** Ends all connections; those who had one come again, to another process. */
  close(): Promise<void>;
}

const defaultTimes: LiveTimes = { pollMs: 2_000, recheckMs: 30_000, restMs: 100 };
const comeAgainSeconds = 30;

/**
 * A connection holds no queue: it is woken, and reads what has changed since its own position. So one that
 * is slow costs nothing but its socket. A notification of each commit wakes; a look at the clocks of all
 * followed accounts, by one statement, is the guarantee.
 */
export function createLiveHub(options: LiveHubOptions): LiveHub {
  return new Hub(options);
}

class Hub implements LiveHub {
  readonly #options: LiveHubOptions;
  readonly #times: LiveTimes;
  readonly #topics = new Map<string, LiveTopic>();
  readonly #watches = new Set<LiveWatch>();
  #listening: Promise<Subscription[]> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
  }

  async open(accountId: string, userId: string): Promise<LiveWatch> {
    if (this.#isClosed) throw new VaultError("service_unavailable");
    const held = [...this.#watches].filter((watch) => watch.userId === userId).length;
    if (held >= maxLiveConnections) {
      throw new VaultError("rate_limit_exceeded", { retryAfterSeconds: comeAgainSeconds });
    }
    const topic = this.#topicOf(accountId);
    const watch = new LiveWatch({
      topic,
      userId,
      recheckMs: this.#times.recheckMs,
      onClose: () => this.#forget(watch),
    });
    topic.watches.add(watch);
    this.#watches.add(watch);
    // Before anything is read: what commits after that wakes.
    await this.#listen();
    return watch;
  }

  connections(): number {
    return this.#watches.size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const watch of this.#watches) watch.end();
    const subscriptions = await this.#listening;
    await Promise.all((subscriptions ?? []).map((one) => one.close()));
    await this.#looking;
  }

  #topicOf(accountId: string): LiveTopic {
    const { db, clock } = this.#options;
    const topic =
      this.#topics.get(accountId) ??
      new LiveTopic({ db, clock, accountId, restMs: this.#times.restMs });
    this.#topics.set(accountId, topic);
    return topic;
  }

  #forget(watch: LiveWatch): void {
    const { topic } = watch;
    this.#watches.delete(watch);
    topic.watches.delete(watch);
    if (topic.watches.size > 0) return;
    topic.stop();
    if (this.#topics.get(topic.accountId) === topic) this.#topics.delete(topic.accountId);
  }

  #listen(): Promise<unknown> {
    const { db } = this.#options;
    this.#timer ??= setInterval(() => this.#poll(), this.#times.pollMs).unref();
    this.#listening ??= Promise.all([
      db.listen(liveChannel, (accountId) => this.#topics.get(accountId)?.wake()),
      db.listen(principalsChannel, () => {
        for (const watch of this.#watches) watch.recheck();
      }),
    ]);
    return this.#listening;
  }

  /** One at a time: a slow database is not asked again before it has answered. */
  #poll(): void {
    if (this.#topics.size === 0) return;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async #look(): Promise<void> {
    const { db, clock, logger } = this.#options;
    try {
      const jobsSince = LiveTopic.jobsSince(clock.now());
      const digests = await readLiveDigests(db, [...this.#topics.keys()], jobsSince);
      for (const [accountId, digest] of digests) this.#topics.get(accountId)?.compare(digest);
    } catch (error) {
      logger.warn({ err: error }, "followed accounts could not be looked at");
    }
  }
}
