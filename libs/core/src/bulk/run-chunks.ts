import { setTimeout as pause } from "node:timers/promises";
import type { WorkContext } from "../work/handler.ts";

/** What a step has done. */
export interface ChunkStep {
  /** How long the account's clock was held, to the commit. */
  heldMs: number;
  isLast: boolean;
  /** Nothing more at this moment, though there is more: the account has been suspended. */
  mustStop?: boolean | undefined;
}

export interface ChunkLimits {
  /** Rows of the first chunk. */
  size: number;
  least: number;
  most: number;
  /** How long the clock is to be held by one chunk. */
  targetMs: number;
  /** One run of the job goes on for about so long. */
  runMs: number;
}

export const chunkLimits: ChunkLimits = {
  size: 50,
  least: 1,
  most: 500,
  targetMs: 100,
  runMs: 5_000,
};

/** At least so long nobody's work is in the way of a person's or a client's. */
const leastPauseMs = 10;
/** Of the time that the clock was held: whoever has begun to wait for it is served meanwhile. */
const pauseShare = 0.1;

/**
 * Runs step after step, each a commit of its own, in chunks as large as can be written in the target time.
 * Between two it leaves the account's clock to others, and asks whether it is to go on.
 * @param step works on at most so many rows
 * @returns whether all is done, and the size that the next run begins with
 */
export async function runChunks(
  context: Pick<WorkContext, "renew">,
  limits: ChunkLimits,
  step: (size: number) => Promise<ChunkStep>,
): Promise<boolean> {
  const untilMs = performance.now() + limits.runMs;
  let { size } = limits;
  for (;;) {
    const { heldMs, isLast, mustStop } = await step(size);
    if (isLast) return true;
    if (mustStop === true || performance.now() >= untilMs) return false;
    size = nextSize(size, heldMs, limits);
    await pause(Math.max(leastPauseMs, heldMs * pauseShare));
    if (!(await context.renew())) return false;
  }
}

/** Grows by half at most, so that one quick chunk does not make a slow one; shrinks as far as it must. */
export function nextSize(size: number, heldMs: number, limits: ChunkLimits): number {
  const fitting = Math.floor((size * limits.targetMs) / Math.max(heldMs, 1));
  const wanted = Math.min(fitting, Math.ceil(size * 1.5));
  return Math.max(limits.least, Math.min(limits.most, wanted));
}
