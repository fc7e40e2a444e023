import { expect, test } from "vitest";
import { ManualClock } from "./clock.ts";
import { waitFor } from "./wait-for.ts";

test("the clock stands still until it is moved", () => {
  const clock = new ManualClock("2026-01-01T00:00:00Z");
  const before = clock.now();
  clock.advance(1500);
  expect(before.toISOString()).toBe("2026-01-01T00:00:00.000Z");
  expect(clock.now().toISOString()).toBe("2026-01-01T00:00:01.500Z");
});

test("waitFor answers what it saw, and fails at its deadline with the last error", async () => {
  let looks = 0;
  expect(await waitFor(() => (++looks < 3 ? undefined : "seen"))).toBe("seen");
  const never = waitFor(
    () => {
      throw new Error("not there");
    },
    { deadlineMs: 30, what: "the impossible" },
  );
  await expect(never).rejects.toMatchObject({
    message: "Not within 30 ms: the impossible",
    cause: { message: "not there" },
  });
});
