import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { UploadAnswer } from "@cardvault/contract";
import { memoryMb } from "../stack/process-tree.ts";
import { openReader } from "../stack/reader.ts";
import { openSession } from "../stack/session.ts";
import type { BenchSession } from "../stack/session.ts";
import { withStack } from "../stack/stack.ts";
import { watchMemory } from "../stack/watch-memory.ts";
import type { Scenario } from "../scenario.ts";
import { percentile, round } from "../statistics.ts";
import { hostileFiles } from "./hostile-files.ts";
import type { HostileFile } from "./hostile-files.ts";
import { asAnotherFile, telephonePhoto } from "./telephone-photo.ts";

const defaultSeconds = 30;
const pictures = 4;
const aloneMs = 15_000;
const hostileRounds = 4;

export const photosScenario: Scenario = {
  name: "photos",
  sentence:
    "photos of 12 megapixels uploaded as fast as the api takes them: rate, its memory, readers beside it",
  run: ({ store, seconds = defaultSeconds }) =>
    withStack(store, async (stack) => {
      const photos: Buffer[] = [];
      for (let seed = 0; seed < pictures; seed += 1) photos.push(await telephonePhoto(seed));
      const api = await stack.startApi();
      const session = await openSession(stack, "Photos");
      const reader = await openReader(stack, session.accountId);
      const { now: before } = await memoryMb(api.processId);
      // One more than it decodes at a time, so that one always waits.
      const lanes = Math.max(1, Math.min(4, availableParallelism() - 1)) + 1;
      let serial = 0;
      const uploadFor = async (forMs: number): Promise<number[]> => {
        const times: number[] = [];
        const untilMs = performance.now() + forMs;
        await Promise.all(
          Array.from({ length: lanes }, async () => {
            while (performance.now() < untilMs) {
              serial += 1;
              const photo = photos[serial % pictures];
              if (photo === undefined) return;
              const beganMs = performance.now();
              await upload(session, asAnotherFile(photo, serial));
              times.push(performance.now() - beganMs);
            }
          }),
        );
        return times;
      };
      await uploadFor(3_000);
      const alone = await reader.during(() => wait(aloneMs));
      const memory = watchMemory(api.processId);
      let times: number[] = [];
      const beganMs = performance.now();
      const beside = await reader.during(async () => {
        times = await uploadFor(seconds * 1_000);
      });
      const took_s = (performance.now() - beganMs) / 1_000;
      const held = memory.stop();
      const { most } = await memoryMb(api.processId);
      const hostile = await hostileFiles(photos[0] ?? Buffer.alloc(0));
      const unexpected = await uploadHostile(session, hostile, lanes);
      const { most: mostHostile } = await memoryMb(api.processId);
      return {
        figures: {
          store,
          photos: times.length,
          lanes,
          mb_each: round((photos[0]?.length ?? 0) / 1_048_576, 1),
          images_per_s: round(times.length / took_s, 1),
          p50_ms: round(percentile(times, 0.5)),
          p95_ms: round(percentile(times, 0.95)),
          rss_before_mb: round(before),
          rss_mb: round(most),
          rss_growth_mb: round(held.late - held.early),
          read_alone_p99_ms: round(percentile(alone, 0.99), 1),
          read_p50_ms: round(percentile(beside, 0.5), 1),
          read_p99_ms: round(percentile(beside, 0.99), 1),
          hostile_files: hostile.length * hostileRounds,
          hostile_unexpected: unexpected,
          hostile_rss_mb: round(mostHostile),
        },
        goals: [
          { figure: "rss_mb", atMost: 600 },
          { figure: "rss_growth_mb", atMost: 150 },
          { figure: "hostile_unexpected", atMost: 0 },
          { figure: "hostile_rss_mb", atMost: 1_000 },
        ],
      };
    }),
};

/** How many hostile files had another answer than they should have. */
async function uploadHostile(
  session: BenchSession,
  files: readonly HostileFile[],
  lanes: number,
): Promise<number> {
  const queue = Array.from({ length: hostileRounds }, (_, round) =>
    // What is behind a picture's end makes it another file, which has to be decoded again.
    files.map((file) =>
      file.code === null
        ? { ...file, bytes: Buffer.concat([file.bytes, Buffer.from(`round ${round}`)]) }
        : file,
    ),
  ).flat();
  let unexpected = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { name, bytes, code } = next;
        const answered = await errorOf(session, name, bytes);
        if (answered === code) continue;
        unexpected += 1;
        console.log(`${name}: ${String(answered)}, and not ${String(code)}`);
      }
    }),
  );
  return unexpected;
}

async function upload(session: BenchSession, jpeg: Buffer): Promise<void> {
  const code = await errorOf(session, "front.jpg", jpeg);
  if (code !== null) throw new Error(code);
}

async function errorOf(session: BenchSession, name: string, bytes: Buffer): Promise<string | null> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const { files } = await session.send<UploadAnswer>("/photos", form);
  return files[0]?.error?.code ?? null;
}
