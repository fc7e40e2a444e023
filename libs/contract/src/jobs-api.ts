import * as z from "zod";
import { jobId } from "./ids.ts";
import { listTotal, pageShape } from "./lists.ts";
import { jobStatuses } from "./states.ts";
import { timestamp } from "./text.ts";

/** How far a job is. `total` is null where it is not known before the end. */
export const jobProgress = z.strictObject({
  total: z.int().min(0).nullable(),
  done: z.int().min(0).meta({ description: "Looked at so far." }),
  changed: z.int().min(0).meta({ description: "For a recovery: sent again." }),
  skipped: z.int().min(0).meta({ description: "For a recovery: in flight at that moment." }),
  failed: z.int().min(0).default(0).meta({ description: "Refused, each with its reason." }),
  in_review: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: "For an identification: cards that a person has to decide about." }),
  waiting: z
    .strictObject({ code: z.string(), until: timestamp })
    .nullable()
    .default(null)
    .meta({
      description:
        "What it waits for, and when it looks again: `provider_unavailable`, or `budget_spent` where the " +
        "account may not spend more at providers.",
    }),
});
export type JobProgress = z.output<typeof jobProgress>;

/** A piece of background work, as those see it who follow it. */
export const job = z.strictObject({
  id: jobId,
  kind: z.string().meta({ examples: ["webhook.recover"] }),
  status: z.enum(jobStatuses),
  /** What it works on: `whe_…` for a recovery, `batch_…` where it is one batch, `job_…` for an undo. */
  subject_id: z.string().nullable(),
  /** The person who asked for it; `people` of a list has the name. Null for what nobody asked for. */
  created_by: z.string().nullable(),
  /** Asked for while a chunk runs; it ends after that. */
  is_cancelling: z.boolean(),
  /** It has ended, has changed cards, and `bulk.undo` would take that back. */
  can_undo: z.boolean(),
  progress: jobProgress,
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type Job = z.output<typeof job>;

/** `jobs.get`, `jobs.cancel`, `jobs.pause`, `jobs.resume`, `jobs.retry`; each answers the job. */
export const jobIdInput = z.strictObject({ id: z.string() });

/** `jobs.list`: the account's jobs, the latest first. */
export const jobListInput = z.strictObject({
  status: z.array(z.enum(jobStatuses)).min(1).optional(),
  subject_id: z.string().optional(),
  ...pageShape,
});
export const jobListAnswer = z.strictObject({
  data: z.array(job),
  people: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .meta({ description: "Who asked for them." }),
  total: listTotal,
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});
