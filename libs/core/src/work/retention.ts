import { deleteAttempts, deleteEvents, deleteJobItems, deleteOldNotices } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import * as z from "zod";
import type { WorkHandler } from "./handler.ts";

export const retentionKind = "webhook.retention";

/** How long the log is kept. */
export interface Retention {
  attemptsMs: number;
  eventsMs: number;
  /** What became of each card of a job, from the job's end on. */
  jobItemsMs: number;
}

const stages = ["attempts", "events", "items"] as const;
const removals = { attempts: deleteAttempts, events: deleteEvents, items: deleteJobItems };

const progressSchema = z.object({
  stage: z.enum(stages),
  after: z.string().nullable(),
  done: z.int(),
  changed: z.int(),
});

/** Rows that a chunk looks at: some milliseconds of work, and no long lock. */
const chunkSize = 2_000;
const noticesKeptMs = 90 * 24 * 60 * 60 * 1_000;

/**
 * Deletes old attempts, then old events with their deliveries, then the cards of old jobs, a chunk at a time.
 * What is undelivered, or dropped and not dismissed, is kept however old it is.
 */
export function retentionHandler({
  db,
  clock,
  retention,
}: {
  db: Database;
  clock: Clock;
  retention: Retention;
}): WorkHandler {
  return {
    async run({ job, saveProgress }) {
      const nowMs = clock.now().getTime();
      const saved = progressSchema.safeParse(job.progress);
      const before = saved.success
        ? saved.data
        : { stage: "attempts" as const, after: null, done: 0, changed: 0 };
      const { stage } = before;
      const keptMs = {
        attempts: retention.attemptsMs,
        events: retention.eventsMs,
        items: retention.jobItemsMs,
      };
      const cutoff = new Date(nowMs - keptMs[stage]);
      return db.transaction(async (tx) => {
        const { looked, deleted, next } = await removals[stage](
          tx,
          cutoff,
          before.after,
          chunkSize,
        );
        const following = stages[stages.indexOf(stage) + 1];
        const isEnd = next === null && following === undefined;
        const progress = {
          stage: next === null ? (following ?? stage) : stage,
          after: next,
          total: null,
          done: before.done + looked,
          changed: before.changed + deleted,
          skipped: 0,
        };
        await saveProgress(tx, progress);
        if (isEnd) await deleteOldNotices(tx, new Date(nowMs - noticesKeptMs));
        return { type: isEnd ? "done" : "chunk", progress };
      });
    },
  };
}
