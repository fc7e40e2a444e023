import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "@cardvault/postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepRunning, superviseProgram } from "./supervisor.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardvault-supervisor-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a program that ends is said so, started again, and stopped for good when told", async () => {
  const file = join(folder, "program.ts");
  const logFile = join(folder, "program.log");
  await writeFile(file, 'console.log("begin"); process.exit(3);');
  const said: string[] = [];
  const program = superviseProgram(
    { name: "program", file, environment: process.env, logFile },
    (line) => said.push(line),
  );
  const begins = async (): Promise<number> =>
    (await readFile(logFile, "utf8").catch(() => "")).split("begin").length - 1;
  expect(await waitUntil(async () => (await begins()) >= 2, 10_000)).toBe(true);
  await program.stop();
  expect(said[0]).toBe("program ended unexpectedly; it is started again in 0.5 s");
  const atStop = program.restarts();
  expect(atStop).toBeGreaterThanOrEqual(1);
});

test("stopping while it is just being started waits for it and stops it", async () => {
  const { promise: started, resolve: letStart } = Promise.withResolvers<void>();
  const { promise: exited, resolve: end } = Promise.withResolvers<void>();
  let isStopped = false;
  const kept = keepRunning(
    "slow",
    async () => {
      await started;
      return {
        exited,
        stop: () => {
          isStopped = true;
          end();
          return Promise.resolve();
        },
      };
    },
    () => undefined,
  );
  const stopping = kept.stop();
  letStart();
  await stopping;
  expect(isStopped).toBe(true);
});
