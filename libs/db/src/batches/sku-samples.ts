import { VaultError } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What a SKU of a card is made of. */
interface SkuSample {
  title: string | null;
  batchCode: string | null;
  game: string | null;
  setCode: string | null;
  year: number | null;
}

const mostSamples = 5;

/**
 * The account's latest cards as a format sees them, the number that comes next, and how many cards have
 * no SKU; archived ones do not count.
 * @throws VaultError `not_found`
 */
export async function readSkuSamples(
  db: Queryable,
  accountId: string,
): Promise<{
  cards: SkuSample[];
  nextNumber: number;
  withoutSku: number;
}> {
  const account = toUuid(accountId);
  const [cards, [counts]] = await Promise.all([
    db.query<SkuSample>(
      `select c.title, b.code as "batchCode", c.game, c.set_code as "setCode", c.year
       from card c left join batch b on b.id = c.batch_id
       where c.account_id = $1 order by c.created_at desc, c.id desc limit ${mostSamples}`,
      [account],
      "sku_samples",
    ),
    db.query<{ next: number; without: number }>(
      `select k.next_card_number as next,
         (select count(*) from card c where c.account_id = $1 and c.sku is null
           and c.workflow_status <> 'archived') as without
       from account_clock k where k.account_id = $1`,
      [account],
      "sku_counts",
    ),
  ]);
  if (counts === undefined) throw new VaultError("not_found");
  return {
    cards,
    nextNumber: counts.next,
    withoutSku: counts.without,
  };
}

/** Cards without a SKU that are not archived, by id, behind `after`. */
export async function readIdsWithoutSku(
  db: Queryable,
  accountId: string,
  page: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id from card c where c.account_id = $1 and c.sku is null and c.workflow_status <> 'archived'
       and ($2::uuid is null or c.id > $2) order by c.id limit $3`,
    [toUuid(accountId), page.after === undefined ? null : toUuid(page.after), page.limit],
  );
  return rows.map(({ id }) => toId("card", id));
}

/** How many of these SKUs cards of the account have. */
export async function countTakenSkus(
  db: Queryable,
  accountId: string,
  skus: readonly string[],
): Promise<number> {
  const rows = await db.query(
    `select 1 from card where account_id = $1 and sku = any ($2::text[])`,
    [toUuid(accountId), skus],
    "are_skus_taken",
  );
  return rows.length;
}
