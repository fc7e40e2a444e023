import { jobStatuses, VaultError } from "@cardvault/contract";
import type { JobStatus } from "@cardvault/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideJob, maxClaimsWithoutProgress, newJob } from "./job.ts";
import type { JobCommand, JobState } from "./job.ts";

const start = new Date("2026-03-01T10:00:00.000Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const claim: JobCommand = { type: "claim", leaseMs: 30_000 };
const chunkDone: JobCommand = { type: "chunk_done" };
const pause: JobCommand = { type: "pause", by: "hand" };

function run(job: JobState, ...commands: JobCommand[]): JobState {
  return commands.reduce((state, command) => decideJob(state, command, start).state, job);
}

/** Nobody holds a lease in these. */
const at: Record<JobStatus, JobState> = {
  queued: newJob(),
  running: run(newJob(), claim, chunkDone),
  paused: run(newJob(), claim, chunkDone, pause),
  done: run(newJob(), claim, { type: "finish" }),
  failed: run(newJob(), claim, { type: "fail", reason: "bad_row" }),
  cancelled: run(newJob(), { type: "cancel" }),
};

const commands: [JobCommand, Partial<Record<JobStatus, JobStatus>>][] = [
  [claim, { queued: "running", running: "running" }],
  [chunkDone, { running: "running", paused: "paused" }],
  [
    { type: "renew", leaseMs: 30_000 },
    { running: "running", paused: "paused" },
  ],
  [{ type: "finish" }, { running: "done", paused: "done" }],
  [
    { type: "fail", reason: "x" },
    { running: "failed", paused: "failed" },
  ],
  [{ type: "cancel" }, { queued: "cancelled", running: "cancelled", paused: "cancelled" }],
  [pause, { running: "paused", paused: "paused" }],
  [
    { type: "pause", by: "suspension" },
    { running: "paused", paused: "paused" },
  ],
  [{ type: "resume", by: "hand" }, { paused: "running" }],
  [{ type: "resume", by: "suspension" }, { paused: "paused" }],
  [{ type: "retry" }, { failed: "queued" }],
];

describe.each(commands)("%j", (command, results) => {
  test.each(jobStatuses)("when %s", (status) => {
    expect(at[status].status).toBe(status);
    const to = results[status];
    if (to !== undefined) expect(decideJob(at[status], command, start).state.status).toBe(to);
    else {
      expect(() => decideJob(at[status], command, start)).toThrow(
        expect.objectContaining({ code: "invalid_transition" }),
      );
    }
  });
});

test("a job that is being run is not claimed again until its lease is over", () => {
  const leased = run(newJob(), claim);
  expect(() => decideJob(leased, claim, later(29))).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
  expect(decideJob(leased, claim, later(30)).state).toMatchObject({ claims: 2 });
});

test("cancelling acts between chunks", () => {
  const asked = run(newJob(), claim, { type: "cancel" });
  expect(asked).toMatchObject({ status: "running", cancelRequestedAt: start });
  expect(run(asked, { type: "renew", leaseMs: 1 })).toMatchObject({ status: "cancelled" });
  expect(run(asked, chunkDone)).toMatchObject({ status: "cancelled", leaseUntil: null });
  expect(run(asked, { type: "finish" }).status).toBe("done");
  // The run has died: whoever claims it next ends it.
  expect(decideJob(asked, claim, later(31)).state.status).toBe("cancelled");
});

test("pausing lets the chunk in flight be committed and gives no new lease", () => {
  const paused = run(newJob(), claim, pause);
  expect(run(paused, { type: "renew", leaseMs: 30_000 })).toMatchObject({
    status: "paused",
    leaseUntil: null,
  });
});

test("a job paused by hand and by suspension runs again when neither holds", () => {
  const both = run(at.paused, { type: "pause", by: "suspension" });
  const restored = run(both, { type: "resume", by: "suspension" });
  expect(restored.status).toBe("paused");
  expect(run(restored, { type: "resume", by: "hand" }).status).toBe("running");
});

test("too many claims without progress fail it with its reason; progress starts the count anew", () => {
  let job = newJob();
  let seconds = 0;
  const claimNext = () => {
    seconds += 31;
    job = decideJob(job, claim, later(seconds)).state;
  };
  for (let count = 0; count < maxClaimsWithoutProgress; count += 1) claimNext();
  expect(run(job, chunkDone).claims).toBe(0);
  expect(job.status).toBe("running");
  claimNext();
  expect(job).toMatchObject({ status: "failed", failureReason: "no_progress", leaseUntil: null });
  expect(run(job, { type: "retry" })).toEqual(newJob());
});

test("any life of a job keeps to the table, and every end has its time, every failure its reason", () => {
  const allowed =
    /^(\w+)>\1$|^queued>(running|cancelled)$|^running>(done|failed|cancelled|paused)$|^paused>(running|done|failed|cancelled)$|^failed>queued$/;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...commands.map(([command]) => command)), fc.nat(40)), {
        maxLength: 30,
      }),
      (steps) => {
        let job = newJob();
        let seconds = 0;
        for (const [command, wait] of steps) {
          seconds += wait;
          const from = job.status;
          try {
            job = decideJob(job, command, later(seconds)).state;
          } catch (refusal) {
            if (!(refusal instanceof VaultError)) throw refusal;
            continue;
          }
          expect(`${from}>${job.status}`).toMatch(allowed);
          const isOver = ["done", "failed", "cancelled"].includes(job.status);
          expect(job.endedAt !== null).toBe(isOver);
          expect(job.failureReason !== null).toBe(job.status === "failed");
          expect(job.isPausedByHand || job.isPausedBySuspension).toBe(job.status === "paused");
          if (isOver || job.status === "queued") expect(job.leaseUntil).toBeNull();
          expect(job.claims).toBeLessThanOrEqual(maxClaimsWithoutProgress);
        }
      },
    ),
    { numRuns: 1_500 },
  );
});
