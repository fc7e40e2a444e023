import { deliveryStatuses, dropReasons, VaultError, waitsSeconds } from "@cardvault/contract";
import type { DeliveryStatus } from "@cardvault/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  claimDelivery,
  deadlineOf,
  deferDelivery,
  dismissDelivery,
  dropForEndpoint,
  newDelivery,
  recordAttempt,
  waitAfter,
} from "./attempts.ts";
import { redeliver } from "./redelivery.ts";
import { isCountedAsDropped, maxClaimsWithoutAttempt } from "./state.ts";
import type { DeliveryState } from "./state.ts";

const start = new Date("2026-03-01T10:00:00.000Z");
const later = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000);
const failed = { statusCode: 500 };
const usable = { isEnabled: true, isRemoved: false };

const at: Record<DeliveryStatus, DeliveryState> = {
  pending: newDelivery(1, start),
  retrying: recordAttempt(newDelivery(1, start), failed, start).state,
  delivered: recordAttempt(newDelivery(1, start), { statusCode: 204 }, start).state,
  dropped: dropForEndpoint(newDelivery(1, start), "endpoint_disabled", start).state,
  cancelled: redeliver(newDelivery(1, start), usable, start).previous ?? newDelivery(1, start),
};

test("the waits are the spec's, each from the end of the attempt before, and the seventh failure drops", () => {
  let delivery = newDelivery(1, start);
  let time = start;
  for (const wait of [30, 120, 600, 3_600, 21_600, 86_400]) {
    const attemptEnd = later(time, 9.5);
    const { state } = recordAttempt(delivery, failed, attemptEnd);
    expect(state).toMatchObject({ status: "retrying", nextAttemptAt: later(attemptEnd, wait) });
    delivery = state;
    time = later(attemptEnd, wait);
  }
  // 31 h 12 min 30 s, and the six attempts' own time.
  expect(time).toEqual(later(start, 31 * 3_600 + 12 * 60 + 30 + 6 * 9.5));
  const last = recordAttempt(delivery, failed, time);
  expect(last.state).toMatchObject({
    status: "dropped",
    dropReason: "attempts_exhausted",
    attempts: 7,
    nextAttemptAt: null,
    endedAt: time,
  });
});

test.each([
  [1, undefined, 30],
  [1, null, 30],
  [1, 0, 30],
  [1, -5, 30],
  [1, Number.NaN, 30],
  [1, Number.POSITIVE_INFINITY, 30],
  [1, 29, 30],
  [1, 31, 31],
  [1, 630, 630],
  [1, 631, 630],
  [2, 100_000, 720],
  [6, 86_399, 86_400],
  [6, 90_000, 87_000],
])("after attempt %d a Retry-After of %s means %d s", (attempts, asked, wait) => {
  expect(waitAfter(attempts, asked)).toBe(wait);
});

test.each([200, 204, 299])("%d is delivered", (statusCode) => {
  expect(recordAttempt(at.retrying, { statusCode }, start).state).toMatchObject({
    status: "delivered",
    attempts: 2,
    endedAt: start,
    dropReason: null,
  });
});

test.each([null, 100, 199, 300, 301, 304, 400, 404, 410, 429, 500])(
  "%s is a failed attempt",
  (statusCode) => {
    expect(recordAttempt(at.pending, { statusCode }, start).state).toMatchObject({
      status: "retrying",
      attempts: 1,
      lastStatusCode: statusCode,
    });
  },
);

describe("the deadline, 48 hours after the generation was made", () => {
  const almost = later(start, 48 * 3_600 - 10);

  test("the next look is never after it, and drops without an attempt", () => {
    const { state } = recordAttempt(newDelivery(1, start), failed, almost);
    expect(state.nextAttemptAt).toEqual(deadlineOf(state));
    const { claim, state: dropped } = claimDelivery(state, 1_000, deadlineOf(state));
    expect(claim).toEqual({ type: "dropped" });
    expect(dropped).toMatchObject({ status: "dropped", dropReason: "deadline", attempts: 1 });
  });

  test("an attempt that ends past it: a failure drops, a 2xx is delivered all the same", () => {
    const past = later(start, 48 * 3_600);
    expect(recordAttempt(at.retrying, failed, past).state.dropReason).toBe("deadline");
    expect(recordAttempt(at.retrying, { statusCode: 200 }, past).state.status).toBe("delivered");
  });

  test("putting off does not move it", () => {
    const { state } = deferDelivery(at.retrying, later(start, 72 * 3_600));
    expect(state.nextAttemptAt).toEqual(deadlineOf(state));
  });
});

describe("410", () => {
  const exhausted = (statusCode: number) =>
    waitsSeconds.reduce((state) => recordAttempt(state, { statusCode }, start).state, at.pending);

  test("is retried like any other, and disables the endpoint when the event is dropped", () => {
    expect(recordAttempt(at.pending, { statusCode: 410 }, start)).toMatchObject({
      disablesEndpoint: false,
      state: { status: "retrying" },
    });
    expect(recordAttempt(exhausted(500), { statusCode: 410 }, start).disablesEndpoint).toBe(true);
    expect(recordAttempt(exhausted(410), { statusCode: 500 }, start).disablesEndpoint).toBe(false);
  });

  test("also where the deadline drops it, not where the endpoint is disabled already", () => {
    const gone = recordAttempt(at.pending, { statusCode: 410 }, start).state;
    expect(claimDelivery(gone, 1_000, deadlineOf(gone)).disablesEndpoint).toBe(true);
    expect(dropForEndpoint(gone, "endpoint_disabled", start).disablesEndpoint).toBe(false);
  });
});

describe("claims", () => {
  test("not due, leased, due", () => {
    expect(claimDelivery(at.retrying, 1_000, start).claim).toEqual({
      type: "look_again",
      at: later(start, 30),
    });
    const { claim, state } = claimDelivery(at.pending, 1_000, start);
    expect(claim).toEqual({ type: "send", leaseUntil: later(start, 1) });
    expect(claimDelivery(state, 1_000, start).claim).toEqual({
      type: "look_again",
      at: later(start, 1),
    });
    expect(claimDelivery(at.delivered, 1_000, start).claim).toEqual({ type: "ended" });
  });

  test("a crash spends no attempt, and too many of them drop it visibly", () => {
    let delivery = at.pending;
    let time = start;
    for (let crash = 0; crash < maxClaimsWithoutAttempt; crash += 1) {
      const claimed = claimDelivery(delivery, 1_000, time);
      expect(claimed.claim.type).toBe("send");
      delivery = claimed.state;
      time = later(time, 2);
    }
    expect(delivery.attempts).toBe(0);
    expect(claimDelivery(delivery, 1_000, time).state).toMatchObject({
      status: "dropped",
      dropReason: "internal",
    });
  });

  test("cap and breaker spend neither an attempt nor a claim, and never bring a wait forward", () => {
    const claimed = claimDelivery(at.pending, 1_000, start).state;
    expect(deferDelivery(claimed, later(start, 5)).state).toMatchObject({
      attempts: 0,
      claims: 0,
      leaseUntil: null,
      nextAttemptAt: later(start, 5),
    });
    expect(deferDelivery(at.retrying, start).state.nextAttemptAt).toEqual(later(start, 30));
  });
});

describe.each(deliveryStatuses)("a %s delivery", (status) => {
  const delivery = at[status];
  const isUndelivered = status === "pending" || status === "retrying";

  test("an attempt is recorded only while it is undelivered", () => {
    expect(delivery.status).toBe(status);
    for (const statusCode of [200, 500]) {
      const record = () => recordAttempt(delivery, { statusCode }, start);
      if (isUndelivered) expect(record).not.toThrow();
      else expect(record).toThrow(expect.objectContaining({ code: "invalid_transition" }));
    }
    if (!isUndelivered) expect(() => deferDelivery(delivery, start)).toThrow(VaultError);
  });

  test.each(["endpoint_disabled", "endpoint_removed"] as const)("%s", (by) => {
    const { state, changed } = dropForEndpoint(delivery, by, start);
    expect(changed).toBe(isUndelivered);
    if (isUndelivered) expect(state).toMatchObject({ status: "dropped", dropReason: by });
  });

  test("redelivered: the next generation, due at once", () => {
    const { previous, next } = redeliver(delivery, usable, later(start, 1));
    expect(next).toEqual(newDelivery(2, later(start, 1)));
    expect(previous?.status).toBe(isUndelivered ? "cancelled" : status);
  });

  test("dismissed only when dropped", () => {
    if (status !== "dropped") {
      expect(() => dismissDelivery(delivery, start)).toThrow(VaultError);
      return;
    }
    expect(isCountedAsDropped(delivery)).toBe(true);
    const { state } = dismissDelivery(delivery, start);
    expect(isCountedAsDropped(state)).toBe(false);
    expect(dismissDelivery(state, later(start, 9)).changed).toBe(false);
  });
});

test("those of a removed endpoint are listed, not counted", () => {
  expect(isCountedAsDropped(dropForEndpoint(at.pending, "endpoint_removed", start).state)).toBe(
    false,
  );
});

test("redelivering is a conflict for a removed or disabled endpoint and while an attempt is in flight", () => {
  const inFlight = claimDelivery(at.pending, 1_000, start).state;
  const refused = [
    () => redeliver(at.dropped, { isEnabled: false, isRemoved: false }, start),
    () => redeliver(at.dropped, { isEnabled: true, isRemoved: true }, start),
    () => redeliver(inFlight, usable, later(start, 0.999)),
  ];
  for (const call of refused) expect(call).toThrow(expect.objectContaining({ code: "conflict" }));
  expect(redeliver(inFlight, usable, later(start, 1)).next.generation).toBe(2);
  expect(redeliver(null, usable, start)).toEqual({ previous: null, next: newDelivery(1, start) });
});

test("whatever happens: at most seven attempts, never early, every end has its reason and its time", () => {
  const step = fc.record({
    what: fc.constantFrom("attempt", "attempt", "attempt", "crash", "defer", "disable", "early"),
    statusCode: fc.constantFrom(200, 500, 410, 429, null),
    seconds: fc.integer({ min: 0, max: 20_000 }),
  });
  const reasons = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: "max" }), (steps) => {
      let delivery = newDelivery(1, start);
      let time = start;
      let sent = 0;
      let notBefore = start;
      for (const { what, statusCode, seconds } of steps) {
        const before = delivery;
        if (what === "early") time = later(time, seconds / 1_000);
        else time = later(delivery.nextAttemptAt ?? time, seconds / 10);
        if (what === "disable" && seconds % 10 === 0) {
          delivery = dropForEndpoint(delivery, "endpoint_disabled", time).state;
        }
        const claimed = claimDelivery(delivery, 30_000, time);
        delivery = claimed.state;
        if (claimed.claim.type === "send") {
          expect(time.getTime()).toBeGreaterThanOrEqual(notBefore.getTime());
          expect(time < deadlineOf(delivery)).toBe(true);
          time = later(time, 1);
          if (what === "crash") time = later(time, 60);
          else if (what === "defer") delivery = deferDelivery(delivery, later(time, seconds)).state;
          else {
            sent += 1;
            delivery = recordAttempt(
              delivery,
              { statusCode, retryAfterSeconds: seconds },
              time,
            ).state;
            notBefore = later(time, waitsSeconds[sent - 1] ?? 0);
          }
        }
        expect(delivery.attempts).toBe(sent);
        expect(sent).toBeLessThanOrEqual(7);
        const isOver = delivery.status !== "pending" && delivery.status !== "retrying";
        expect(delivery.endedAt !== null).toBe(isOver);
        expect(delivery.nextAttemptAt === null).toBe(isOver);
        expect(delivery.dropReason !== null).toBe(delivery.status === "dropped");
        if (before.endedAt !== null) expect(delivery).toEqual(before);
        if (delivery.dropReason !== null) reasons.add(delivery.dropReason);
      }
    }),
    { numRuns: 2_000 },
  );
  expect([...reasons].sort()).toEqual(
    dropReasons.filter((reason) => reason !== "endpoint_removed" && reason !== "internal").sort(),
  );
});
