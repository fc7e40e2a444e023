import type { BatchPhoto } from "../photo-batch/pictures.ts";
import type { Program } from "../stack/programs.ts";
import { bringList, rotateKey, throwAwayKey } from "./dealer-work.ts";
import type { DealerCounts } from "./dealer-work.ts";
import { publishOne } from "./market-work.ts";
import type { MarketCounts } from "./market-work.ts";
import type { Measure } from "./measure.ts";
import { repeat } from "./pace.ts";
import { bringPhotos } from "./photo-work.ts";
import type { World } from "./world.ts";

export interface Routine {
  readonly world: World;
  readonly traffic: Program;
  readonly origins: readonly string[];
  readonly photos: readonly BatchPhoto[];
  readonly photosAtOnce: number;
  readonly measure: Measure;
  readonly quarterMs: number;
}

export interface RoutineCounts extends DealerCounts, MarketCounts {
  photos: number;
  rotations: number;
}

const publishEveryMs = 10_000;
/** How often a quarter at least, and how long a piece of work is apart from the next where there is time. */
const apartMs = 150_000;

/**
 * What a dealer does besides looking and typing, until the signal comes. Each quarter of the run has the same
 * share of it, so that one can be compared with the other.
 */
export async function keepRoutine(
  { world, traffic, origins, photos, photosAtOnce, measure, quarterMs }: Routine,
  signal: AbortSignal,
): Promise<RoutineCounts> {
  const { dealer: session, dealerKeys, publishedIds } = world;
  const counts: RoutineCounts = {
    imported: 0,
    undone: 0,
    priced: 0,
    pricesUndone: 0,
    exported: 0,
    published: [],
    sold: [],
    ended: [],
    photos: 0,
    rotations: 0,
  };
  const everyMs = quarterMs / Math.max(1, Math.round(quarterMs / apartMs));
  const often = (kind: string, eachMs: number, work: (turn: number) => Promise<void>) =>
    repeat(eachMs, signal, (turn) => measure.time(kind, performance.now(), () => work(turn)));
  await Promise.all([
    often("list file", everyMs, (turn) => bringList({ session, counts }, turn)),
    often("photo batch", quarterMs, async (turn) => {
      const some = photos.slice(turn * photosAtOnce, (turn + 1) * photosAtOnce);
      if (some.length > 0) counts.photos += await bringPhotos(session, some, turn);
    }),
    often("publication", publishEveryMs, async (turn) => {
      const cardId = publishedIds[turn];
      if (cardId !== undefined) await publishOne(session, counts, cardId, turn);
    }),
    often("key", everyMs, async (turn) => {
      await throwAwayKey(session, origins);
      const at = turn % dealerKeys.length;
      const old = dealerKeys[at];
      if (old === undefined) return;
      const made = await rotateKey(session, old);
      dealerKeys[at] = made;
      await traffic.ask("replaceToken", { old: old.token, token: made.token });
      counts.rotations += 1;
    }),
  ]);
  return counts;
}
