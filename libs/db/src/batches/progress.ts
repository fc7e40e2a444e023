import { unfinishedKinds, VaultError } from "@cardvault/contract";
import type {
  BatchProgress,
  CompletionCheck,
  Unfinished,
  UnfinishedKind,
} from "@cardvault/contract";
import { isId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { getBatch } from "../read/batches.ts";

/**
 * What cards of a batch that are neither sold nor archived still lack.
 * @throws VaultError `batch_not_found`
 */
export async function countUnfinished(
  db: Queryable,
  accountId: string,
  batchId: string,
): Promise<Unfinished[]> {
  const [row] = isId("batch", batchId)
    ? await db.query<Record<UnfinishedKind, number>>(
        `select count(c.id) filter (where c.status = 'imported') as not_identified,
           count(c.id) filter (where c.needs_review) as needs_review,
           count(c.id) filter (where c.asking_price is null) as without_price,
           count(c.id) filter (where not c.has_photo) as without_photo,
           count(c.id) filter (where c.location is null) as without_location,
           count(c.id) filter (where c.purchase_price is null and b.cost_basis is not null) as without_cost
         from batch b left join card c on c.account_id = $1 and c.batch_id = b.id
           and c.workflow_status not in ('sold', 'archived')
         where b.account_id = $1 and b.id = $2 group by b.id`,
        [toUuid(accountId), toUuid(batchId)],
        "batch_unfinished",
      )
    : [];
  if (row === undefined) throw new VaultError("batch_not_found");
  return unfinishedKinds
    .map((kind) => ({ kind, cards: row[kind] }))
    .filter(({ cards }) => cards > 0);
}

/**
 * How far a batch is, and what its cards are worth.
 * @throws VaultError `batch_not_found`
 */
export async function readBatchProgress(
  db: Queryable,
  accountId: string,
  batchId: string,
): Promise<BatchProgress> {
  const { counts, card_count } = await getBatch(db, accountId, batchId);
  const [left, [values]] = await Promise.all([
    countUnfinished(db, accountId, batchId),
    db.query<{ currency: string; asking: number; cost: number }>(
      `select a.currency, coalesce(sum(k.asking), 0) as asking, coalesce(sum(k.cost), 0) as cost
       from account a left join card_count k on k.account_id = a.id and k.batch_id = $2
         and k.workflow_status not in ('sold', 'archived')
       where a.id = $1 group by a.currency`,
      [toUuid(accountId), toUuid(batchId)],
      "batch_values",
    ),
  ]);
  const { currency = "USD", asking = 0, cost = 0 } = values ?? {};
  return {
    counts,
    card_count,
    left,
    asking_value: { amount: asking, currency },
    cost: { amount: cost, currency },
  };
}

/**
 * What completing a batch would ask to be acknowledged, and what forbids it now.
 * @throws VaultError `batch_not_found`
 */
export async function readCompletionCheck(
  db: Queryable,
  accountId: string,
  batchId: string,
): Promise<CompletionCheck> {
  const left = await countUnfinished(db, accountId, batchId);
  const [row] = await db.query<{ status: string; jobs: number; membership: number }>(
    `select b.status, count(j.id) as jobs, count(j.id) filter (where j.changes_membership) as membership
     from batch b left join job j on j.batch_id = b.id and j.status in ('queued', 'running', 'paused')
     where b.account_id = $1 and b.id = $2 group by b.id`,
    [toUuid(accountId), toUuid(batchId)],
    "batch_completion",
  );
  const { status, jobs = 0, membership = 0 } = row ?? {};
  return {
    left,
    blocked_by: status === "complete" ? "batch_complete" : membership > 0 ? "membership_job" : null,
    running_jobs: jobs,
  };
}
