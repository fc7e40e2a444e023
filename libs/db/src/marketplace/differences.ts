import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** Where the marketplace shows something else than we do: what it shows, null where it agrees. */
export interface SeenDifference {
  listingId: string;
  /** Minor units of the account's currency. */
  price: number | null;
  /** Copies left. */
  quantity: number | null;
}

/** Writes down what differs; `seen_at` says since when it is so. */
export async function writeDifferences(
  tx: Queryable,
  accountId: string,
  differences: readonly SeenDifference[],
  at: Date,
): Promise<void> {
  if (differences.length === 0) return;
  await tx.query(
    `insert into listing_difference (listing_id, account_id, price, quantity, seen_at)
     select n.id, $1, n.price, n.quantity, $5 from unnest($2::uuid[], $3::bigint[], $4::int[]) as n (id, price, quantity)
     on conflict (listing_id) do update set price = excluded.price, quantity = excluded.quantity,
       seen_at = case when listing_difference.price is not distinct from excluded.price
         and listing_difference.quantity is not distinct from excluded.quantity
         then listing_difference.seen_at else excluded.seen_at end`,
    [
      toUuid(accountId),
      differences.map(({ listingId }) => toUuid(listingId, "lst")),
      differences.map(({ price }) => price),
      differences.map(({ quantity }) => quantity),
      at,
    ],
    "write_differences",
  );
}

/** Forgets the differences of listings that agree, or are live no more. */
export async function clearDifferences(
  tx: Queryable,
  accountId: string,
  listingIds: readonly string[],
): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.query(
    `delete from listing_difference where account_id = $1 and listing_id = any ($2::uuid[])`,
    [toUuid(accountId), listingIds.map((id) => toUuid(id, "lst"))],
    "clear_differences",
  );
}

/** What the marketplace was last seen to show; null where it agrees. */
export async function findDifference(
  db: Queryable,
  accountId: string,
  listingId: string,
): Promise<{ price: number | null; quantity: number | null } | null> {
  const [row] = await db.query<{ price: number | null; quantity: number | null }>(
    `select price, quantity from listing_difference where account_id = $1 and listing_id = $2`,
    [toUuid(accountId), toUuid(listingId, "lst")],
    "find_difference",
  );
  return row ?? null;
}

/** Of live listings those for which something is on its way to the marketplace: they may differ until it is there. */
export async function readOnTheirWay(
  db: Queryable,
  accountId: string,
  listingIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select p.listing_id as id from listing_publication p
     where p.account_id = $1 and p.listing_id = any ($2::uuid[])
       and (p.wanted is not null or p.withdraw_reason is not null)`,
    [toUuid(accountId), listingIds.map((id) => toUuid(id, "lst"))],
    "on_their_way",
  );
  return new Set(rows.map(({ id }) => toId("lst", id)));
}
