import {
  insertJobItems,
  readChangedItems,
  readIdsWithoutSku,
  readSelectedIds,
} from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { WorkContext } from "../work/handler.ts";
import type { BulkPayload, BulkProgress } from "./bulk-job.ts";
import type { ChunkStep } from "./run-chunks.ts";

interface Selecting {
  db: Database;
  context: WorkContext;
  accountId: string;
  payload: BulkPayload;
}

const selectedAtOnce = 2_000;

/**
 * Writes the next cards of the selection down as the job's. It is done before any card is worked on: what
 * the job itself changes never changes which cards are its own. The account's clock is not needed for it.
 */
export async function selectCards(
  { db, context, accountId, payload }: Selecting,
  progress: BulkProgress,
): Promise<ChunkStep & { progress: BulkProgress }> {
  const { selection } = payload;
  const page = { after: progress.after ?? undefined, limit: selectedAtOnce };
  const ids = await selectedIds(db, accountId, selection, page);
  const isAll = ids.length < selectedAtOnce;
  const next = await db.transaction(async (tx) => {
    const added = await insertJobItems(tx, accountId, context.job.id, ids);
    const selected = progress.selected + added;
    const saved: BulkProgress = isAll
      ? { ...progress, selected, phase: "working", total: selected, after: null }
      : { ...progress, selected, after: ids.at(-1) ?? null };
    await context.saveProgress(tx, saved);
    return saved;
  });
  return { heldMs: 0, isLast: false, progress: next };
}

async function selectedIds(
  db: Database,
  accountId: string,
  selection: BulkPayload["selection"],
  page: { after: string | undefined; limit: number },
): Promise<string[]> {
  if (selection === null) return [];
  if ("without_sku" in selection) return readIdsWithoutSku(db, accountId, page);
  return "changed_by" in selection
    ? readChangedItems(db, selection.changed_by, page)
    : readSelectedIds(db, accountId, selection, page);
}
