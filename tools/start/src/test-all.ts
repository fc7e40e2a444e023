import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fetchMongod, findMongod } from "@cardvault/mongod";
import { root } from "./settings.ts";
import { filesToTryAgain, sumOf } from "./test-report.ts";
import type { TestRun, TestSum } from "./test-report.ts";
import { reportVariable } from "./test-reporter.ts";

const bin = join(root, "node_modules", ".bin");
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
};

/** Each counts as one in the sum. The boundaries of the house are checked by tools/checks, in vitest. */
const checks = [
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "unused code", command: ["knip"] },
] as const;

function run(command: readonly string[]): Promise<number> {
  const [program = "", ...args] = command;
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: root,
      env: environment,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    child.once("error", (error) => {
      console.error(`${program}: ${error.message}`);
      done(1);
    });
    child.once("exit", (code) => done(code ?? 1));
  });
}

function onPath(program: string): string | undefined {
  return (environment["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

function findChromium(): string | undefined {
  const named = environment["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return named;
  return onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
}

/** The browser tests need a chromium. Root on Debian gets it from apt; others are told. */
function provideChromium(): void {
  let chromium = findChromium();
  if (chromium === undefined && process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("Installing chromium with apt …");
    const limits = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=15"];
    const quiet = {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    } as const;
    spawnSync("apt-get", [...limits, "-qq", "update"], quiet);
    spawnSync(
      "apt-get",
      [...limits, "-qq", "-y", "--no-install-recommends", "install", "chromium"],
      quiet,
    );
    chromium = findChromium();
  }
  if (chromium === undefined) {
    console.warn("No chromium: the browser tests are skipped. Install it, or set CHROMIUM_PATH.");
    return;
  }
  environment["CHROMIUM_PATH"] = chromium;
}

async function provideMongod(): Promise<void> {
  const program = (await findMongod(environment)) ?? (await fetchMongod(console.log));
  if (program === undefined) {
    console.warn(
      "No MongoDB server: its tests are skipped. Put mongod on the PATH, or set MONGOD_PATH.",
    );
    return;
  }
  environment["MONGOD_PATH"] = program;
}

/** Null where vitest itself did not come to its end. */
async function runVitest(args: readonly string[]): Promise<TestRun | null> {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-report-"));
  const report = join(folder, "report.json");
  environment[reportVariable] = report;
  try {
    // Its configuration adds the reporter where the variable is set.
    const status = await run(["vitest", "run", ...args]);
    const ended = JSON.parse(readFileSync(report, "utf8")) as TestRun;
    // Such as one that found no test.
    return status !== 0 && sumOf(ended).failed.length === 0 ? null : ended;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Real processes on a busy machine: what fails among all is tried once more, and the sum names it. */
async function testAll(args: readonly string[]): Promise<TestSum> {
  const first = await runVitest(args);
  if (first === null) return { passed: 0, failed: ["vitest did not come to its end"], flaky: [] };
  const files = args.length === 0 ? filesToTryAgain(first) : [];
  if (files.length === 0) return sumOf(first);
  console.log(`A second try:\n  ${files.join("\n  ")}`);
  return sumOf(first, (await runVitest(files)) ?? undefined);
}

const mostNamed = 10;

function indented(text: string): string {
  return text.replaceAll(/^/gmu, "  ");
}

const selected = process.argv.slice(2);
let passed = 0;
let failed = 0;
const verdicts: string[] = [];

await provideMongod();
provideChromium();
// With arguments (`npm test -- libs/db`) only those tests run.
for (const { name, command } of selected.length === 0 ? checks : []) {
  const isGood = (await run(command)) === 0;
  verdicts.push(`${isGood ? "passed" : "FAILED"}  ${name} (${command.join(" ")})`);
  if (isGood) passed += 1;
  else failed += 1;
}
const tests = await testAll(selected);
passed += tests.passed;
failed += tests.failed.length;
verdicts.push(`${tests.failed.length === 0 ? "passed" : "FAILED"}  tests (vitest)`);
// Again at the end, since that may be all that is left of a long output.
verdicts.push(...tests.failed.slice(0, mostNamed).map((text) => indented(text)));
if (tests.flaky.length > 0) {
  // A fault to be looked at, though not one that should stop somebody else's change.
  verdicts.push(`FLAKY   passed only on the second try: ${tests.flaky.length}`);
  verdicts.push(...tests.flaky.map((text) => indented(text)));
}

console.log(`\n${verdicts.join("\n")}\n\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
