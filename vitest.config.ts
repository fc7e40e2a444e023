import { configDefaults, defineConfig } from "vitest/config";
import { reportVariable, TestRunReporter } from "./tools/start/src/test-reporter.ts";

export default defineConfig({
  test: {
    include: [
      "libs/**/*.test.ts",
      "services/**/*.test.ts",
      "services/**/*.test.tsx",
      "tools/**/*.test.ts",
    ],
    exclude: [...configDefaults.exclude, "**/dist/**", "**/.data/**"],
    reporters: [
      "default",
      // `npm test` asks what the run came to.
      ...(process.env[reportVariable] === undefined ? [] : [new TestRunReporter()]),
    ],
    globalSetup: ["libs/testkit/src/global-setup.ts"],
    // Processes, so that a test may end or crash its own. Without a number, a machine of two cores runs one file at a time.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 40_000,
    // As long as a step of the browser may take: one second is none for a machine that is busy.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    // A test alone must not be pushed by accident.
    allowOnly: process.env["CI"] === undefined,
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
