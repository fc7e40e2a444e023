import { median } from "../statistics.ts";

/** A figure in the second quarter of a run and in the last: medians of equal spans. */
export interface Trend {
  readonly second: number;
  readonly last: number;
}

/**
 * The first quarter is left out: connections, caches and compiled code come to be in it. What goes on
 * growing shows between the second quarter and the last.
 * @param values one a span, in their order; those that are no number are left out
 */
export function trendOf(values: readonly number[]): Trend {
  const quarter = values.length / 4;
  const middle = (from: number, to: number): number =>
    median(values.slice(Math.floor(from), Math.floor(to)).filter((value) => !Number.isNaN(value)));
  return { second: middle(quarter, 2 * quarter), last: middle(3 * quarter, values.length) };
}

/** By how many hundredths the last quarter is above the second. */
export function growthPercent({ second, last }: Trend): number {
  return (last / second - 1) * 100;
}

/**
 * How many times slower the last quarter is. What is faster than the floor counts as that fast: the
 * scheduler of a busy machine makes three milliseconds into six, and that says nothing about the service.
 */
export function slowdown({ second, last }: Trend, floorMs: number): number {
  return Math.max(last, floorMs) / Math.max(second, floorMs);
}
