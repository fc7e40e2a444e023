import { VaultError } from "@cardvault/contract";

export interface BatcherOptions<Item, Result> {
  /** Works on all of them; answers in the same order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Batches at once. */
  readonly maxRunning: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one statement of what is asked for at about the same time. Nothing waits for company: a batch
 * starts at once while fewer than the maximum run, with all that was asked for in this turn of the
 * event loop, and what comes meanwhile goes together when one of them ends.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= this.#options.maxRunning) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.#options.maxRunning) {
        void this.#start(this.#waiting.splice(0, this.#options.maxItems));
      }
    });
  }

  async #start(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#running += 1;
    await this.#run(batch);
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const isAway = error instanceof VaultError && error.code === "service_unavailable";
      if (batch.length === 1 || isAway) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One that PostgreSQL refuses must not take the others with it.
      await Promise.all(batch.map((one) => this.#run([one])));
    }
  }
}
