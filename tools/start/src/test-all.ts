import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fetchMongod, findMongod } from "@cardvault/mongod";

const root = resolve(import.meta.dirname, "../../..");
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

interface Sum {
  readonly passed: number;
  readonly failed: number;
}

async function runVitest(args: readonly string[]): Promise<Sum> {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-report-"));
  const report = join(folder, "report.json");
  const status = await run([
    "vitest",
    "run",
    // Real processes on a busy machine: one second try, and the reporter names who needed it.
    "--retry=1",
    "--reporter=default",
    `--reporter=${join(import.meta.dirname, "flaky-reporter.ts")}`,
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ]);
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    // A file that does not load, or an unhandled rejection, fails the run without a failed test.
    const failed = status !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
    return { passed: numPassedTests, failed };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
const tests = await runVitest(selected);
passed += tests.passed;
failed += tests.failed;
verdicts.push(`${tests.failed === 0 ? "passed" : "FAILED"}  tests (vitest)`);

console.log(`\n${verdicts.join("\n")}\n\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
