import { VaultError } from "@cardvault/contract";
import type { JobStatus } from "@cardvault/contract";
import { outcomeOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { requireRow } from "./table.ts";
import type { TransitionRow } from "./table.ts";

/** A piece of durable work that is not a delivery. */
export type JobState = {
  status: JobStatus;
  /** A run is in progress until then, unless it reports before. */
  leaseUntil: Date | null;
  /** Claims since progress was last reported. */
  claims: number;
  /** Both may hold; it runs again once neither does. */
  isPausedByHand: boolean;
  isPausedBySuspension: boolean;
  /** Asked for while a chunk runs; acted on after that chunk. */
  cancelRequestedAt: Date | null;
  /** Why it failed, as a code. */
  failureReason: string | null;
  endedAt: Date | null;
};

export type JobCommand =
  | { type: "claim"; leaseMs: number }
  /** A chunk is committed, or the run renews its lease: that is progress. */
  | { type: "renew"; leaseMs: number }
  /** A chunk is committed and nobody works on the job until the next claim. */
  | { type: "chunk_done" }
  | { type: "finish" }
  | { type: "fail"; reason: string }
  | { type: "cancel" }
  | { type: "pause"; by: "hand" | "suspension" }
  | { type: "resume"; by: "hand" | "suspension" }
  | { type: "retry" };

export type JobTrigger =
  | "claimed"
  | "finished"
  | "failed"
  | "claimed_too_often"
  | "cancelled"
  | "paused"
  | "resumed"
  | "retried";

/**
 * What no row names is `invalid_transition`. A queued or paused job is cancelled by way of
 * running, without a chunk being run.
 */
// oxfmt-ignore
export const jobMoves: readonly TransitionRow<JobStatus, JobTrigger>[] = [
  { from: ["queued"], to: ["running"], by: "claimed" },
  { from: ["running"], to: ["done"], by: "finished" },
  { from: ["running"], to: ["failed"], by: "failed" },
  { from: ["running"], to: ["failed"], by: "claimed_too_often" },
  { from: ["running"], to: ["cancelled"], by: "cancelled" },
  { from: ["running"], to: ["paused"], by: "paused" },
  { from: ["paused"], to: ["running"], by: "resumed" },
  { from: ["failed"], to: ["queued"], by: "retried" },
];

/** Claims in a row without progress after which a job is failed: it kills whoever runs it. */
export const maxClaimsWithoutProgress = 10;
export const noProgressReason = "no_progress";

/** A job as it is written in the change that asks for it. */
export function newJob(): JobState {
  return {
    status: "queued",
    leaseUntil: null,
    claims: 0,
    isPausedByHand: false,
    isPausedBySuspension: false,
    cancelRequestedAt: null,
    failureReason: null,
    endedAt: null,
  };
}

/**
 * The job after a command.
 * @throws VaultError `invalid_transition`; `conflict` for a claim while another's lease holds.
 */
export function decideJob(job: JobState, command: JobCommand, now: Date): Outcome<JobState> {
  return outcomeOf(job, apply(job, command, now));
}

function apply(job: JobState, command: JobCommand, now: Date): JobState {
  switch (command.type) {
    case "claim":
      return claim(job, command.leaseMs, now);
    case "renew":
      requireStatus(job, ["running", "paused"]);
      return betweenChunks({ ...job, claims: 0, leaseUntil: leaseFrom(now, command.leaseMs) }, now);
    case "chunk_done":
      requireStatus(job, ["running", "paused"]);
      return betweenChunks({ ...job, claims: 0, leaseUntil: null }, now);
    case "finish":
      return end(resumed(job), "done", "finished", now);
    case "fail":
      return { ...end(resumed(job), "failed", "failed", now), failureReason: command.reason };
    case "cancel":
      return cancel(job, now);
    case "pause":
      return pause(job, command.by);
    case "resume":
      return resume(job, command.by);
    case "retry":
      return {
        ...move(job, "queued", "retried"),
        claims: 0,
        failureReason: null,
        endedAt: null,
        cancelRequestedAt: null,
      };
  }
}

function move(job: JobState, to: JobStatus, by: JobTrigger): JobState {
  requireRow("job", jobMoves, job.status, to, by);
  return { ...job, status: to };
}

function end(job: JobState, to: JobStatus, by: JobTrigger, now: Date): JobState {
  return { ...move(job, to, by), leaseUntil: null, endedAt: now };
}

/** Too many claims without progress: failed, visible, with its reason. */
function claim(job: JobState, leaseMs: number, now: Date): JobState {
  requireStatus(job, ["queued", "running"]);
  if (isLeased(job, now)) {
    throw new VaultError("conflict", { message: "The job is being run at this moment." });
  }
  const running = job.status === "queued" ? move(job, "running", "claimed") : job;
  if (job.cancelRequestedAt !== null) return end(running, "cancelled", "cancelled", now);
  if (job.claims >= maxClaimsWithoutProgress) {
    return { ...end(running, "failed", "claimed_too_often", now), failureReason: noProgressReason };
  }
  return { ...running, claims: job.claims + 1, leaseUntil: leaseFrom(now, leaseMs) };
}

/** Where a cancellation that was asked for during a chunk takes effect; what is committed stays. */
function betweenChunks(job: JobState, now: Date): JobState {
  if (job.cancelRequestedAt !== null) return end(resumed(job), "cancelled", "cancelled", now);
  return job.status === "paused" ? { ...job, leaseUntil: null } : job;
}

/** At once where no chunk is running, else after it. Asking again changes nothing. */
function cancel(job: JobState, now: Date): JobState {
  requireStatus(job, ["queued", "running", "paused"]);
  if (isLeased(job, now)) return { ...job, cancelRequestedAt: job.cancelRequestedAt ?? now };
  const running = job.status === "queued" ? move(job, "running", "claimed") : resumed(job);
  return { ...end(running, "cancelled", "cancelled", now), cancelRequestedAt: now };
}

/** No further chunk begins; the one in flight is committed and reported. */
function pause(job: JobState, by: "hand" | "suspension"): JobState {
  requireStatus(job, ["running", "paused"]);
  const paused = job.status === "running" ? move(job, "paused", "paused") : job;
  return by === "hand"
    ? { ...paused, isPausedByHand: true }
    : { ...paused, isPausedBySuspension: true };
}

/** What the account's suspension stopped is not started by hand, and the other way round. */
function resume(job: JobState, by: "hand" | "suspension"): JobState {
  requireStatus(job, ["paused"]);
  const asked: JobState =
    by === "hand" ? { ...job, isPausedByHand: false } : { ...job, isPausedBySuspension: false };
  return asked.isPausedByHand || asked.isPausedBySuspension
    ? asked
    : move(asked, "running", "resumed");
}

/** A chunk that was in flight at the pause may turn out to be the last: it passes through running. */
function resumed(job: JobState): JobState {
  if (job.status !== "paused") return job;
  return {
    ...move(job, "running", "resumed"),
    isPausedByHand: false,
    isPausedBySuspension: false,
  };
}

function isLeased(job: JobState, now: Date): boolean {
  return job.leaseUntil !== null && job.leaseUntil > now;
}

function leaseFrom(now: Date, leaseMs: number): Date {
  return new Date(now.getTime() + leaseMs);
}

function requireStatus(job: JobState, allowed: readonly JobStatus[]): void {
  if (allowed.includes(job.status)) return;
  throw new VaultError("invalid_transition", { message: `The job is ${job.status}.` });
}
