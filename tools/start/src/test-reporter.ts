import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { TestError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";
import { outsideTests } from "./test-report.ts";
import type { Failure, TestRun } from "./test-report.ts";

/** Where the reporter writes what a run came to, as JSON of a `TestRun`. */
export const reportVariable = "CARDVAULT_TEST_REPORT";

/** Enough to see what was wrong where only the end of a run's output was kept. */
const mostLines = 8;
const mostCharacters = 600;

/** Vitest's own JSON report names neither unhandled errors nor hooks that threw. */
export class TestRunReporter implements Reporter {
  onTestRunEnd: NonNullable<Reporter["onTestRunEnd"]> = (modules, unhandledErrors) => {
    const path = process.env[reportVariable];
    if (path === undefined) throw new Error(`${reportVariable} is not set.`);
    const run: TestRun = {
      files: modules.map((file) => ({
        file: file.relativeModuleId,
        passed: [...file.children.allTests("passed")].map((test) => test.fullName),
        failures: failuresOf(file),
      })),
      unhandledErrors: unhandledErrors.map(saidBy),
    };
    writeFileSync(path, JSON.stringify(run));
  };
}

function failuresOf(file: TestModule): Failure[] {
  const tests = [...file.children.allTests("failed")].map((test) => ({
    name: test.fullName,
    message: saidBy(test.result().errors?.[0]),
  }));
  const hooks = [file, ...file.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => ({ name: outsideTests, message: saidBy(error) })),
  );
  return [...hooks, ...tests];
}

/** What was waited for stands below a message's first line, and what was there instead in the difference. */
function saidBy({ message, diff = "" }: TestError = { message: "" }): string {
  const differing = linesOf(diff).filter((line) => /^[+-] (?!Expected$|Received$).*\w/u.test(line));
  return [...linesOf(message), ...differing]
    .slice(0, mostLines)
    .join("\n")
    .slice(0, mostCharacters);
}

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
}
