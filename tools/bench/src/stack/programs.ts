import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { waitUntil } from "@cardvault/postgres";

export interface ProgramOptions {
  /** The TypeScript file that Node runs in a process of its own. */
  readonly file: string;
  /** What a program of the bench is told, as JSON in its first argument. */
  readonly settings?: unknown;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly nodeArguments?: readonly string[] | undefined;
  /** Answers 200 once the program is ready. A program without one says so itself; see `serve`. */
  readonly readyUrl?: string | undefined;
}

/** A process that was started for a scenario. */
export interface Program {
  readonly processId: number;
  readonly hasEnded: boolean;
  /** Asks a program of the bench, and waits for its answer. Rejects when the program ends. */
  ask<Answer>(question: string, argument?: unknown): Promise<Answer>;
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
  /** `kill -9`: nothing is finished, and nobody is told. */
  kill(): Promise<void>;
}

const readyDeadlineMs = 60_000;
const stopDeadlineMs = 30_000;
/** So that a bench that was killed leaves nothing running. */
const endWithParent = pathToFileURL(
  join(import.meta.dirname, "../../../start/src/end-with-parent.ts"),
).href;

/** What goes between a scenario and its programs. */
export type ToProgram = { id: number; question: string; argument: unknown };
export type FromProgram = "ready" | { id: number; answer: unknown } | { id: number; error: string };

/** Starts a program and waits until it is ready. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { file, settings, environment, nodeArguments = [], readyUrl } = options;
  const child = fork(file, settings === undefined ? [] : [JSON.stringify(settings)], {
    execArgv: ["--import", endWithParent, ...nodeArguments],
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Not in the terminal's group: Ctrl-C reaches the bench alone, and it stops all in order.
    detached: true,
  });
  const program = programOf(child, file);
  const isReady =
    readyUrl === undefined ? () => program.saidReady : () => program.hasEnded || answers(readyUrl);
  const isUp = await waitUntil(
    async () => program.hasEnded || (await isReady()),
    readyDeadlineMs,
    25,
  );
  if (isUp && !program.hasEnded) return program;
  await program.stop();
  throw new Error(`${file} did not get ready`);
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void };

function programOf(child: ChildProcess, file: string): Program & { readonly saidReady: boolean } {
  const waiting = new Map<number, Waiting>();
  let saidReady = false;
  let hasEnded = false;
  let lastId = 0;
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(new Error(`${file} has ended`));
      waiting.clear();
      resolve();
    };
    child.once("exit", end).once("error", end);
  });
  child.on("message", (message: FromProgram) => {
    if (message === "ready") {
      saidReady = true;
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) asked?.reject(new Error(`${file}: ${message.error}`));
    else asked?.resolve(message.answer as never);
  });
  return {
    processId: child.pid ?? 0,
    get saidReady() {
      return saidReady;
    },
    get hasEnded() {
      return hasEnded;
    },
    ask(question, argument) {
      if (hasEnded) return Promise.reject(new Error(`${file} has ended`));
      return new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        child.send({ id: lastId, question, argument } satisfies ToProgram);
      });
    },
    async stop() {
      if (hasEnded) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopDeadlineMs);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
