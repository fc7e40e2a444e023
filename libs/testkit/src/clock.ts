import type { Clock } from "@cardvault/kit";

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #timeMs: number;

  constructor(start: Date | string = "2026-03-01T12:00:00.000Z") {
    this.#timeMs = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#timeMs);
  }

  /** Moves on by this many milliseconds; a negative number moves back, as a corrected clock would. */
  advance(byMs: number): void {
    this.#timeMs += byMs;
  }

  set(time: Date | string): void {
    this.#timeMs = new Date(time).getTime();
  }
}
