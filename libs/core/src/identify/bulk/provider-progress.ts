import type { JobRow } from "@cardvault/db";
import * as z from "zod";
import { readBulkJob } from "../../bulk/bulk-job.ts";
import type { BulkPayload, BulkProgress } from "../../bulk/bulk-job.ts";

const ownSchema = z.object({
  /** Chunks in a row in which providers were away for every card. */
  waits: z.int().default(0),
  /** For cards that were the only ones to meet an outage: how often. */
  tries: z.record(z.string(), z.int()).default({}),
  /** Cards that a person has to decide about, whatever their outcome. */
  in_review: z.int().default(0),
  waiting: z.object({ code: z.string(), until: z.string() }).nullable().default(null),
});

/** How far a job is that asks providers: that of every bulk job, and what it waits for. */
export type ProviderProgress = BulkProgress & z.output<typeof ownSchema>;

export function readProviderJob(job: JobRow): {
  payload: BulkPayload;
  progress: ProviderProgress;
} {
  const { payload, progress } = readBulkJob(job);
  return { payload, progress: { ...progress, ...ownSchema.parse(job.progress) } };
}

/** How soon a raised cap, or a new month, is seen. Looking costs nothing. */
export const budgetWaitMs = 15 * 60 * 1_000;
const firstWaitMs = 15_000;
const longestWaitMs = 5 * 60 * 1_000;

/** Twice as long each time, and never shorter than the provider asks for. */
export function waitFor(waits: number, retryAfterMs: number | undefined): number {
  const own = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(waits, 10));
  return Math.max(own, Math.min(retryAfterMs ?? 0, 60 * 60 * 1_000));
}
