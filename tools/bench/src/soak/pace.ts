import { setTimeout as wait } from "node:timers/promises";

/** So many are under way at once at most: what stands still is not asked without end. */
const mostAtOnce = 8;

/**
 * Begins a piece of work at even distances until the signal comes, whether those before have ended or not.
 * Resolves when the last has ended.
 * @param work is told when it was due, on the clock of `performance.now()`
 */
export async function pace(
  perSecond: number,
  signal: AbortSignal,
  work: (turn: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const startMs = performance.now();
  for (let turn = 0; !signal.aborted; turn += 1) {
    const dueMs = startMs + (turn * 1_000) / perSecond;
    await wait(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) break;
    while (running.size >= mostAtOnce) await Promise.race(running);
    const piece = work(turn, dueMs).finally(() => running.delete(piece));
    running.add(piece);
  }
  await Promise.all(running);
}

/**
 * Does a piece of work again and again, each begun so long after the one before was begun, or at once where
 * that took longer. Ends with the piece that is under way when the signal comes.
 */
export async function repeat(
  everyMs: number,
  signal: AbortSignal,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const nextMs = performance.now() + everyMs;
    await work(turn);
    const restMs = Math.max(0, nextMs - performance.now());
    await wait(restMs, undefined, { signal }).catch(() => undefined);
  }
}
