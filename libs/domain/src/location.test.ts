import { expect, test } from "vitest";
import { relocated } from "./location.ts";

const rename = (withinToo: boolean) => ({ from: "A", to: "Vault/A", withinToo });

test.each([
  ["A", true, "Vault/A"],
  ["A", false, "Vault/A"],
  ["A/03", true, "Vault/A/03"],
  ["A/03", false, null],
  ["AB", true, null],
  ["a/03", true, null],
  ["B/A/03", true, null],
])("%s, with what lies within: %s, is then %s", (location, withinToo, after) => {
  expect(relocated(location, rename(withinToo), "/")).toBe(after);
});

test("refuses one that becomes too long", () => {
  expect(() => relocated(`A/${"x".repeat(115)}`, rename(true), "/")).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});
