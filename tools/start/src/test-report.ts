/** A test that failed, or what failed outside the tests of a file: it did not load, or a hook of its threw. */
export interface Failure {
  readonly name: string;
  /** The first line. */
  readonly message: string;
}

/** What one run of vitest came to, as `test-reporter.ts` writes it. */
export interface TestRun {
  readonly files: readonly {
    /** From the root of the repository. */
    readonly file: string;
    readonly passed: number;
    readonly failures: readonly Failure[];
  }[];
  /** Errors that belong to no file: rejections that nobody waited for. */
  readonly homeless: readonly string[];
}

export interface TestSum {
  readonly passed: number;
  /** Failed tests, what failed outside of tests, and errors that belong to no file. */
  readonly failed: number;
  /** What failed first and passed on the second try of its file, each with how the first one ended. */
  readonly flaky: readonly string[];
}

/** More than so many are no accident of a busy machine, and their second try would be a second run. */
const mostTriedAgain = 6;

/**
 * The files to try a second time, each as a whole: its tests go on from what those before them left, so that
 * one of them alone would fail for that. None where an error of no file fails the run anyway.
 */
export function filesToTryAgain({ files, homeless }: TestRun): readonly string[] {
  const failed = files.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
  return homeless.length === 0 && failed.length <= mostTriedAgain ? failed : [];
}

/** @param again the second run, over `filesToTryAgain`; its files count in place of the first one's */
export function sumOf(first: TestRun, again: TestRun = { files: [], homeless: [] }): TestSum {
  const last = new Map(again.files.map((file) => [file.file, file]));
  const files = first.files.map((file) => last.get(file.file) ?? file);
  const homeless = first.homeless.length + again.homeless.length;
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failed: files.reduce((sum, { failures }) => sum + failures.length, homeless),
    flaky: first.files.flatMap(({ file, failures }) => {
      const left = new Set(last.get(file)?.failures.map(({ name }) => name));
      return failures
        .filter(({ name }) => last.has(file) && !left.has(name))
        .map(({ name, message }) => `${file}: ${name}\n    first ${message}`);
    }),
  };
}
