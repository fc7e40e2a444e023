import type { Logger } from "@cardvault/kit";
import type { Pool } from "pg";

const quietMs = 20;

/**
 * Sends NOTIFY outside of any transaction, because inside one it makes all commits of the cluster
 * wait for each other. The same channel and payload is sent at most once per 20 ms; one that is lost
 * is lost, since every listener polls too.
 */
export class Notifier {
  readonly #pool: Pool;
  readonly #logger: Logger | undefined;
  readonly #pending = new Map<string, { channel: string; payload: string }>();
  #timer: NodeJS.Timeout | undefined;
  #lastSentAt = 0;
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** The pool is the notifier's own, of one connection. */
  constructor(pool: Pool, logger: Logger | undefined) {
    this.#pool = pool;
    this.#logger = logger;
  }

  notify(channel: string, payload: string): void {
    if (this.#isClosed) return;
    this.#pending.set(`${channel}\n${payload}`, { channel, payload });
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#lastSentAt + quietMs - performance.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#flush();
    await this.#sending;
    await this.#pool.end();
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    this.#lastSentAt = performance.now();
    const messages = [...this.#pending.values()];
    this.#pending.clear();
    this.#sending = this.#sending.then(() => this.#send(messages));
  }

  async #send(messages: { channel: string; payload: string }[]): Promise<void> {
    try {
      await this.#pool.query({
        name: "notify",
        text: "select pg_notify(m.channel, m.payload) from unnest($1::text[], $2::text[]) as m (channel, payload)",
        values: [messages.map((one) => one.channel), messages.map((one) => one.payload)],
      });
    } catch (error) {
      this.#logger?.warn({ err: error }, "a notification could not be sent");
    }
  }
}
