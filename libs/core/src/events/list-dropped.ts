import { droppedListAnswer, droppedListInput } from "@cardvault/contract";
import type { DroppedDelivery } from "@cardvault/contract";
import { countDropped, listDropped } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { session } from "../procedures.ts";

/** A page of what was dropped and not put aside, and how many the dashboard counts. */
export async function readDropped(
  db: Database,
  accountId: string,
  query: { limit: number; cursor?: string | undefined; endpoint_id?: string | undefined },
): Promise<{
  data: DroppedDelivery[];
  next_cursor: string | null;
  has_more: boolean;
  total: number;
}> {
  const [page, total] = await Promise.all([
    listDropped(db, accountId, query),
    countDropped(db, accountId, query.endpoint_id),
  ]);
  return { ...page, total };
}

export const listDroppedProcedure = session()
  .input(droppedListInput)
  .output(droppedListAnswer)
  .query(({ ctx, input }) => readDropped(ctx.services.db, ctx.access.accountId, input));
