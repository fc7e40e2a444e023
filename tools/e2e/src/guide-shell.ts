import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { waitFor } from "@cardvault/testkit";
import { root } from "./program.ts";

interface Ran {
  readonly status: number;
  /** What it printed; with its errors where it failed. */
  readonly output: string;
}

/** One shell of a reader, in which blocks are pasted one after the other. */
export interface GuideShell {
  run(code: string): Promise<Ran>;
  /** Starts a program that goes on. What was started before is ended, as by Ctrl-C. */
  start(code: string): Promise<void>;
  /** What the started program has printed so far. */
  printed(): string;
  close(): Promise<void>;
}

const endWithParent = pathToFileURL(join(root, "tools/start/src/end-with-parent.ts")).href;
const blockDeadlineMs = 40_000;

/** @param folder where it stands, and where the started program's output is kept */
export function openGuideShell(folder: string): GuideShell {
  const printedFile = join(folder, ".printed");
  writeFileSync(printedFile, "");
  const bash = spawn("bash", ["--noprofile", "--norc", "-s"], {
    cwd: folder,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      HOME: process.env["HOME"],
      npm_config_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const streams = { out: "", errors: "" };
  bash.stdout.setEncoding("utf8").on("data", (text: string) => (streams.out += text));
  bash.stderr.setEncoding("utf8").on("data", (text: string) => (streams.errors += text));
  const closed = new Promise((resolve) => bash.once("close", resolve));
  let blocks = 0;
  let started: number | undefined;

  const run = async (code: string): Promise<Ran> => {
    blocks += 1;
    const end = new RegExp(`\n=== block ${blocks} ended: (\\d+) ===\n`, "u");
    Object.assign(streams, { out: "", errors: "" });
    bash.stdin.write(`${code}\nprintf '\\n=== block ${blocks} ended: %s ===\\n' "$?"\n`);
    const [marker, status] = await waitFor(() => end.exec(streams.out) ?? false, {
      deadlineMs: blockDeadlineMs,
      what: `the end of: ${code}`,
    });
    const output = streams.out.slice(0, streams.out.indexOf(marker));
    return { status: Number(status), output: status === "0" ? output : output + streams.errors };
  };
  const endStarted = (): void => {
    if (started === undefined) return;
    try {
      process.kill(started);
    } catch {
      // It has ended by itself.
    }
    started = undefined;
  };
  return {
    run,
    async start(code) {
      if (started !== undefined) await run(`kill ${started}; wait ${started} 2> /dev/null; true`);
      // So that a test run that was killed leaves nothing running.
      const options = `NODE_OPTIONS=--import=${endWithParent}`;
      const { output } = await run(`${options} ${code} > "${printedFile}" 2>&1 &\necho $!`);
      started = Number(output.trim());
    },
    printed: () => readFileSync(printedFile, "utf8"),
    async close() {
      endStarted();
      bash.stdin.end("exit\n");
      await closed;
    },
  };
}
