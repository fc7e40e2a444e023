import fc from "fast-check";
import { expect, test } from "vitest";
import {
  breakerFailures,
  breakerPhases,
  breakerUndelivered,
  closedBreaker,
  passBreaker,
  probeWaitMs,
  recordBreaker,
} from "./breaker.ts";
import type { AttemptSummary, BreakerState } from "./breaker.ts";

const start = new Date("2026-03-01T10:00:00.000Z");
const later = (ms: number) => new Date(start.getTime() + ms);
const failed = (failures: number, hasProbe = false): AttemptSummary => ({
  hasDelivered: false,
  failures,
  hasProbe,
});
const delivered: AttemptSummary = { hasDelivered: true, failures: 0, hasProbe: false };
const many = breakerUndelivered + 1;

const summaries = fc.record({
  hasDelivered: fc.boolean(),
  failures: fc.nat(20),
  hasProbe: fc.boolean(),
});
const breakers: fc.Arbitrary<BreakerState> = fc
  .record({
    phase: fc.constantFrom(...breakerPhases),
    failures: fc.nat(1_000),
    failedProbes: fc.nat(1_000),
    probeInMs: fc.integer({ min: -100_000, max: 100_000 }),
  })
  .map(({ phase, failures, failedProbes, probeInMs }) =>
    phase === "closed"
      ? { phase, failures, failedProbes: 0, probeAt: null }
      : { phase, failures, failedProbes, probeAt: later(probeInMs) },
  );

test("it opens at the tenth failure in a row, and only over a hundred undelivered", () => {
  const almost = recordBreaker(closedBreaker, failed(breakerFailures - 1), many, start);
  expect(almost).toMatchObject({ phase: "closed", failures: breakerFailures - 1 });
  expect(recordBreaker(almost, failed(1), breakerUndelivered, start).phase).toBe("closed");
  expect(recordBreaker(almost, failed(1), many, start)).toEqual({
    phase: "open",
    failures: breakerFailures,
    failedProbes: 0,
    probeAt: later(5_000),
  });
});

test("probes: one at a time, at 5 s, 10 s, 20 s, 40 s and then each minute, until one is delivered", () => {
  let breaker = recordBreaker(closedBreaker, failed(breakerFailures), many, start);
  let now = start;
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    const at = new Date(now.getTime() + seconds * 1_000);
    const early = passBreaker(breaker, 20_000, new Date(at.getTime() - 1));
    expect(early).toEqual({ type: "put_off", until: at });
    const probe = passBreaker(breaker, 20_000, at);
    if (probe.type !== "probe") throw new Error("no probe");
    // Nobody else goes while it is underway.
    expect(passBreaker(probe.breaker, 20_000, at).type).toBe("put_off");
    now = new Date(at.getTime() + 10_000);
    breaker = recordBreaker(probe.breaker, failed(1, true), many, now);
    expect(breaker.phase).toBe("open");
  }
  expect(recordBreaker(breaker, delivered, many, now)).toEqual(closedBreaker);
});

test("a probe of which nothing is heard is followed by another", () => {
  const open = recordBreaker(closedBreaker, failed(breakerFailures), many, start);
  const probe = passBreaker(open, 20_000, later(5_000));
  if (probe.type !== "probe") throw new Error("no probe");
  expect(passBreaker(probe.breaker, 20_000, later(24_999)).type).toBe("put_off");
  expect(passBreaker(probe.breaker, 20_000, later(25_000)).type).toBe("probe");
});

test("attempts in flight when it opened do not move the probe", () => {
  const open = recordBreaker(closedBreaker, failed(breakerFailures), many, start);
  expect(recordBreaker(open, failed(9), many, later(4_000))).toMatchObject({
    phase: "open",
    failedProbes: 0,
    probeAt: later(5_000),
  });
});

test("with a hundred undelivered or fewer it is never open after an attempt", () => {
  fc.assert(
    fc.property(
      breakers,
      summaries.filter(({ failures, hasDelivered }) => failures > 0 || hasDelivered),
      fc.nat(breakerUndelivered),
      (breaker, summary, undelivered) => {
        expect(recordBreaker(breaker, summary, undelivered, start).phase).toBe("closed");
      },
    ),
  );
});

test("a delivered attempt closes it, whatever was before", () => {
  fc.assert(
    fc.property(breakers, summaries, fc.nat(10_000), (breaker, summary, undelivered) => {
      const after = recordBreaker(breaker, { ...summary, hasDelivered: true }, undelivered, start);
      expect(after).toMatchObject({ phase: "closed", probeAt: null, failures: summary.failures });
    }),
  );
});

test("whatever happens it lets somebody through within a minute or the life of a probe", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(summaries, fc.nat(10_000), fc.nat(30_000)), { maxLength: 40 }),
      fc.integer({ min: 1, max: 60_000 }),
      (steps, probeMs) => {
        let breaker = closedBreaker;
        let now = start;
        for (const [summary, undelivered, passedMs] of steps) {
          now = new Date(now.getTime() + passedMs);
          const pass = passBreaker(breaker, probeMs, now);
          if (pass.type === "probe") breaker = pass.breaker;
          if (pass.type === "put_off") {
            expect(pass.until.getTime() - now.getTime()).toBeLessThanOrEqual(60_000);
            expect(pass.until.getTime()).toBeGreaterThan(now.getTime());
          }
          breaker = recordBreaker(breaker, summary, undelivered, now);
          expect(breaker.phase === "closed").toBe(breaker.probeAt === null);
        }
        expect(passBreaker(breaker, probeMs, new Date(now.getTime() + 60_000)).type).not.toBe(
          "put_off",
        );
      },
    ),
  );
});

test("waits between probes never shrink, and end at a minute", () => {
  fc.assert(
    fc.property(fc.nat(10_000), (failedProbes) => {
      expect(probeWaitMs(failedProbes + 1)).toBeGreaterThanOrEqual(probeWaitMs(failedProbes));
      expect(probeWaitMs(failedProbes)).toBeLessThanOrEqual(60_000);
    }),
  );
});
