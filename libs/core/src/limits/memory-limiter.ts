import { sharedKey, takenOf, windowMs } from "./limiter.ts";
import type { Limiter, TakeInput, Taken } from "./limiter.ts";

const firstCapacity = 8;
/** A table is swept when this much of the window has passed, so idle keys stay for two windows at most. */
const sweepMs = windowMs;

/** The times of a key's counted requests, oldest first, in a ring that grows with what it holds. */
class Window {
  private times = new Float64Array(firstCapacity);
  private first = 0;
  count = 0;

  at(index: number): number {
    return this.times[(this.first + index) % this.times.length] ?? 0;
  }

  get latest(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.at(this.count - 1);
  }

  forgetUntil(time: number): void {
    while (this.count > 0 && this.at(0) <= time) {
      this.first = (this.first + 1) % this.times.length;
      this.count -= 1;
    }
  }

  add(time: number): void {
    if (this.count === this.times.length) this.grow();
    this.times[(this.first + this.count) % this.times.length] = time;
    this.count += 1;
  }

  private grow(): void {
    const larger = new Float64Array(this.times.length * 2);
    for (let i = 0; i < this.count; i += 1) larger[i] = this.at(i);
    this.times = larger;
    this.first = 0;
  }
}

export interface MemoryLimiter extends Limiter {
  take(input: TakeInput): Taken;
  counted(keys: readonly string[], now: Date): number[];
  /** How many windows are kept now. */
  size(): number;
}

/**
 * Windows in the memory of this process.
 *
 * @param maxKeys the most windows kept at once. A table that is full of windows still in use puts
 *   further keys into a few shared ones: nobody's count is forgotten because others come.
 */
export function createMemoryLimiter({ maxKeys = 100_000 } = {}): MemoryLimiter {
  const windows = new Map<string, Window>();
  let sweepAt = Number.NEGATIVE_INFINITY;

  function sweep(now: number): void {
    sweepAt = now + sweepMs;
    for (const [key, window] of windows) {
      if (window.latest <= now - windowMs) windows.delete(key);
    }
  }

  function windowOf(key: string): Window {
    const known = windows.get(key);
    if (known !== undefined) return known;
    const used = windows.size < maxKeys ? key : sharedKey(key);
    const window = windows.get(used) ?? new Window();
    windows.set(used, window);
    return window;
  }

  return {
    take({ key, limit, now: date }: TakeInput): Taken {
      const given = date.getTime();
      if (given >= sweepAt) sweep(given);
      const window = windowOf(key);
      // A clock that was set back must not reorder the ring.
      const now = Math.max(given, window.latest);
      window.forgetUntil(now - windowMs);
      const allowed = window.count < limit;
      if (allowed) window.add(now);
      const decisive = window.at(Math.max(0, window.count - limit));
      return takenOf(allowed, limit, window.count, window.at(0), decisive, now);
    },
    counted(keys, now) {
      return keys.map((key) => {
        const window = windows.get(key);
        if (window === undefined) return 0;
        window.forgetUntil(Math.max(now.getTime(), window.latest) - windowMs);
        return window.count;
      });
    },
    close() {
      windows.clear();
      return Promise.resolve();
    },
    size: () => windows.size,
  };
}
