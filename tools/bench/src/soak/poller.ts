import type { Measure } from "./measure.ts";
import { pace } from "./pace.ts";
import type { ApiClients, ClientAccount } from "./api-clients.ts";

interface CardPage {
  readonly data: readonly { readonly id: string; readonly version: number }[];
  readonly next_cursor: string | null;
  readonly next_updated_since?: string;
}

const pageSize = 100;
const pollsPerSecond = 0.5;

/** A client that knows only the documented way: pages by cursor, then on from `next_updated_since`. */
export class Poller {
  /** The latest version that was seen of each card. */
  readonly seen = new Map<string, number>();
  readonly account: ClientAccount;
  readonly #clients: ApiClients;
  readonly #measure: Measure;
  #since: string;
  #polling: Promise<void> = Promise.resolve();

  constructor(clients: ApiClients, measure: Measure, account: ClientAccount, since: string) {
    this.#clients = clients;
    this.#measure = measure;
    this.account = account;
    this.#since = since;
  }

  run(signal: AbortSignal): Promise<void> {
    return pace(pollsPerSecond, signal, () => this.poll());
  }

  /** Everything from where the last poll ended to the end; one poll at a time. */
  poll(): Promise<void> {
    this.#polling = this.#polling.then(() => this.#pollNow());
    return this.#polling;
  }

  async #pollNow(): Promise<void> {
    const query = new URLSearchParams({ updated_since: this.#since, limit: String(pageSize) });
    for (let isLast = false; !isLast;) {
      let page: CardPage | undefined;
      await this.#measure.time("poll", performance.now(), async () => {
        const { status, text } = await this.#clients.ask(this.account, "GET", `/cards?${query}`);
        if (status !== 200) throw new Error(`${status}: ${text.slice(0, 300)}`);
        page = JSON.parse(text) as CardPage;
      });
      // A failure is counted, and the next poll begins where this one did.
      if (page === undefined) return;
      for (const { id, version } of page.data) {
        this.seen.set(id, Math.max(version, this.seen.get(id) ?? 0));
      }
      isLast = page.next_cursor === null;
      if (page.next_cursor === null) this.#since = page.next_updated_since ?? this.#since;
      else query.set("cursor", page.next_cursor);
    }
  }
}
