import type { LiveTopic } from "./live-topic.ts";

export interface LiveWatchOptions {
  readonly topic: LiveTopic;
  readonly userId: string;
  readonly recheckMs: number;
  readonly onClose: () => void;
}

/** One connection's wait for something to happen. What happens while nobody waits is not lost. */
export class LiveWatch {
  readonly #options: LiveWatchOptions;
  #isWoken = false;
  #isRecheckDue = false;
  #checkedAtMs = performance.now();
  #hasEnded = false;
  #resolve = (): void => undefined;

  constructor(options: LiveWatchOptions) {
    this.#options = options;
  }

  get topic(): LiveTopic {
    return this.#options.topic;
  }

  get userId(): string {
    return this.#options.userId;
  }

  /** The process ends. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  wake(): void {
    this.#isWoken = true;
    this.#resolve();
  }

  /** Somebody's rights have changed: maybe those of this connection. */
  recheck(): void {
    this.#isRecheckDue = true;
    this.wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.wake();
  }

  /** Whether the rights are to be looked at again; asking takes it back. */
  takeRecheck(): boolean {
    if (!this.#isRecheckDue && this.#untilRecheckMs() > 0) return false;
    this.#isRecheckDue = false;
    this.#checkedAtMs = performance.now();
    return true;
  }

  /**
   * Until it is woken, the connection is cut, or the rights have not been looked at for long.
   * @returns false where the connection is cut
   */
  async next(signal: AbortSignal | undefined): Promise<boolean> {
    if (!this.#isWoken && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        // Overdue where a busy process comes late to it: Node warns of a time in the past.
        const timer = setTimeout(() => this.recheck(), Math.max(0, this.#untilRecheckMs()));
        this.#resolve = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", this.#resolve);
          resolve();
        };
        signal?.addEventListener("abort", this.#resolve, { once: true });
      });
    }
    this.#resolve = () => undefined;
    this.#isWoken = false;
    return signal?.aborted !== true;
  }

  #untilRecheckMs(): number {
    return this.#checkedAtMs + this.#options.recheckMs - performance.now();
  }

  close(): void {
    this.#options.onClose();
  }
}
