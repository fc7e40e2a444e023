import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { waitUntil } from "@cardvault/postgres";

export const root = join(import.meta.dirname, "../../..");
const readyDeadlineMs = 60_000;
const stopDeadlineMs = 20_000;
/** Most of a start is compiling; with what an earlier one left, a third of it is saved. */
const compiled = join(root, ".cache/compiled");
/** So that a test run that was killed leaves nothing running. */
const endWithParent = pathToFileURL(join(root, "tools/start/src/end-with-parent.ts")).href;

export interface ProgramOptions {
  /** The TypeScript file that Node runs, from the root of the repository. */
  readonly file: string;
  readonly args?: readonly string[] | undefined;
  /** All of it but the path and the home: what this machine sets otherwise must not matter. */
  readonly environment: Readonly<Record<string, string>>;
  /** Answers 200 once the program is ready. */
  readonly readyUrl?: string | undefined;
}

/** One of the repository's programs in a process of its own, which can be killed and started again. */
export class Program {
  readonly #options: ProgramOptions;
  readonly #printed: string[] = [];
  #child: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);
  #hasEnded = true;
  #isTold = true;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Everything that it printed, on both streams, since it was first launched. */
  get output(): string {
    return this.#printed.join("");
  }

  /** Resolves with the exit status when the process has ended; null where a signal ended it. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  /** It is gone, and nobody here ended it. */
  get hasEndedByItself(): boolean {
    return this.#hasEnded && !this.#isTold;
  }

  /** Starts the process, and does not wait for it. */
  launch(): void {
    const { file, args = [], environment } = this.#options;
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, ["--import", endWithParent, join(root, file), ...args], {
      cwd: root,
      env: { PATH, HOME, NODE_COMPILE_CACHE: compiled, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.#printed.push(text));
    }
    this.#child = child;
    this.#hasEnded = false;
    this.#isTold = false;
    this.#ended = new Promise((resolve) => {
      child.once("close", (status) => {
        this.#hasEnded = true;
        resolve(status);
      });
    });
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    this.launch();
    const { readyUrl, file } = this.#options;
    if (readyUrl === undefined) return;
    await waitUntil(
      async () => this.#hasEnded || (await statusOf(readyUrl)) === 200,
      readyDeadlineMs,
      20,
    );
    if (!this.#hasEnded && (await statusOf(readyUrl)) === 200) return;
    throw new Error(`${file} did not get ready:\n${this.output.slice(-4_000)}`);
  }

  /** SIGKILL: nothing is finished, and nobody is told. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    this.#isTold = true;
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** SIGSTOP: it stands still, and keeps its connections. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** SIGTERM. Answers the exit status. */
  async stop(): Promise<number | null> {
    if (this.#hasEnded) return this.#ended;
    this.#isTold = true;
    this.resume();
    this.#child?.kill("SIGTERM");
    const timer = setTimeout(() => this.#child?.kill("SIGKILL"), stopDeadlineMs);
    const status = await this.#ended;
    clearTimeout(timer);
    return status;
  }
}

/** The status of a GET; 0 where nobody answers. */
export async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
