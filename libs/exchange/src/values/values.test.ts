import { describe, expect, test } from "vitest";
import { formatMoney, guessDecimal, parseMoney } from "./money.ts";
import {
  parseCondition,
  parseConditionAndFinish,
  parseFinish,
  parseGrading,
  parseLanguage,
} from "./words.ts";

describe("amounts of money", () => {
  test.each([
    ["$1,234.50", ".", 123_450, "USD"],
    ["1.234,50", ",", 123_450, "USD"],
    ["1.234,50 €", ".", 123_450, "EUR"],
    ["1 234,5", ",", 123_450, "USD"],
    ["1'234.50", ".", 123_450, "USD"],
    ["1\u00A0234,50", ",", 123_450, "USD"],
    ["1.234", ",", 123_400, "USD"],
    ["1.234", ".", 123, "USD"],
    ["1,234", ".", 123_400, "USD"],
    ["1,234,567", ".", 123_456_700, "USD"],
    ["12,5", ".", 1_250, "USD"],
    ["44.0000", ".", 4_400, "USD"],
    ["0.333333", ".", 33, "USD"],
    [".5", ".", 50, "USD"],
    ["EUR 12", ".", 1_200, "EUR"],
    ["12 eur", ".", 1_200, "EUR"],
    ["¥1,200", ".", 1_200, "JPY"],
    ["£3", ".", 300, "GBP"],
    ["1.005", ".", 101, "USD"],
  ] as const)("%s", (text, decimal, amount, currency) => {
    expect(parseMoney(text, { decimal, currency: "USD" })).toEqual({ amount, currency });
  });

  test.each([
    "-5",
    "(5.00)",
    "free",
    "1,23,456",
    "1.2.3,4,5",
    "12 XYZ",
    "1e5",
    "9".repeat(20),
    "$",
  ])("%s is none, and the sentence says so", (text) => {
    expect(parseMoney(text, { decimal: ".", currency: "USD" })).toMatch(/is (?:not|too)/u);
  });

  test("a cell without an end is no amount, and is not tried in every way", () => {
    const style = { decimal: ".", currency: "USD" } as const;
    expect(parseMoney(`$${" ".repeat(500_000)}x`, style)).toContain("is not an amount of money");
  });

  test("a dollar sign is the account's own dollar", () => {
    expect(parseMoney("$2", { decimal: ".", currency: "CAD" })).toMatchObject({ currency: "CAD" });
    expect(parseMoney("$2", { decimal: ".", currency: "EUR" })).toMatchObject({ currency: "USD" });
  });

  test("are written with the currency's own decimals", () => {
    expect(formatMoney({ amount: 5, currency: "USD" })).toBe("0.05");
    expect(formatMoney({ amount: 1200, currency: "JPY" })).toBe("1200");
    expect(formatMoney({ amount: 1, currency: "KWD" })).toBe("0.001");
  });

  test("what separates the cents is seen in the values", () => {
    expect(guessDecimal(["1.234,50", "2,5", "3"])).toBe(",");
    expect(guessDecimal(["1,234.50", "3"])).toBe(".");
  });
});

describe("words", () => {
  test.each([
    ["NM", "general", "near_mint"],
    ["near-mint", "general", "near_mint"],
    ["Good (Lightly Played)", "general", "lightly_played"],
    ["good", "cardmarket", "moderately_played"],
    ["good", "sports", "heavily_played"],
    ["light_played", "cardmarket", "moderately_played"],
    ["DMG", "general", "damaged"],
  ] as const)("the condition %s on the scale %s", (text, scale, condition) => {
    expect(parseCondition(text, scale)).toEqual({ condition });
  });

  test("a word that is no condition is answered with those that are", () => {
    expect(parseCondition("shiny", "general")).toContain("near_mint, lightly_played");
  });

  test("condition, finish and language in one", () => {
    expect(parseConditionAndFinish("Lightly Played 1st Edition Holofoil")).toMatchObject({
      condition: "lightly_played",
      finish: "1st Edition Holofoil",
    });
    expect(parseConditionAndFinish("Shiny Foil")).toContain("does not begin with a condition");
  });

  test.each([
    ["normal", undefined],
    ["Non-Foil", undefined],
    ["foil", "foil"],
    ["TRUE", "foil"],
    ["Reverse Holofoil", "reverse holofoil"],
  ])("the finish %s", (text, finish) => expect(parseFinish(text)).toBe(finish));

  test.each([
    ["PSA 10", "PSA", "10", null],
    ["BGS 9.5 GEM MINT", "BGS", "9.5", null],
    ["psa-8 (OC)", "PSA", "8", "OC"],
    ["CGC Pristine 10", "CGC", "10", null],
    ["SGC Authentic", "SGC", "Authentic", null],
  ])("the grading %s", (text, grader, grade, qualifier) => {
    expect(parseGrading(text)).toEqual({ grader, grade, cert_number: null, qualifier });
  });

  test("languages by name, code or abbreviation; others stay", () => {
    const given = ["English", "JP", "s-chinese", "zht", "Elvish"];
    expect(given.map(parseLanguage)).toEqual(["en", "ja", "zh-Hans", "zh-Hant", "Elvish"]);
  });
});
