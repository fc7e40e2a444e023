import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** The batch of an account that an id or a code names. */
export async function findBatchId(
  db: Queryable,
  accountId: string,
  idOrCode: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    "select id from batch where account_id = $1 and (id = $2 or code = $3)",
    [toUuid(accountId), isId("batch", idOrCode) ? toUuid(idOrCode) : null, idOrCode],
    "batch-find",
  );
  return row === undefined ? null : toId("batch", row.id);
}

/**
 * Batches that are processing although no job works on their cards any more: of one account, or all.
 * @param limit of how many at most
 */
export async function listIdleBatches(
  db: Queryable,
  batch: { accountId: string; batchId: string } | null,
  limit: number,
): Promise<{ accountId: string; batchId: string }[]> {
  const rows = await db.query<{ account_id: string; id: string }>(
    `select b.account_id, b.id from batch b where b.status = 'processing'
       and ($1::uuid is null or (b.account_id = $1 and b.id = $2))
       and not exists (select 1 from job j where j.batch_id = b.id and j.status in ('queued', 'running', 'paused'))
     limit $3`,
    [
      batch === null ? null : toUuid(batch.accountId),
      batch === null ? null : toUuid(batch.batchId),
      limit,
    ],
  );
  return rows.map(({ account_id, id }) => ({
    accountId: toId("acc", account_id),
    batchId: toId("batch", id),
  }));
}
