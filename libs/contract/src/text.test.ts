import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountId, cardId, exampleId, idPrefixes, pathId } from "./ids.ts";
import { filledText, requestTime, text, timestamp, webAddress } from "./text.ts";

function accepts(schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) {
  return schema.safeParse(value).success;
}

describe("text", () => {
  it.each(["a\u0000b", "\u0000", "\ud800", "a\udc00", "\udc00\ud800"])("refuses %j", (value) => {
    expect(accepts(text(10), value)).toBe(false);
    expect(accepts(filledText(10), value)).toBe(false);
  });

  it("keeps every other string as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 50 }), (value) => {
        fc.pre(!value.includes("\u0000"));
        expect(text(100).parse(value)).toBe(value);
      }),
    );
    expect(filledText(10).parse(" a ")).toBe(" a ");
  });

  it("ends at its maximum", () => {
    expect(accepts(text(3), "abc")).toBe(true);
    expect(accepts(text(3), "abcd")).toBe(false);
  });

  it.each(["", " ", "\t\n", "\u00a0\u2003"])("filled, refuses %j", (value) => {
    expect(accepts(filledText(10), value)).toBe(false);
    expect(accepts(text(10), value)).toBe(true);
  });
});

describe("times", () => {
  it.each([
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00+02:00",
    "2026-03-01T09:30:00.123456789-11:30",
    "2024-02-29T00:00:00Z",
  ])("a request may give %s", (value) => {
    expect(accepts(requestTime, value)).toBe(true);
  });

  it.each([
    "2026-03-01T09:30:00",
    "2026-03-01T09:30Z",
    "2026-03-01",
    "2026-03-01 09:30:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "1772357400",
    `2026-03-01T09:30:00.${"0".repeat(60)}Z`,
    "",
  ])("a request may not give %s", (value) => {
    expect(accepts(requestTime, value)).toBe(false);
  });

  it("an answer has milliseconds and Z", () => {
    expect(accepts(timestamp, new Date(0).toISOString())).toBe(true);
    expect(accepts(timestamp, "2026-03-01T09:30:00Z")).toBe(false);
    expect(accepts(timestamp, "2026-03-01T09:30:00.000+00:00")).toBe(false);
  });
});

describe("web addresses", () => {
  it("are http or https, of at most 2,048 characters", () => {
    expect(accepts(webAddress, "https://example.com/a?b=c")).toBe(true);
    expect(accepts(webAddress, "http://127.0.0.1:4000/hook")).toBe(true);
    expect(accepts(webAddress, `https://example.com/${"a".repeat(2028)}`)).toBe(true);
    expect(accepts(webAddress, `https://example.com/${"a".repeat(2029)}`)).toBe(false);
    for (const value of ["ftp://example.com", "javascript:alert(1)", "example.com", "https://"]) {
      expect(accepts(webAddress, value)).toBe(false);
    }
  });
});

describe("ids", () => {
  it("have the prefix of their kind", () => {
    expect(accepts(cardId, exampleId("card"))).toBe(true);
    expect(accepts(accountId, exampleId("card"))).toBe(false);
    expect(new Set(idPrefixes).size).toBe(idPrefixes.length);
  });

  it.each([
    "card_",
    "card_8kjn2z6g0fgz9pqafd9r83gq3a",
    "card_01KJN2Z6G0FGZ9PQAFD9R83GQ3",
    "card_01kjn2z6g0fgz9pqafd9r83gq",
    "card_01kjn2z6g0fgz9pqafd9r83gq33",
    "card_01kjn2z6g0fgz9pqafd9r83gqi",
    "card_01kjn2z6g0fgz9pqafd9r83gql",
    "card_01kjn2z6g0fgz9pqafd9r83gqo",
    "card_01kjn2z6g0fgz9pqafd9r83gqu",
    "card_01kjn2z6g0fgz9pqafd9r83gq3\n",
    "01kjn2z6g0fgz9pqafd9r83gq3",
  ])("refuse %j", (value) => {
    expect(accepts(cardId, value)).toBe(false);
  });

  it("in a path are any text, since a malformed one is not found", () => {
    expect(accepts(pathId("card"), "%00 nonsense")).toBe(true);
  });
});
