import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createPictureProcessor } from "@cardvault/photos";
import sharp from "sharp";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";

const sources = 6;
const warmUp = 6;

/** A photo of twelve megapixels as a telephone takes it: some 3 MB of JPEG. */
async function telephonePhoto(seed: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 118 + seed * 3, sigma: 50 } as const;
  const create = { width: 750, height: 1_000, channels: 3, background: "#777", noise } as const;
  const rough = await sharp({ create }).png().toBuffer();
  return sharp(rough)
    .resize(3_000, 4_000)
    .jpeg({ quality: 88 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

export const photosScenario: Scenario = {
  name: "photos",
  sentence:
    "photos of 12 megapixels through the picture processor: rate, memory, the event loop beside it",
  run: async ({ seconds = 20 }) => {
    const photos = await Promise.all(
      Array.from({ length: sources }, (_, at) => telephonePhoto(at)),
    );
    const processor = createPictureProcessor();
    const threads = Math.max(1, Math.min(4, availableParallelism() - 1));
    const take = async (at: number): Promise<void> => {
      const bytes = photos[at % sources];
      if (bytes !== undefined) await processor.process({ bytes });
    };
    try {
      for (let at = 0; at < warmUp; at += 1) await take(at);
      const startRss = process.memoryUsage.rss();
      const loop = monitorEventLoopDelay({ resolution: 5 });
      loop.enable();
      const untilMs = performance.now() + seconds * 1_000;
      const startMs = performance.now();
      let [done, mostRss] = [0, startRss];
      const times: number[] = [];
      await Promise.all(
        Array.from({ length: threads }, async (_, lane) => {
          for (let at = lane; performance.now() < untilMs; at += threads) {
            const beganMs = performance.now();
            await take(at);
            times.push(performance.now() - beganMs);
            done += 1;
            mostRss = Math.max(mostRss, process.memoryUsage.rss());
          }
        }),
      );
      loop.disable();
      const elapsed = (performance.now() - startMs) / 1_000;
      const sorted = times.toSorted((left, right) => left - right);
      const mb = 1024 * 1024;
      return {
        figures: {
          photos: done,
          threads,
          mb_each: round((photos[0]?.length ?? 0) / mb, 1),
          images_per_s: round(done / elapsed, 1),
          p50_ms: round(sorted[Math.floor(sorted.length / 2)] ?? 0),
          rss_mb: round(mostRss / mb),
          rss_growth_mb: round((process.memoryUsage.rss() - startRss) / mb),
          loop_p99_ms: round(loop.percentile(99) / 1e6, 1),
        },
        goals: [
          { figure: "rss_mb", atMost: 800 },
          { figure: "rss_growth_mb", atMost: 150 },
        ],
      };
    } finally {
      await processor.close();
    }
  },
};
