import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A program that ran this long was well: its next restart waits the shortest time again. */
const wellAfterMs = 60_000;
const stopDeadlineMs = 20_000;
const endWithParent = pathToFileURL(join(import.meta.dirname, "end-with-parent.ts")).href;

export interface Supervised {
  readonly name: string;
  /** How often it was restarted since it last ran well. */
  restarts(): number;
  stop(): Promise<void>;
}

/** Runs again and again what ends though it should not, with a growing wait between. */
export function keepRunning(
  name: string,
  start: () => Promise<{ exited: Promise<unknown>; stop: () => Promise<void> }>,
  say: (line: string) => void,
  first?: { exited: Promise<unknown>; stop: () => Promise<void> },
): Supervised {
  let isStopping = false;
  let restarts = 0;
  let current = first;
  let wake = (): void => undefined;

  const loop = async (): Promise<void> => {
    for (;;) {
      if (isStopping) return;
      const startedAt = Date.now();
      try {
        current ??= await start();
        // It may have been told to stop while it was starting.
        if (isStopping) await current.stop();
        await current.exited;
      } catch (error) {
        say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      current = undefined;
      if (isStopping) return;
      if (Date.now() - startedAt > wellAfterMs) restarts = 0;
      const waitMs = Math.min(firstWaitMs * 2 ** restarts, longestWaitMs);
      restarts += 1;
      say(`${name} ended unexpectedly; it is started again in ${waitMs / 1000} s`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = loop();
  return {
    name,
    restarts: () => restarts,
    stop: async () => {
      isStopping = true;
      wake();
      await current?.stop();
      await running;
    },
  };
}

export interface ProgramOptions {
  readonly name: string;
  /** The TypeScript file that Node runs. */
  readonly file: string;
  /** Of Node's own, before the file. */
  readonly nodeArguments?: readonly string[] | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** What the program prints goes to this file, begun anew by every start of the whole. */
  readonly logFile: string;
  /** Takes what it prints on standard output too, line by line. */
  readonly onLine?: ((line: string) => void) | undefined;
}

function launch(options: ProgramOptions): { exited: Promise<void>; stop: () => Promise<void> } {
  const log = openSync(options.logFile, "a", 0o600);
  const { nodeArguments = [], file } = options;
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", endWithParent, ...nodeArguments, file],
    {
      env: options.environment,
      // Not in the terminal's group: Ctrl-C reaches the start program alone, and it stops all in order.
      detached: true,
      stdio: ["ignore", options.onLine === undefined ? log : "pipe", log],
    },
  );
  closeSync(log);
  if (options.onLine !== undefined) {
    const { onLine } = options;
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
  }
  let hasEnded = false;
  const exited = new Promise<void>((done) => {
    child.once("error", () => done());
    child.once("exit", () => done());
  }).finally(() => {
    hasEnded = true;
  });
  const stop = async (): Promise<void> => {
    if (hasEnded) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
    await exited;
    clearTimeout(timer);
  };
  return { exited, stop };
}

/** Keeps one of our own programs running until it is stopped. */
export function superviseProgram(options: ProgramOptions, say: (line: string) => void): Supervised {
  return keepRunning(options.name, () => Promise.resolve(launch(options)), say);
}

/** The end of a log file, for a message that has to say why. */
export function logTail(file: string, lines = 12): string {
  try {
    return readFileSync(file, "utf8").trim().split("\n").slice(-lines).join("\n");
  } catch {
    return "";
  }
}
