import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** A card of a batch as a spread of its cost sees it. Amounts are minor units of the account's currency. */
export interface CostCardRow {
  id: string;
  title: string | null;
  sku: string | null;
  /** All that came with the batch: what is left, what waits to come back, what was sold. */
  copies: number;
  /** Of one copy. */
  cost: number | null;
  /** The cost is what a spread gave, and not somebody's own. */
  isShare: boolean;
  askingPrice: number | null;
  marketPrice: number | null;
}

/** The cards of a batch but those that are archived, by id. */
export async function readCostCards(
  db: Queryable,
  accountId: string,
  batchId: string,
): Promise<CostCardRow[]> {
  const rows = await db.query<CostCardRow>(
    `select c.id, c.title, c.sku, c.purchase_price as cost, c.asking_price as "askingPrice",
       case when coalesce(c.market_price_currency, a.currency) = a.currency then c.market_price end as "marketPrice",
       greatest(1, c.quantity + c.pending_return_quantity - c.oversold_quantity
         + coalesce(l.sold, 0) + coalesce(h.sold, 0)) as copies,
       coalesce(s.batch_id = c.batch_id
         and (c.purchase_price = s.amount or c.purchase_price = s.found_amount), false) as "isShare"
     from card c join account a on a.id = c.account_id
     left join (select l.card_id, sum(l.quantity_sold) as sold from listing l join card o on o.id = l.card_id
       where o.account_id = $1 and o.batch_id = $2 and l.quantity_sold > 0 group by 1) l on l.card_id = c.id
     left join (select h.card_id, sum(h.quantity) as sold from hand_sale h join card o on o.id = h.card_id
       where o.account_id = $1 and o.batch_id = $2 and h.voided_at is null group by 1) h on h.card_id = c.id
     left join batch_cost_share s on s.card_id = c.id
     where c.account_id = $1 and c.batch_id = $2 and c.workflow_status <> 'archived' order by c.id`,
    [toUuid(accountId), toUuid(batchId)],
    "cost_cards",
  );
  return rows.map((row) => ({ ...row, id: toId("card", row.id) }));
}

/** What a job's spread means to give a card, and what it found there. */
export interface CostShare {
  cardId: string;
  found: number | null;
  amount: number;
}

/** Writes down what a spread gives. What an earlier one meant for these cards is over with that. */
export async function writeCostShares(
  tx: Queryable,
  place: { accountId: string; batchId: string; jobId: string },
  shares: readonly CostShare[],
): Promise<void> {
  await tx.query(
    `insert into batch_cost_share (card_id, account_id, batch_id, job_id, found_amount, amount)
     select n.card_id, $1, $2, $3, n.found, n.amount
     from unnest($4::uuid[], $5::bigint[], $6::bigint[]) as n (card_id, found, amount)
     on conflict (card_id) do update set batch_id = excluded.batch_id, job_id = excluded.job_id,
       found_amount = excluded.found_amount, amount = excluded.amount`,
    [
      toUuid(place.accountId),
      toUuid(place.batchId),
      toUuid(place.jobId, "job"),
      shares.map(({ cardId }) => toUuid(cardId)),
      shares.map(({ found }) => found),
      shares.map(({ amount }) => amount),
    ],
  );
}

export async function hasCostShares(
  db: Queryable,
  jobId: string,
  batchId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from batch_cost_share where batch_id = $1 and job_id = $2 limit 1`,
    [toUuid(batchId), toUuid(jobId, "job")],
  );
  return rows.length > 0;
}

/** What a job means to give these cards. */
export async function readCostShares(
  db: Queryable,
  jobId: string,
  cardIds: readonly string[],
): Promise<Map<string, CostShare>> {
  const rows = await db.query<{ card_id: string; found: number | null; amount: number }>(
    `select card_id, found_amount as found, amount from batch_cost_share
     where card_id = any ($1::uuid[]) and job_id = $2`,
    [cardIds.map((id) => toUuid(id)), toUuid(jobId, "job")],
    "cost_shares",
  );
  return new Map(
    rows.map(({ card_id, found, amount }) => {
      const cardId = toId("card", card_id);
      return [cardId, { cardId, found, amount }];
    }),
  );
}
