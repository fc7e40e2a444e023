import { describe, expect, test } from "vitest";
import { asDigits, certificateIn, nameLinesIn, numbersIn } from "./parse-text.ts";

describe("numbers", () => {
  test.each<[string[], [string, number][]]>([
    [["12/142"], [["12/142", 1]]],
    [["Ember Coast 012 / 142 ★"], [["012/142", 1]]],
    [["TG07/TG30", "tg07/tg30"], [["TG07/TG30", 2]]],
    [
      ["53/18", "53/118", "x 53/118"],
      [
        ["53/118", 2],
        ["53/18", 1],
      ],
    ],
    [["12/142 12/142"], [["12/142", 1]]],
    [["no number", "1/2", "©2024"], []],
    [["SV107/SV122 illus. A"], [["SV107/SV122", 1]]],
  ])("%j", (texts, wanted) => {
    expect(numbersIn(texts).map(({ printed, votes }) => [printed, votes])).toEqual(wanted);
  });

  test("a letter where a digit must be is taken for one on a second look", () => {
    expect(asDigits("I2/1O2")).toBe("12/102");
    expect(asDigits("12/102")).toBe("12/102");
  });
});

test("names are lines with letters, the longest first", () => {
  expect(nameLinesIn(["[ Cinder Sprite\n\n|", "HP 120\nCinder Sprite"])).toEqual(["Cinder Sprite"]);
  expect(nameLinesIn(["A B\n1 2 3"])).toEqual([]);
});

describe("slabs", () => {
  test.each([
    ["https://www.psacard.com/cert/12345678", { grader: "PSA", certNumber: "12345678" }],
    [
      "https://www.cgccards.com/certlookup/4012345-001/",
      { grader: "CGC", certNumber: "4012345001" },
    ],
    ["12345678", null],
    ["https://evil.example/psacard.com/x", null],
  ])("%s", (text, wanted) => {
    expect(certificateIn([{ format: "QRCode", text }])).toEqual(wanted);
  });
});
