import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { waitFor } from "@cardvault/testkit";

const fixture = fileURLToPath(new URL("./shutdown.fixture.ts", import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Line {
  msg?: string;
  ready?: number;
  closing?: string;
}

interface Run {
  child: ChildProcess;
  lines: () => Line[];
  messages: () => (string | undefined)[];
  status: Promise<number | null>;
  /** The pid of the process that runs the fixture. */
  ready: () => Promise<number>;
}

function run(command: string, args: readonly string[]): Run {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const lines = (): Line[] =>
    output
      .split("\n")
      .filter((it) => it.startsWith("{") && it.endsWith("}"))
      .map((it) => JSON.parse(it) as Line);
  return {
    child,
    lines,
    messages: () => lines().flatMap((it) => it.msg ?? []),
    status: new Promise((resolve) => child.once("close", resolve)),
    ready: () => waitFor(() => lines()[0]?.ready),
  };
}

const start = (how: string): Run => run(process.execPath, [fixture, how]);

describe("shutdown", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s closes the last first and ends with 0",
    async (signal) => {
      const { child, status, ready, messages } = start("well");
      await ready();
      child.kill(signal);
      expect(await status).toBe(0);
      expect(messages()).toEqual([
        "Stopping",
        "second closed",
        "first closed, aborted true",
        "Stopped",
      ]);
    },
  );

  it("closes the others when one fails, and ends with 1", async () => {
    const { child, status, ready, messages } = start("fails");
    await ready();
    child.kill("SIGTERM");
    expect(await status).toBe(1);
    expect(messages()).toEqual([
      "Stopping",
      "Could not be closed",
      "first closed, aborted true",
      "Stopped",
    ]);
  });

  it("ends with 1 at its deadline, and says which one hung", async () => {
    const { child, status, ready, lines } = start("hangs");
    await ready();
    child.kill("SIGTERM");
    expect(await status).toBe(1);
    expect(lines().at(-1)).toMatchObject({ msg: "Stopping took too long", closing: "second" });
  });

  it("ends at once by a second signal", async () => {
    const { child, status, ready, messages } = start("waits");
    await ready();
    child.kill("SIGTERM");
    await waitFor(() => messages().includes("Stopping"));
    child.kill("SIGTERM");
    expect(await status).toBe(1);
  });

  it("is orderly after an error that nobody caught, and ends with 1", async () => {
    const { status, messages } = start("throws");
    expect(await status).toBe(1);
    expect(messages()).toEqual([
      "uncaughtException",
      "Stopping",
      "second closed",
      "first closed, aborted true",
      "Stopped",
    ]);
  });

  it("follows when the parent is killed", async () => {
    // The one between passes the fixture's output on, and is killed without a chance to tell it.
    const between = `require("node:child_process").spawn(process.execPath, ${JSON.stringify([fixture, "well"])}, { stdio: "inherit" })`;
    const { child, ready, messages } = run(process.execPath, ["-e", between]);
    await ready();
    child.kill("SIGKILL");
    await waitFor(() => messages().includes("Stopped"));
    expect(messages()).toContain("second closed");
  });
});
