import type { Reporter, TestCase } from "vitest/node";

/**
 * Names the tests that passed only when run again, so that trying twice hides nothing: such a test
 * is a fault to be looked at, but not one that should stop somebody else's change.
 */
export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    this.#flaky.push(`${test.module.relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#flaky.length === 0) return;
    console.log(`\nPassed only on the second try:\n  ${this.#flaky.join("\n  ")}`);
  }
}
