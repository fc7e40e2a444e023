import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disablesAt, healthStep, noAttempts, observeAttempts } from "./endpoint-health.ts";
import type { EndpointRecord, NewAttempts } from "./endpoint-health.ts";

const hourMs = 3_600_000;
const start = Date.parse("2026-03-01T00:00:00.000Z");
const at = (hours: number): Date => new Date(start + hours * hourMs);

type Attempt = { hour: number; delivered: boolean };

/** What a look at these attempts finds, as the database would answer it. */
function found(attempts: readonly Attempt[]): NewAttempts {
  const delivered = attempts.filter((one) => one.delivered).at(-1);
  const failed = attempts.filter(
    (one) => !one.delivered && (delivered === undefined || one.hour > delivered.hour),
  );
  const [first] = failed;
  const last = failed.at(-1);
  return {
    lastDeliveredAt: delivered === undefined ? null : at(delivered.hour),
    firstFailedAt: first === undefined ? null : at(first.hour),
    lastFailedAt: last === undefined ? null : at(last.hour),
  };
}

const failures = (...hours: number[]) => hours.map((hour) => ({ hour, delivered: false }));

/** One look after each attempt. */
function recordOf(attempts: readonly Attempt[]): EndpointRecord {
  return attempts.reduce((record, one) => observeAttempts(record, found([one])), noAttempts);
}

const everyDay = (days: number) =>
  failures(...Array.from({ length: days + 1 }, (_, day) => day * 24));

describe("five days of only failures", () => {
  test.each([
    [0, { type: "none" }],
    [1, { type: "warn", day: 1, disablesAt: at(120) }],
    [2, { type: "warn", day: 1, disablesAt: at(120) }],
    [3, { type: "warn", day: 3, disablesAt: at(120) }],
    [4, { type: "warn", day: 4, disablesAt: at(120) }],
    [5, { type: "disable" }],
  ])("after %i days: %j", (days, step) => {
    expect(healthStep(recordOf(everyDay(days)))).toEqual(step);
  });

  test("not a millisecond before", () => {
    const record = recordOf(everyDay(4));
    const almost = { ...record, lastFailedAt: new Date(disablesAt(at(0)).getTime() - 1) };
    expect(healthStep(almost).type).toBe("warn");
  });

  test("one success begins it anew", () => {
    const record = recordOf([...everyDay(4), { hour: 97, delivered: true }, ...failures(98, 121)]);
    expect(record.failingSince).toEqual(at(98));
    expect(healthStep(record)).toEqual({ type: "none" });
  });

  test("an event that failed, then days without any, is no run of failures", () => {
    const record = recordOf(failures(0, 7, 31, 24 * 30));
    expect(record.failingSince).toEqual(at(24 * 30));
    expect(healthStep(record)).toEqual({ type: "none" });
  });

  test("time alone disables nothing: the last failure counts", () => {
    expect(healthStep(recordOf(failures(0, 31)))).toMatchObject({ type: "warn", day: 1 });
  });
});

const attempts = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 47 }), delivered: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((steps) => {
    let hour = 0;
    return steps.map(({ gap, delivered }) => ({ hour: (hour += gap), delivered }));
  });

test("it does not matter when, or how often, one looks", () => {
  fc.assert(
    fc.property(attempts, fc.array(fc.nat(29)), (all, cuts) => {
      const whole = observeAttempts(noAttempts, found(all));
      let record = noAttempts;
      let from = 0;
      for (const cut of [...new Set(cuts)].toSorted((one, other) => one - other)) {
        // Each look takes the last attempt of the one before once more.
        record = observeAttempts(record, found(all.slice(Math.max(0, from - 1), cut)));
        from = Math.max(from, Math.min(cut, all.length));
      }
      record = observeAttempts(record, found(all.slice(Math.max(0, from - 1))));
      expect(record.failingSince).toEqual(whole.failingSince);
      expect(record.lastDeliveredAt).toEqual(whole.lastDeliveredAt);
    }),
  );
});
