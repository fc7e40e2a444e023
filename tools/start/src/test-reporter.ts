import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { outsideTests } from "./test-report.ts";
import type { Failure, TestRun } from "./test-report.ts";

/** Where the reporter writes what a run came to, as JSON of a `TestRun`. */
export const reportVariable = "CARDVAULT_TEST_REPORT";

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
      unhandledErrors: unhandledErrors.map(({ message }) => firstLine(message)),
    };
    writeFileSync(path, JSON.stringify(run));
  };
}

function failuresOf(file: TestModule): Failure[] {
  const tests = [...file.children.allTests("failed")].map((test) => ({
    name: test.fullName,
    message: firstLine(test.result().errors?.[0]?.message),
  }));
  const hooks = [file, ...file.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => ({ name: outsideTests, message: firstLine(message) })),
  );
  return [...hooks, ...tests];
}

function firstLine(message = ""): string {
  return message.split("\n", 1)[0] ?? "";
}
