import { median } from "../statistics.ts";
import { memoryMb } from "./process-tree.ts";

const everyMs = 500;

/** What a process holds over a span of time, in MB. */
export interface HeldMemory {
  /** The median of the first quarter of the time, and of the last. */
  readonly early: number;
  readonly late: number;
  readonly most: number;
}

/** Looks at what a process holds until it is told to stop. */
export function watchMemory(processId: number): { stop(): HeldMemory } {
  const seen: number[] = [];
  const timer = setInterval(() => {
    void memoryMb(processId).then(({ now }) => seen.push(now));
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      const quarter = Math.ceil(seen.length / 4);
      return {
        early: median(seen.slice(0, quarter)),
        late: median(seen.slice(-quarter)),
        most: Math.max(...seen),
      };
    },
  };
}
