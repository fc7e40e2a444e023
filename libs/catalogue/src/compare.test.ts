import { describe, expect, it } from "vitest";
import { comparableName, comparableNumber, nameLikeness, readNumber } from "./compare.ts";

describe("names", () => {
  it.each([
    ["Flabébé's  Gift", "flabebe s gift"],
    ["PIKACHU-EX", "pikachu ex"],
    ["ピカチュウ", "ピカチュウ"],
    [" — ", ""],
  ])("%s is compared as %j", (name, compared) => {
    expect(comparableName(name)).toBe(compared);
  });

  it("a misread letter leaves a name alike, another card's name does not", () => {
    expect(nameLikeness("Gilded Wardn", "Gilded Warden")).toBeGreaterThan(0.6);
    expect(nameLikeness("Gilded Warden", "Gilded Moth")).toBeLessThan(0.6);
    expect(nameLikeness("", "")).toBe(0);
  });
});

describe("numbers", () => {
  it.each([
    ["012/142", "12", 142],
    ["#4", "4", null],
    ["TG07/TG30", "tg7", 30],
    ["tg7", "tg7", null],
    ["12 of 150", "12", 150],
    ["100/100", "100", 100],
    ["0", "0", null],
    ["7/0", "7", null],
  ])("%s", (printed, number, total) => {
    expect(readNumber(printed)).toEqual({ number, total });
  });

  it("says nothing where nothing is", () => {
    expect(readNumber(" / ")).toBeNull();
    expect(comparableNumber("★")).toBe("");
  });
});
