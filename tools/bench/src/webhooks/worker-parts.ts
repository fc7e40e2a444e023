import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { profileArguments, profileClock, readProfile } from "../stack/cpu-profile.ts";
import type { Program } from "../stack/programs.ts";
import type { Stack } from "../stack/stack.ts";
import { table } from "../statistics.ts";

const shownParts = 16;
const shownFunctions = 20;

export interface WatchedWorker {
  readonly program: Program;
  /** The span that counts ends now, and was so long. */
  mark(span: { readonly seconds: number }): void;
  /** Stops the worker, and prints where its time went for each of so many deliveries. */
  finish(deliveries: number): Promise<void>;
}

/** The worker, under V8's profiler where that is asked for: it slows the worker down. */
export async function watchWorker(stack: Stack, isProfiled: boolean): Promise<WatchedWorker> {
  const folder = join(stack.folder, "profile-worker");
  await mkdir(folder);
  const program = await stack.startWorker(isProfiled ? profileArguments(folder) : []);
  let span = { from: 0, until: 0 };
  return {
    program,
    mark({ seconds }) {
      const until = profileClock();
      span = { from: until - seconds * 1e6, until };
    },
    async finish(deliveries) {
      await program.stop();
      if (!isProfiled) return;
      const { parts, functions } = await readProfile(folder, span);
      const top = (costs: ReadonlyMap<string, number>, count: number): string[][] =>
        [...costs]
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, count)
          .map(([name, took]) => [name, (took / deliveries).toFixed(1)]);
      console.log("\nThe worker's thread for each delivery:");
      console.log(table([["part", "µs"], ...top(parts, shownParts)]));
      console.log(table([["function", "µs"], ...top(functions, shownFunctions)]));
    },
  };
}
