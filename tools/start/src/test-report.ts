/** The name of what failed outside the tests of a file: it did not load, or a hook of its threw. */
export const outsideTests = "(outside its tests)";

export interface Failure {
  /** The test's, or `outsideTests`. */
  readonly name: string;
  /** The first lines. */
  readonly message: string;
}

interface TestFile {
  /** From the root of the repository. */
  readonly file: string;
  /** The names of the tests that passed. */
  readonly passed: readonly string[];
  readonly failures: readonly Failure[];
}

/** What one run of vitest came to, as `test-reporter.ts` writes it. */
export interface TestRun {
  readonly files: readonly TestFile[];
  /** Rejections that nobody waited for, and the like: they belong to no file. */
  readonly unhandledErrors: readonly string[];
}

export interface TestSum {
  readonly passed: number;
  /** Each failed test, what failed outside of tests, and errors that belong to no file: with what they say. */
  readonly failed: readonly string[];
  /** What failed first and passed on the second try of its file, each with how the first one ended. */
  readonly flaky: readonly string[];
}

/** More than so many are no accident of a busy machine, and their second try would be a second run. */
const mostTriedAgain = 6;

/**
 * The files to try a second time, each as a whole: its tests go on from what those before them left, so that
 * one of them alone would fail for that. None where an error of no file fails the run anyway.
 */
export function filesToTryAgain({ files, unhandledErrors }: TestRun): readonly string[] {
  const failed = files.filter(({ failures }) => failures.length > 0).map(({ file }) => file);
  return unhandledErrors.length === 0 && failed.length <= mostTriedAgain ? failed : [];
}

/**
 * @param again the second run, over `filesToTryAgain`; its files count in place of the first one's. A test
 * that failed first and did not run again has failed.
 */
export function sumOf(first: TestRun, again?: TestRun): TestSum {
  const last = new Map(again?.files.map((file) => [file.file, file]));
  const ends = first.files.map((file) => ({ file, end: endOf(file, last.get(file.file)) }));
  const unhandled = [first, again].flatMap((run) => run?.unhandledErrors ?? []);
  return {
    passed: ends.reduce((sum, { end }) => sum + end.passed.length, 0),
    failed: [
      ...ends.flatMap(({ end: { file, failures } }) => failures.map((one) => lineOf(file, one))),
      ...unhandled.map((message) => lineOf("(no file)", { name: "unhandled error", message })),
    ],
    flaky: ends.flatMap(({ file: { file, failures }, end }) => {
      const left = new Set(end.failures.map(({ name }) => name));
      return failures.filter(({ name }) => !left.has(name)).map((one) => lineOf(file, one));
    }),
  };
}

function lineOf(file: string, { name, message }: Failure): string {
  return `${file}: ${name}\n${message.replaceAll(/^/gmu, "    ")}`;
}

function endOf(first: TestFile, again: TestFile | undefined): TestFile {
  if (again === undefined) return first;
  const ran = new Set([outsideTests, ...again.passed, ...again.failures.map(({ name }) => name)]);
  const notRun = first.failures.filter(({ name }) => !ran.has(name));
  return { ...again, failures: [...again.failures, ...notRun] };
}
