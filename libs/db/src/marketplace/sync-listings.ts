import type { ListingEndReason, ListingStatus, Marketplace } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** What of a listing decides whether a line of an order is about it. */
export interface MatchRow {
  listingId: string | null;
  cardId: string;
  status: ListingStatus | null;
  externalListingId: string | null;
  sku: string | null;
}

interface StoredMatch {
  listingId: string | null;
  cardId: string;
  status: ListingStatus | null;
  externalListingId: string | null;
  sku: string | null;
}

function matchOf(row: StoredMatch): MatchRow {
  return {
    ...row,
    listingId: row.listingId === null ? null : toId("lst", row.listingId),
    cardId: toId("card", row.cardId),
  };
}

/** The listings that have these ids at the marketplace; of one id the latest. */
export async function matchExternalIds(
  db: Queryable,
  accountId: string,
  marketplace: Marketplace,
  externalListingIds: readonly string[],
): Promise<ReadonlyMap<string, MatchRow>> {
  const rows = await db.query<StoredMatch>(
    `select l.id as "listingId", l.card_id as "cardId", l.status, l.external_listing_id as "externalListingId",
       c.sku
     from listing l join card c on c.id = l.card_id
     where l.account_id = $1 and l.marketplace = $2 and l.external_listing_id = any ($3::text[])
     order by l.created_at, l.id`,
    [toUuid(accountId), marketplace, externalListingIds],
    "match_external_ids",
  );
  return new Map(rows.map((row) => [row.externalListingId ?? "", matchOf(row)]));
}

/**
 * The cards that have these SKUs, each with its listing: the publishing or live one, else the latest. A listing is
 * known by the SKU that it was published under, which its card may have lost since.
 */
export async function matchSkus(
  db: Queryable,
  accountId: string,
  skus: readonly string[],
): Promise<ReadonlyMap<string, MatchRow>> {
  const rows = await db.query<StoredMatch>(
    `select c.sku, c.id as "cardId", l.id as "listingId", l.status, l.external_listing_id as "externalListingId"
     from card c left join listing l on l.id = c.listing_id
     where c.account_id = $1 and c.sku = any ($2::text[])`,
    [toUuid(accountId), skus],
    "match_skus",
  );
  return new Map(rows.map((row) => [row.sku ?? "", matchOf(row)]));
}

/** As {@link matchSkus}, for one card by its id; null where the account has none such. */
export async function matchCard(
  db: Queryable,
  accountId: string,
  cardId: string,
): Promise<MatchRow | null> {
  const [row] = await db.query<StoredMatch>(
    `select c.sku, c.id as "cardId", l.id as "listingId", l.status, l.external_listing_id as "externalListingId"
     from card c left join listing l on l.id = c.listing_id where c.account_id = $1 and c.id = $2`,
    [toUuid(accountId), toUuid(cardId, "card")],
    "match_card",
  );
  return row === undefined ? null : matchOf(row);
}

/** A listing that is to be compared with its offer. */
export interface ListingToSync {
  id: string;
  cardId: string;
  /** What the marketplace knows it by. */
  sku: string;
  status: ListingStatus;
  externalListingId: string | null;
  /** Set once it was seen to be live no more. */
  seenEndedAt: Date | null;
}

interface StoredToSync extends Omit<ListingToSync, "id" | "cardId"> {
  id: string;
  cardId: string;
}

const toSync = `select l.id, l.card_id as "cardId", coalesce(p.sku, c.sku) as sku, l.status,
    l.external_listing_id as "externalListingId", p.seen_ended_at as "seenEndedAt"
  from listing l join card c on c.id = l.card_id left join listing_publication p on p.listing_id = l.id`;

function toSyncOf(row: StoredToSync): ListingToSync {
  return { ...row, id: toId("lst", row.id), cardId: toId("card", row.cardId) };
}

/** Live listings, those first that were not compared for longest. */
export async function readListingsToSync(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<ListingToSync[]> {
  const rows = await db.query<StoredToSync>(
    `${toSync} where l.account_id = $1 and l.status = 'live' and coalesce(p.sku, c.sku) is not null
     order by l.last_synced_at nulls first, l.id limit $2`,
    [toUuid(accountId), limit],
    "listings_to_sync",
  );
  return rows.map(toSyncOf);
}

/** Where a look at closed listings has come to; null at its begin. */
export interface ClosedPosition {
  endedAt: Date;
  id: string;
}

/**
 * Closed listings that closed after a moment, the last ones first, a stretch at a time: somebody may have listed the
 * card again outside. Where the card has a later listing, `isLatest` is false.
 * @returns with them where the next stretch begins; null where it begins anew
 */
export async function readClosedToSync(
  db: Queryable,
  accountId: string,
  { closedAfter, limit }: { closedAfter: Date; limit: number },
): Promise<{
  listings: (ListingToSync & { isLatest: boolean })[];
  next: ClosedPosition | null;
}> {
  const rows = await db.query<StoredToSync & { isLatest: boolean; endedAt: Date }>(
    `select l.id, l.card_id as "cardId", coalesce(p.sku, c.sku, '') as sku, l.status, l.ended_at as "endedAt",
       l.external_listing_id as "externalListingId", p.seen_ended_at as "seenEndedAt",
       c.listing_id = l.id and coalesce(p.sku, c.sku) is not null as "isLatest"
     from (select l.* from listing l where l.account_id = $1 and l.status in ('ended', 'sold') and l.ended_at > $2
         and (l.ended_at, l.id) < (
           coalesce((select s.closed_ended_at from marketplace_sync s where s.account_id = $1), 'infinity'),
           coalesce((select s.closed_id from marketplace_sync s where s.account_id = $1),
             'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       order by l.ended_at desc, l.id desc limit $3) l
     join card c on c.id = l.card_id left join listing_publication p on p.listing_id = l.id
     order by l.ended_at desc, l.id desc`,
    [toUuid(accountId), closedAfter, limit],
    "closed_to_sync",
  );
  const last = rows.at(-1);
  return {
    listings: rows.map((row) => ({ ...toSyncOf(row), isLatest: row.isLatest })),
    next:
      rows.length < limit || last === undefined
        ? null
        : { endedAt: last.endedAt, id: toId("lst", last.id) },
  };
}

/** Keeps where the look at closed listings goes on. */
export async function saveClosedPosition(
  db: Queryable,
  accountId: string,
  position: ClosedPosition | null,
): Promise<void> {
  await db.query(
    "update marketplace_sync set closed_ended_at = $2, closed_id = $3 where account_id = $1",
    [
      toUuid(accountId),
      position?.endedAt ?? null,
      position === null ? null : toUuid(position.id, "lst"),
    ],
    "save_closed_position",
  );
}

/** Live listings that were seen to be live no more before a moment, with why they were withdrawn if it was by us. */
export async function readSeenEnded(
  db: Queryable,
  accountId: string,
  before: Date,
  limit: number,
): Promise<{ id: string; cardId: string; seenEndedAt: Date; endReason: ListingEndReason }[]> {
  const rows = await db.query<{
    id: string;
    cardId: string;
    seenEndedAt: Date;
    endReason: ListingEndReason;
  }>(
    `select l.id, l.card_id as "cardId", p.seen_ended_at as "seenEndedAt",
       coalesce(p.withdraw_reason, p.seen_end_reason, 'ended_by_marketplace') as "endReason"
     from listing_publication p join listing l on l.id = p.listing_id
     where p.account_id = $1 and p.seen_ended_at < $2 and l.status = 'live' order by l.id limit $3`,
    [toUuid(accountId), before, limit],
    "seen_ended",
  );
  return rows.map((row) => ({ ...row, id: toId("lst", row.id), cardId: toId("card", row.cardId) }));
}

/** Writes down that a listing is live no more, as it was seen first; what is known already stands. */
export async function markSeenEnded(
  db: Queryable,
  accountId: string,
  seen: readonly { listingId: string; reason: ListingEndReason }[],
  at: Date,
): Promise<void> {
  await db.query(
    `insert into listing_publication (listing_id, account_id, sku, step, deadline_at, seen_ended_at, seen_end_reason)
     select n.id, $1, coalesce(c.sku, ''), 'done', $4, $4, n.reason
     from unnest($2::uuid[], $3::text[]) as n (id, reason) join listing l on l.id = n.id and l.account_id = $1
       join card c on c.id = l.card_id
     on conflict (listing_id) do update set seen_ended_at = coalesce(listing_publication.seen_ended_at, $4),
       seen_end_reason = case when listing_publication.seen_ended_at is null then excluded.seen_end_reason
         else listing_publication.seen_end_reason end`,
    [
      toUuid(accountId),
      seen.map(({ listingId }) => toUuid(listingId, "lst")),
      seen.map(({ reason }) => reason),
      at,
    ],
    "mark_seen_ended",
  );
}

/** Forgets that listings were seen to be live no more: they are live after all. */
export async function clearSeenEnded(
  db: Queryable,
  accountId: string,
  listingIds: readonly string[],
): Promise<void> {
  await db.query(
    `update listing_publication set seen_ended_at = null, seen_end_reason = null
     where account_id = $1 and listing_id = any ($2::uuid[]) and withdraw_reason is null and seen_ended_at is not null`,
    [toUuid(accountId), listingIds.map((id) => toUuid(id, "lst"))],
    "clear_seen_ended",
  );
}

/**
 * Writes down when listings were last compared. It is no change of a listing: `updated_at` stays, or every poller
 * would read every live listing in every round. Call it in the account's own change, so that nobody waits for it in
 * a ring.
 */
export async function markSynced(
  tx: Queryable,
  accountId: string,
  listingIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `update listing set last_synced_at = $3 where account_id = $1 and id = any ($2::uuid[])`,
    [toUuid(accountId), listingIds.map((id) => toUuid(id, "lst")), at],
    "mark_synced",
  );
}

/** A listing that was not published from here: what is needed to revise and withdraw it. */
export async function insertFoundPublication(
  tx: Queryable,
  accountId: string,
  found: { listingId: string; sku: string; offerId: string | null },
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into listing_publication (listing_id, account_id, sku, offer_id, step, deadline_at)
     values ($1, $2, $3, $4, 'done', $5)`,
    [toUuid(found.listingId, "lst"), toUuid(accountId), found.sku, found.offerId, at],
    "insert_found_publication",
  );
}
