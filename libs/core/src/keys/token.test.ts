import { tokenPattern } from "@cardvault/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateToken, hashToken, parseToken } from "./token.ts";

const environments = fc.constantFrom("live" as const, "test" as const);
const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-é".split("");

test("a token has the published form, and parses to its environment and hash", () => {
  fc.assert(
    fc.property(environments, (environment) => {
      const token = generateToken(environment);
      expect(token).toMatch(tokenPattern);
      expect(parseToken(token)).toEqual({ environment, hash: hashToken(token) });
    }),
  );
});

test("no two tokens are the same", () => {
  const tokens = new Set(Array.from({ length: 1_000 }, () => generateToken("live")));
  expect(tokens.size).toBe(1_000);
});

test("any one character typed wrong, left out or doubled is refused without a look-up", () => {
  const typingError = fc.record({
    environment: environments,
    at: fc.nat(45),
    character: fc.constantFrom(...characters),
    kind: fc.constantFrom("replaced", "left out", "inserted"),
  });
  fc.assert(
    fc.property(typingError, ({ environment, at, character, kind }) => {
      const token = generateToken(environment);
      const rest = token.slice(kind === "inserted" ? at : at + 1);
      const typed = token.slice(0, at) + (kind === "left out" ? "" : character) + rest;
      fc.pre(typed !== token);
      expect(parseToken(typed)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test("the prefix of the other environment is refused", () => {
  expect(parseToken(generateToken("test").replace("cv_test_", "cv_live_"))).toBeNull();
});
