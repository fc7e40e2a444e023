/** An endpoint is let through, or probed now and then, or probed at this moment. */
export const breakerPhases = ["closed", "open", "half_open"] as const;
export type BreakerPhase = (typeof breakerPhases)[number];

/**
 * The breaker of one endpoint. While it is not closed all its deliveries are put off, which spends
 * nothing, but for one at a time: the probe, an attempt like any other.
 */
export type BreakerState = {
  phase: BreakerPhase;
  /** Failed attempts since the last that was delivered. */
  failures: number;
  /** Probes that failed since it opened. */
  failedProbes: number;
  /** When the next probe may begin; half open, when the one underway is given up. Null while closed. */
  probeAt: Date | null;
};

/** What attempts of one endpoint came to, since they were last told. */
export type AttemptSummary = {
  /** Whether any was delivered. */
  hasDelivered: boolean;
  /** Failures since then; all of them where none was delivered. */
  failures: number;
  /** Whether a probe is among them. */
  hasProbe: boolean;
};

export const closedBreaker: BreakerState = {
  phase: "closed",
  failures: 0,
  failedProbes: 0,
  probeAt: null,
};

/** It opens only where more deliveries of the endpoint than this are undelivered. */
export const breakerUndelivered = 100;
/** And after so many failures without a success between. */
export const breakerFailures = 10;

const firstProbeMs = 5_000;
const longestProbeMs = 60_000;

/** From the end of a failed probe, or from opening, to the next probe: 5 s, doubled up to a minute. */
export function probeWaitMs(failedProbes: number): number {
  return Math.min(longestProbeMs, firstProbeMs * 2 ** Math.min(failedProbes, 30));
}

/**
 * What attempts that have ended make of the breaker.
 * @param undelivered how many deliveries of the endpoint are; counted up to one over the limit is enough
 * @param now their end
 */
export function recordBreaker(
  breaker: BreakerState,
  summary: AttemptSummary,
  undelivered: number,
  now: Date,
): BreakerState {
  if (summary.hasDelivered) {
    // Whoever delivers is alive, even if others failed beside it: those are counted anew.
    return { ...closedBreaker, failures: summary.failures };
  }
  if (summary.failures === 0) return breaker;
  const failures = breaker.failures + summary.failures;
  if (undelivered <= breakerUndelivered) return { ...closedBreaker, failures };
  if (breaker.phase === "closed") {
    if (failures < breakerFailures) return { ...breaker, failures };
    return { phase: "open", failures, failedProbes: 0, probeAt: after(now, probeWaitMs(0)) };
  }
  // Attempts that were in flight when it opened say nothing about a probe.
  if (!summary.hasProbe) return { ...breaker, failures };
  const failedProbes = breaker.failedProbes + 1;
  return { phase: "open", failures, failedProbes, probeAt: after(now, probeWaitMs(failedProbes)) };
}

/** Whether a delivery may go now, as any other or as the probe, or until when it is put off. */
export type BreakerPass =
  | { type: "pass" }
  | { type: "probe"; breaker: BreakerState }
  | { type: "put_off"; until: Date };

/** @param probeMs after which a probe of which nothing more is heard is given up */
export function passBreaker(breaker: BreakerState, probeMs: number, now: Date): BreakerPass {
  if (breaker.phase === "closed") return { type: "pass" };
  if (breaker.probeAt !== null && breaker.probeAt > now) {
    return { type: "put_off", until: breaker.probeAt };
  }
  return {
    type: "probe",
    breaker: { ...breaker, phase: "half_open", probeAt: after(now, probeMs) },
  };
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
