import { expect, test } from "vitest";
import { within } from "./within.ts";

const never = new Promise<never>(() => undefined);

test("what is in time is answered, with its own error too", async () => {
  expect(await within(60_000, Promise.resolve("answer"))).toBe("answer");
  await expect(within(60_000, Promise.reject(new Error("its own")))).rejects.toThrow("its own");
});

test("what is late is left behind", async () => {
  await expect(within(1, never)).rejects.toThrow("too long");
});

test("what fails once it is left behind ends no process", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await expect(within(1, promise)).rejects.toThrow("too long");
  reject(new Error("late"));
  await expect(promise).rejects.toThrow("late");
});
