import { randomUUID } from "node:crypto";
import { changeJob } from "@cardvault/db";
import type { JobRow } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import type { House } from "../test-house.ts";
import type { WorkHandler } from "./handler.ts";

/** Runs one chunk of a job as the worker does: claim, run, report. Answers the job as it is then. */
export async function runChunk(house: House, handler: WorkHandler, jobId: string): Promise<JobRow> {
  const { db, clock } = house;
  const leaseToken = randomUUID();
  const base = { jobId, leaseToken, now: clock.now() };
  const job = await db.transaction((tx) =>
    changeJob(tx, { ...base, command: { type: "claim", leaseMs: 30_000 } }),
  );
  if (job.status !== "running") return job;
  const outcome = await handler.run({
    job,
    logger: house.services.logger,
    saveProgress: async (tx, progress) => {
      await tx.query("update job set progress = $2 where id = $1", [
        toUuid(jobId),
        JSON.stringify(progress),
      ]);
    },
    renew: async () => {
      const command = { type: "renew", leaseMs: 30_000 } as const;
      const renewed = await db.transaction((tx) =>
        changeJob(tx, { ...base, now: clock.now(), command }),
      );
      return renewed.status === "running";
    },
  });
  const reported = await db.transaction((tx) => {
    switch (outcome.type) {
      case "done":
        return changeJob(tx, {
          ...base,
          command: { type: "finish" },
          progress: outcome.progress,
        });
      case "chunk":
        return changeJob(tx, {
          ...base,
          command: { type: "chunk_done" },
          progress: outcome.progress,
        });
      case "failed":
        return changeJob(tx, {
          ...base,
          command: { type: "fail", reason: outcome.reason },
          failureMessage: outcome.message,
        });
    }
  });
  if (reported.finishedAt !== null) await handler.ended?.(reported);
  return reported;
}

/** Runs a job to its end. */
export async function runToEnd(house: House, handler: WorkHandler, jobId: string): Promise<JobRow> {
  for (;;) {
    const job = await runChunk(house, handler, jobId);
    if (!["queued", "running"].includes(job.status)) return job;
  }
}
