import { expect, test } from "vitest";
import { secretsIn } from "./searched-logger.ts";

test("a line is told up to its first secret, however many it holds", () => {
  const log =
    "all is well\nsaid first-word and Bearer abcdefghij\nsigned whsec_abcdefghijklmnopqrstuvwx\n";
  expect(secretsIn(log, ["first-word", ""])).toEqual(["said …", "signed …"]);
  expect(secretsIn("Bearer [redacted]\nnothing")).toEqual([]);
});
