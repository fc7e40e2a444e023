import { describe, expect, it } from "vitest";
import { growthPercent, slowdown, trendOf } from "./trend.ts";

describe("the trend of a run", () => {
  it("compares the medians of the second quarter and of the last", () => {
    const values = [900, 900, 10, 30, 20, 20, 50, 50, 50, 12, 22, 32];
    expect(trendOf(values)).toEqual({ second: 20, last: 22 });
  });

  it("leaves out what could not be read", () => {
    const values = [1, 1, Number.NaN, 10, 1, 1, 20, Number.NaN];
    expect(trendOf(values)).toEqual({ second: 10, last: 20 });
  });

  it("is no number where a run was too short", () => {
    expect(trendOf([1]).second).toBeNaN();
    expect(growthPercent(trendOf([1]))).toBeNaN();
  });
});

it("growth is in hundredths of the second quarter", () => {
  expect(growthPercent({ second: 200, last: 230 })).toBeCloseTo(15);
  expect(growthPercent({ second: 200, last: 180 })).toBeCloseTo(-10);
});

it("what is fast in both quarters is not slower", () => {
  expect(slowdown({ second: 4, last: 12 }, 20)).toBe(1);
  expect(slowdown({ second: 10, last: 30 }, 20)).toBe(1.5);
  expect(slowdown({ second: 40, last: 60 }, 20)).toBe(1.5);
});
