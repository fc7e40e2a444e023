import { relative } from "node:path";

/** As vitest's JSON reporter writes it; what is not read here is left out. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export interface TestSum {
  readonly passed: number;
  /** Failed tests, and files that failed without one: they did not load, or a hook of theirs threw. */
  readonly failed: number;
  /** What passed only on its second try, each with how the first one ended. */
  readonly flaky: readonly string[];
}

/** What vitest's JSON report comes to; `status` is that of its process. Throws for what is no report. */
export function sumOf(json: string, status: number, root: string): TestSum {
  const report = JSON.parse(json) as VitestReport;
  const brokenFiles = report.testResults.filter(
    ({ status: outcome, assertionResults }) =>
      outcome === "failed" && assertionResults.every((test) => test.status !== "failed"),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const flaky = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      // A test that passes keeps the errors of the tries before.
      .filter((test) => test.status === "passed" && test.failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => {
        const [firstLine = ""] = (failureMessages[0] ?? "").split("\n");
        return `${relative(root, name)}: ${fullName}\n    first ${firstLine}`;
      }),
  );
  // An unhandled rejection fails the run and belongs to no file.
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    flaky,
  };
}
