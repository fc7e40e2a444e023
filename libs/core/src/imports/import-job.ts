import { actorKinds } from "@cardvault/contract";
import type { JobRow } from "@cardvault/db";
import * as z from "zod";

export const importCheckKind = "import.check";
export const importCommitKind = "import.commit";
export const importUndoKind = "import.undo";

const payloadSchema = z.object({
  import_id: z.string(),
  actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable() }),
});
export type ImportPayload = z.output<typeof payloadSchema>;

const countsShape = {
  total: z.int().nullable(),
  done: z.int(),
  changed: z.int(),
  skipped: z.int(),
  failed: z.int(),
};

/** What the account sees of a job of imports, and beside it where the next chunk begins. */
export const checkProgress = z.object({
  ...countsShape,
  phase: z.enum(["clearing", "reading"]),
  at: z.object({ offset: z.int(), row: z.int() }).nullable(),
});
export type CheckProgress = z.output<typeof checkProgress>;

export const commitProgress = z.object({
  ...countsShape,
  /** All or nothing: every row is tried, and nothing kept, before the first one is. */
  phase: z.enum(["proving", "importing"]),
  after: z.int(),
});
export type CommitProgress = z.output<typeof commitProgress>;

export const undoProgress = z.object({ ...countsShape, before: z.int() });
export type UndoProgress = z.output<typeof undoProgress>;

export const notBegun = { done: 0, changed: 0, skipped: 0, failed: 0 } as const;

/** Whose import a job works on. */
export function payloadOf(job: JobRow): ImportPayload & { accountId: string } {
  return { ...payloadSchema.parse(job.payload), accountId: job.accountId ?? "" };
}

/** Larger than any row's number: an undo goes from the last row to the first. */
export const behindAllRows = 2_147_483_647;
