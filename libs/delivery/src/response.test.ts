import { expect, test } from "vitest";
import { retryAfterSeconds, shownHeaders } from "./response.ts";

const now = new Date("2026-03-01T12:00:00.000Z");

test.each([
  ["120", 120],
  ["0", 0],
  ["Sun, 01 Mar 2026 12:01:00 GMT", 60],
  ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  ["1.5", null],
  ["2026", 2026],
  ["", null],
])("Retry-After %j asks for %j seconds", (text, seconds) => {
  expect(retryAfterSeconds({ "retry-after": text }, now)).toBe(seconds);
});

test("keeps what helps, and neither credentials nor what PostgreSQL cannot store", () => {
  const shown = shownHeaders({
    "content-type": "text/html",
    "set-cookie": ["session=1"],
    "www-authenticate": "Basic",
    "x-odd": "a\0b\ud800",
    "x-long": "y".repeat(9_000),
  });
  expect(shown).toEqual({
    "content-type": "text/html",
    "x-odd": "ab\ufffd",
    "x-long": "y".repeat(500),
  });
});
