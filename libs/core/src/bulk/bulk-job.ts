import { actorKinds, bulkAction, cardSelectionSchema, costWeights } from "@cardvault/contract";
import type { JobRow } from "@cardvault/db";
import * as z from "zod";

/** The kinds of jobs that the bulk handler runs: one for each action, and the undo. */
const bulkActionTypes = bulkAction.options.map((option) => option.shape.type.value);
export const bulkUndoKind = "bulk.undo";
export const patchEachKind = "bulk.patch_each";
/** Jobs of the same frame that other procedures begin. */
const ownKinds = ["batch.spread_cost", "location.rename", "card.assign_skus"];
export const bulkKinds = [
  ...bulkActionTypes.map((type) => `bulk.${type}`),
  bulkUndoKind,
  patchEachKind,
  ...ownKinds,
];

const payloadSchema = z.object({
  actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable() }),
  /** Null: its cards were written down when it was asked for. */
  selection: z
    .union([
      cardSelectionSchema,
      /** The cards that another job has changed. */
      z.object({ changed_by: z.string() }),
      z.object({ without_sku: z.literal(true) }),
    ])
    .nullable(),
  work: z.union([
    bulkAction,
    z.object({ type: z.literal("undo"), job_id: z.string() }),
    z.object({ type: z.literal("end_published"), job_id: z.string() }),
    z.object({
      type: z.literal("spread_cost"),
      batch_id: z.string(),
      by: z.enum(costWeights),
      only_without_cost: z.boolean(),
    }),
    z.object({
      type: z.literal("relocate"),
      from: z.string(),
      to: z.string(),
      within_too: z.boolean(),
      separator: z.string(),
    }),
    z.object({ type: z.literal("assign_skus") }),
    /** The patches stand beside its cards; their digest makes it another job than one with others. */
    z.object({ type: z.literal("patch_each"), digest: z.string() }),
  ]),
  /** Digest of what was asked for, so that its idempotency key is not used for something else. */
  digest: z.string(),
});
export type BulkPayload = z.output<typeof payloadSchema>;

const progressSchema = z.object({
  phase: z.enum(["selecting", "working"]),
  /** Null until all cards are selected. */
  total: z.int().nullable(),
  selected: z.int(),
  done: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  /** The last card that was selected, then the last that was worked on. */
  after: z.string().nullable(),
  /** Cards of the chunk before the next. */
  size: z.int().nullable(),
});
export type BulkProgress = z.output<typeof progressSchema>;

/** How far a job is that has not begun. @param written how many cards it has, where that is known */
export function newBulkProgress(written: number | null): BulkProgress {
  return {
    phase: written === null ? "selecting" : "working",
    total: written,
    selected: written ?? 0,
    done: 0,
    changed: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    after: null,
    size: null,
  };
}

/** A bulk job's own form, read from its row. */
export function readBulkJob(job: JobRow): { payload: BulkPayload; progress: BulkProgress } {
  return {
    payload: payloadSchema.parse(job.payload),
    progress: progressSchema.parse(job.progress),
  };
}
