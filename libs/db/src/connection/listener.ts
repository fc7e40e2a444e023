import type { Logger } from "@cardvault/kit";
import pg from "pg";

export interface Subscription {
  close(): Promise<void>;
  /** False while the connection is away: what is told then is not heard. */
  connected(): boolean;
}

interface Subscriber {
  channel: string;
  onNotify: (payload: string) => void;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/**
 * One connection for all LISTENs of a process, made again whenever it is lost. It is never a
 * connection of a pool: that would be given away with its subscriptions.
 */
export class Listener {
  readonly #url: string;
  readonly #applicationName: string;
  readonly #logger: Logger | undefined;
  readonly #subscribers = new Set<Subscriber>();
  #client: pg.Client | undefined;
  #isConnected = false;
  #connecting: Promise<void> | undefined;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, applicationName: string, logger: Logger | undefined) {
    this.#url = url;
    this.#applicationName = applicationName;
    this.#logger = logger;
  }

  /** Resolves when the channel is listened to, or when the first try has failed and others follow. */
  async listen(channel: string, onNotify: (payload: string) => void): Promise<Subscription> {
    const subscriber = { channel, onNotify };
    this.#subscribers.add(subscriber);
    await this.#connect();
    if (this.#isConnected) await this.#send(`listen ${pg.escapeIdentifier(channel)}`);
    return {
      connected: () => this.#isConnected,
      close: async () => {
        this.#subscribers.delete(subscriber);
        const isStillWanted = [...this.#subscribers].some((other) => other.channel === channel);
        if (this.#isConnected && !isStillWanted) {
          await this.#send(`unlisten ${pg.escapeIdentifier(channel)}`);
        }
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    this.#isConnected = false;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** A failing statement means a lost connection, which has its own way of being mended. */
  async #send(statement: string): Promise<void> {
    await this.#client?.query(statement).catch((error: unknown) => this.#lost(this.#client, error));
  }

  #connect(): Promise<void> {
    if (this.#isConnected || this.#isClosed) return Promise.resolve();
    this.#connecting ??= this.#connectOnce().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connectOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: `${this.#applicationName}-listen`,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#client = client;
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, undefined));
    client.on("notification", ({ channel, payload }) => {
      for (const subscriber of this.#subscribers) {
        if (subscriber.channel === channel) subscriber.onNotify(payload ?? "");
      }
    });
    try {
      await client.connect();
      const channels = new Set([...this.#subscribers].map((subscriber) => subscriber.channel));
      for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      this.#isConnected = this.#client === client;
      this.#pauseMs = firstPauseMs;
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #lost(client: pg.Client | undefined, error: unknown): void {
    if (client === undefined || client !== this.#client) return;
    this.#client = undefined;
    this.#isConnected = false;
    void client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#logger?.warn({ err: error }, "the connection that listens was lost and is made again");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
