import { readFileSync, readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** Of 0 to 19, on top of what the process has: a busy processor is given to others about nine times as often. */
const nice = 10;

/**
 * Lets the threads that pictures are decoded on (libuv's, where sharp works) give way to requests and
 * deliveries of the same machine. What else is done there, as reading files, gives way too. Linux has
 * priorities by thread; elsewhere, and where it is not allowed, nothing changes.
 */
export function giveWayWhileDecoding(): void {
  if (process.platform !== "linux") return;
  try {
    for (const thread of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "utf8");
      if (name.startsWith("libuv-worker")) setPriority(Number(thread), nice);
    }
  } catch {
    // A thread that has just ended, or a system without /proc: pictures are decoded all the same.
  }
}
