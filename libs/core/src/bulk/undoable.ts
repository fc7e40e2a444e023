import type { JobRow } from "@cardvault/db";
import { bulkKinds } from "./bulk-job.ts";

/** A listing that has ended is published again, and what the marketplace shows revised again: not brought back. */
const forGood = ["end_listings", "revise_listings", "end_published"];

/** Whether an undo of this job's work is known at all, however the job stands. */
export function hasUndo({ kind, payload }: Pick<JobRow, "kind" | "payload">): boolean {
  if (!bulkKinds.includes(kind)) return false;
  const { work } = payload as { work?: { type?: unknown } };
  return typeof work?.type === "string" && !forGood.includes(work.type);
}
