import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./settings.ts";
import { sumOf } from "./test-report.ts";

/** Runs vitest itself over the given files, as `npm test` does. */
function sumFor(files: Readonly<Record<string, string>>) {
  // Inside the repository, so that the files find vitest.
  const folder = mkdtempSync(join(root, "node_modules", ".cardvault-report-"));
  try {
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");
    for (const [name, lines] of Object.entries(files)) {
      writeFileSync(join(folder, name), `import { expect, test } from "vitest";\n${lines}\n`);
    }
    const report = join(folder, "report.json");
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--retry=1",
        "--reporter=json",
        `--outputFile.json=${report}`,
        `--root=${folder}`,
        // Everything lies below node_modules, which is left out otherwise.
        "--exclude=none",
      ],
      { cwd: folder, stdio: "ignore" },
    );
    return sumOf(readFileSync(report, "utf8"), status ?? 1, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const passing = 'test("good", () => expect(1).toBe(1));';

test("a test that passes on its second try is named, with what was wrong with the first", () => {
  const { passed, failed, flaky } = sumFor({
    "flaky.test.mjs": `let tries = 0;\n${passing}\ntest("second", () => expect((tries += 1)).toBe(2));`,
  });
  expect({ passed, failed }).toEqual({ passed: 2, failed: 0 });
  expect(flaky).toEqual([
    "flaky.test.mjs: second\n    first AssertionError: expected 1 to be 2 // Object.is equality",
  ]);
});

test("each file that does not load counts, also beside a test that fails", () => {
  const { passed, failed, flaky } = sumFor({
    "good.test.mjs": passing,
    "bad.test.mjs": 'test("bad", () => expect(1).toBe(2));',
    "broken-one.test.mjs": 'throw new Error("does not load");',
    "broken-two.test.mjs": 'import "./not-there.mjs";',
  });
  expect({ passed, failed, flaky }).toEqual({ passed: 1, failed: 3, flaky: [] });
});

test("a run that failed without a failed test is not passed", () => {
  const { failed } = sumFor({
    "rejects.test.mjs": `${passing}\nvoid Promise.reject(new Error("nobody waits"));`,
  });
  expect(failed).toBe(1);
});
