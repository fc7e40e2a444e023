import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { root } from "./settings.ts";
import { filesToTryAgain, outsideTests, sumOf } from "./test-report.ts";
import type { TestRun } from "./test-report.ts";
import { reportVariable } from "./test-reporter.ts";

/** Runs vitest itself over the given files, as `npm test` does. */
function runOf(files: Readonly<Record<string, string>>): TestRun {
  // Inside the repository, so that the files find vitest.
  const folder = mkdtempSync(join(root, "node_modules", ".cardvault-report-"));
  try {
    const reporter = JSON.stringify(fileURLToPath(new URL("./test-reporter.ts", import.meta.url)));
    writeFileSync(
      join(folder, "vitest.config.mjs"),
      `import { TestRunReporter } from ${reporter};
      export default { test: { reporters: [new TestRunReporter()] } };\n`,
    );
    for (const [name, lines] of Object.entries(files)) {
      const head = 'import { beforeAll, describe, expect, test } from "vitest";';
      writeFileSync(join(folder, name), `${head}\n${lines}\n`);
    }
    const report = join(folder, "report.json");
    spawnSync(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        `--root=${folder}`,
        // Everything lies below node_modules, which is left out otherwise.
        "--exclude=none",
      ],
      {
        cwd: folder,
        stdio: "ignore",
        env: { ...process.env, FORCE_COLOR: "1", [reportVariable]: report },
      },
    );
    return JSON.parse(readFileSync(report, "utf8")) as TestRun;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const passing = 'test("good", () => expect(1).toBe(1));';
const failing = 'test("bad", () => expect(1).toBe(2));';
const expected = "expected 1 to be 2 // Object.is equality\n- 2\n+ 1";

test("each failed test counts, and each file that does not load or whose hook throws", () => {
  const run = runOf({
    "bad.test.mjs": `${passing}\n${failing}`,
    "broken-one.test.mjs": 'throw new Error("does not load");',
    "broken-two.test.mjs": 'import "./not-there.mjs";',
    "good.test.mjs": passing,
    "hook.test.mjs": `describe("shop", () => { beforeAll(() => { throw new Error("no\\nport"); }); ${passing} });`,
    "skipped.test.mjs": `${passing}\ntest.skip("later", () => undefined);`,
  });
  const { passed, failed, flaky } = sumOf(run);
  expect(passed).toBe(3);
  expect(failed).toHaveLength(4);
  expect(failed).toContain("hook.test.mjs: (outside its tests)\n    no\n    port");
  expect(flaky).toEqual([]);
  const failures = new Map(run.files.map((one) => [one.file, one.failures]));
  expect(failures.get("bad.test.mjs")).toEqual([{ name: "bad", message: expected }]);
  expect(failures.get("broken-one.test.mjs")?.[0]?.message).toBe("does not load");
  expect(failures.get("hook.test.mjs")?.[0]?.message).toBe("no\nport");
  expect(filesToTryAgain(run).toSorted()).toEqual([
    "bad.test.mjs",
    "broken-one.test.mjs",
    "broken-two.test.mjs",
    "hook.test.mjs",
  ]);
});

test("a run that failed without a failed test is not passed, nor tried again", () => {
  const run = runOf({
    "bad.test.mjs": failing,
    "rejects.test.mjs": `${passing}\nvoid Promise.reject(new Error("nobody waits"));`,
  });
  expect(run.unhandledErrors).toEqual(["nobody waits"]);
  expect(sumOf(run)).toEqual({
    passed: 1,
    failed: [
      `bad.test.mjs: bad\n    ${expected.replaceAll("\n", "\n    ")}`,
      "(no file): unhandled error\n    nobody waits",
    ],
    flaky: [],
  });
  expect(filesToTryAgain(run)).toEqual([]);
});

test("what passes on the second try of its file is named, with what was wrong with the first", () => {
  const bad = { name: "bad", message: expected };
  const worse = { name: "worse", message: "no answer" };
  const first = {
    files: [
      { file: "one.test.ts", passed: ["good"], failures: [bad, worse] },
      { file: "two.test.ts", passed: ["good", "better"], failures: [] },
    ],
    unhandledErrors: [],
  };
  const again = (passed: string[], failures: (typeof bad)[]): TestRun => ({
    files: [{ file: "one.test.ts", passed, failures }],
    unhandledErrors: [],
  });
  const badLines = `one.test.ts: bad\n    ${expected.replaceAll("\n", "\n    ")}`;
  const worseLines = "one.test.ts: worse\n    no answer";
  const both = [badLines, worseLines];
  expect(sumOf(first)).toEqual({ passed: 3, failed: both, flaky: [] });
  const all = again(["good", "bad", "worse"], []);
  expect(sumOf(first, all)).toEqual({ passed: 5, failed: [], flaky: both });
  const one = again(["good", "bad"], [worse]);
  expect(sumOf(first, one)).toEqual({ passed: 4, failed: [worseLines], flaky: [badLines] });
  // What was skipped the second time has not passed.
  const skipped = again(["good", "bad"], []);
  expect(sumOf(first, skipped)).toEqual({ passed: 4, failed: [worseLines], flaky: [badLines] });
  const unhandled = { ...all, unhandledErrors: ["nobody waits"] };
  expect(sumOf(first, unhandled)).toEqual({
    passed: 5,
    failed: ["(no file): unhandled error\n    nobody waits"],
    flaky: both,
  });
});

test("a hook that threw once is named, and counts no longer", () => {
  const hook = { name: outsideTests, message: "no port" };
  const file = { file: "one.test.ts", passed: [], failures: [hook] };
  const first = { files: [file], unhandledErrors: [] };
  const again = { files: [{ ...file, passed: ["good"], failures: [] }], unhandledErrors: [] };
  const flaky = ["one.test.ts: (outside its tests)\n    no port"];
  expect(sumOf(first, again)).toEqual({ passed: 1, failed: [], flaky });
});

test("a failure says what was there, without colours and at a length to be read", () => {
  const [list, long] =
    runOf({
      "said.test.mjs": `test("list", () => expect(["a red word"]).toEqual([]));
    test("long", () => { throw new Error("x".repeat(9_999)); });`,
    }).files[0]?.failures ?? [];
  expect(list?.message).toContain("a red word");
  expect(list?.message).not.toContain("\u001b");
  expect(long?.message).toHaveLength(600);
});

test("a broken house is not tried again", () => {
  const failures = [{ name: "bad", message: expected }];
  const files = Array.from({ length: 7 }, (_, place) => ({
    file: `${place}.test.ts`,
    passed: [],
    failures,
  }));
  expect(filesToTryAgain({ files: files.slice(1), unhandledErrors: [] })).toHaveLength(6);
  expect(filesToTryAgain({ files, unhandledErrors: [] })).toEqual([]);
});
