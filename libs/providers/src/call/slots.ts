/** Lets at most so many run at a time; the others wait in the order in which they came. */
export class Slots {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits for a place. Answers what gives it back. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running < this.#most) this.#running += 1;
    else await this.#wait(signal);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const next = this.#waiting.shift();
      // The place goes on to the next one as it is.
      if (next === undefined) this.#running -= 1;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      this.#waiting.push(start);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }
}
