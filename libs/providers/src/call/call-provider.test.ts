import { createLogger } from "@cardvault/kit";
import { describe, expect, test } from "vitest";
import { callProvider } from "./call-provider.ts";
import type { CallHouse, CallOutcome, CallRules } from "./call-provider.ts";
import { errorOfStatus, ProviderError, retryAfter } from "./provider-error.ts";
import { Slots } from "./slots.ts";
import { createMemoryTurns } from "./turns.ts";
import type { ProviderTurns } from "./turns.ts";

const quiet = createLogger({ name: "test", level: "silent" });
const openTurns: ProviderTurns = {
  take: () => Promise.resolve(0),
  hold: () => Promise.resolve(),
};
const house = (more: Partial<CallHouse> = {}): CallHouse => ({
  logger: quiet,
  turns: openTurns,
  random: () => 0,
  ...more,
});
const rules = (more: Partial<CallRules> = {}): CallRules => ({
  provider: "cardsight",
  deadlineMs: 5_000,
  maxTries: 3,
  rate: { perMinute: 60, burst: 1 },
  maxAnswerBytes: 1_000,
  ...more,
});
const found = (value: string) => Promise.resolve({ found: { value } });

describe("a call", () => {
  test("is tried again only after what passes, and not more often than the rules say", async () => {
    for (const [error, tries] of [
      [new ProviderError("unavailable"), 3],
      [new ProviderError("unauthorized"), 1],
      [new ProviderError("unavailable", { isPassing: false }), 1],
      [new TypeError("fetch failed"), 3],
      [new TypeError("wrapped", { cause: new ProviderError("quota") }), 1],
    ] as const) {
      let sent = 0;
      const result = await callProvider(house(), rules(), new Slots(1), undefined, () => {
        sent += 1;
        return Promise.reject(error);
      });
      expect([result.ok, sent, result.report.tries]).toEqual([false, tries, tries]);
    }
  });

  test("does not wait for a Retry-After that ends behind its deadline", async () => {
    const error = new ProviderError("rate_limited", { retryAfterMs: 60_000 });
    const held: number[] = [];
    const turns = {
      ...openTurns,
      hold: (_: unknown, __: unknown, ms: number) => Promise.resolve(void held.push(ms)),
    };
    const result = await callProvider(house({ turns }), rules(), new Slots(1), undefined, () =>
      Promise.reject(error),
    );
    expect(result).toMatchObject({
      code: "rate_limited",
      retryAfterMs: 60_000,
      report: { tries: 1 },
    });
    expect(held).toEqual([60_000]);
  });

  test("is not sent where our own count of the limit is used up", async () => {
    const turns = createMemoryTurns(() => 0);
    const limited = rules({ rate: { perMinute: 1, burst: 1 }, deadlineMs: 1_000 });
    const call = () =>
      callProvider(house({ turns }), limited, new Slots(1), undefined, () => found("a"));
    expect(await call()).toMatchObject({ ok: true, value: "a" });
    expect(await call()).toMatchObject({ ok: false, code: "rate_limited", report: { tries: 0 } });
  });

  test("frees its place whatever happens, and tells every end but a cancelled one", async () => {
    const outcomes: CallOutcome[] = [];
    const slots = new Slots(1);
    const told = house({ onOutcome: (outcome) => outcomes.push(outcome) });
    const fail = () => Promise.reject(new ProviderError("invalid_image"));
    await callProvider(told, rules(), slots, undefined, fail);
    await callProvider(told, rules(), slots, AbortSignal.abort(), () => found("a"));
    expect(await callProvider(told, rules(), slots, undefined, () => found("b"))).toMatchObject({
      ok: true,
      value: "b",
    });
    expect(outcomes.map(({ code }) => code)).toEqual(["invalid_image", null]);
  });
});

describe("slots", () => {
  test("let so many run, the others in their order, and forget who gave up", async () => {
    const slots = new Slots(2);
    const never = new AbortController().signal;
    const first = await slots.take(never);
    const second = await slots.take(never);
    const order: string[] = [];
    const impatient = new AbortController();
    const gone = slots.take(impatient.signal).then(
      () => order.push("gone"),
      () => order.push("gave up"),
    );
    const third = slots.take(never).then((free) => (order.push("third"), free));
    impatient.abort();
    await gone;
    first();
    first();
    const freeThird = await third;
    expect(order).toEqual(["gave up", "third"]);
    second();
    freeThird();
    await Promise.all([slots.take(never), slots.take(never)]);
  });
});

describe("turns", () => {
  const rate = { perMinute: 60, burst: 3 };

  test("come at the provider's rate, after a burst", async () => {
    let now = 0;
    const turns = createMemoryTurns(() => now);
    const take = () => turns.take("scryfall", rate, 10_000);
    expect([await take(), await take(), await take()]).toEqual([0, 0, 0]);
    expect([await take(), await take()]).toEqual([1_000, 2_000]);
    now = 5_000;
    expect([await take(), await take(), await take(), await take()]).toEqual([0, 0, 0, 1_000]);
  });

  test("are not taken by who cannot wait, and nobody has one while the provider holds", async () => {
    let now = 0;
    const turns = createMemoryTurns(() => now);
    await turns.hold("scryfall", rate, 30_000);
    expect(await turns.take("scryfall", rate, 5_000)).toBeNull();
    expect(await turns.take("tcgdex", rate, 0)).toBe(0);
    now = 29_000;
    expect(await turns.take("scryfall", rate, 5_000)).toBe(1_000);
  });
});

describe("errors", () => {
  test.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2025 00:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    ["", null],
  ])("Retry-After: %s", (value, ms) => {
    expect(
      retryAfter(new Headers({ "retry-after": value }), Date.parse("2026-01-01T00:00:00Z")),
    ).toBe(ms);
  });

  test.each([
    [400, "refused", false],
    [401, "unauthorized", false],
    [402, "quota", false],
    [403, "unauthorized", false],
    [302, "refused", false],
    [408, "unavailable", true],
    [413, "invalid_image", false],
    [429, "rate_limited", true],
    [500, "unavailable", true],
    [503, "unavailable", true],
  ])("status %i is %s", (status, code, isPassing) => {
    expect(errorOfStatus(status, new Headers(), "")).toMatchObject({ code, isPassing });
  });

  test("keep the beginning of what a provider wrote, for the log", () => {
    expect(errorOfStatus(500, new Headers(), "x".repeat(9_999)).detail).toHaveLength(500);
  });
});
