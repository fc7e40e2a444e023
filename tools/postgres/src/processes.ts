import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** Whether a process of this id exists, whoever owns it. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The command line of a living process, its words joined by spaces; "" when there is none or it cannot be read. */
export async function commandLineOf(processId: number): Promise<string> {
  if (process.platform === "linux") {
    const raw = await readFile(`/proc/${processId}/cmdline`, "utf8").catch(() => "");
    return raw.replaceAll("\0", " ").trim();
  }
  return new Promise((resolve) => {
    execFile("ps", ["-ww", "-o", "command=", "-p", String(processId)], (error, stdout) => {
      resolve(error === null ? stdout.trim() : "");
    });
  });
}

/** Looks every `everyMs` until the condition holds; answers false when it did not within `deadlineMs`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number,
  everyMs = 10,
): Promise<boolean> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= end) return false;
    await pause(everyMs);
  }
}
