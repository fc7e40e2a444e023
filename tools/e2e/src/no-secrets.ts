import { secretsIn } from "@cardvault/testkit";
import { expect } from "vitest";

/** Fails where a log holds one of these secrets, or anything that has the form of one. */
export function expectNoSecrets(log: string, secrets: ReadonlySet<string>): void {
  expect(secretsIn(log, secrets), "lines of a log that hold a secret").toEqual([]);
}
