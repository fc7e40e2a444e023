import { describe, expect, it } from "vitest";
import { figureLine, judge } from "./scenario.ts";

describe("a goal", () => {
  it.each([
    [{ atLeast: 0.6 }, 0.6, true],
    [{ atLeast: 0.6 }, 0.599, false],
    [{ atMost: 0 }, 0, true],
    [{ atMost: 0 }, 1, false],
    [{ atLeast: 1, atMost: 2 }, 2.1, false],
  ])("of %j is met by %d: %s", (bounds, value, isMet) => {
    expect(judge({ figure: "x", ...bounds }, { x: value })[0]).toBe(isMet);
  });

  it("is met by no figure that is missing, text or no number", () => {
    const goal = { figure: "x", atMost: 10 };
    expect(judge(goal, {})[0]).toBe(false);
    expect(judge(goal, { x: "3" })[0]).toBe(false);
    expect(judge(goal, { x: Number.NaN })[0]).toBe(false);
  });
});

it("figures are pairs in one line", () => {
  expect(figureLine({ store: "postgres", p50_ms: 3 })).toBe("store=postgres p50_ms=3");
});
