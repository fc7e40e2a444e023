import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { hashBits } from "./hash-bits.ts";

export interface LearnedHash {
  photoId: string;
  cardId: string;
  /** 256 bits. */
  hash: Uint8Array;
}

/** Remembers what a confirmed photo looks like. One that is learned again has its latest hash. */
export async function writeLearnedHashes(
  db: Queryable,
  accountId: string,
  learned: readonly LearnedHash[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into learned_hash (account_id, photo_id, card_id, hash, learned_at)
     select $1, n.photo_id, n.card_id, n.hash::bit(256), $2
     from unnest($3::uuid[], $4::uuid[], $5::text[]) as n (photo_id, card_id, hash)
     on conflict (account_id, photo_id) do update
       set card_id = excluded.card_id, hash = excluded.hash, learned_at = excluded.learned_at`,
    [
      toUuid(accountId),
      now,
      learned.map(({ photoId }) => toUuid(photoId, "img")),
      learned.map(({ cardId }) => toUuid(cardId, "card")),
      learned.map(({ hash }) => hashBits(hash)),
    ],
    "learned-hashes-write",
  );
}

/** A front of a card that a person has identified, or accepted in review as it is, whose looks have not been learned. */
export interface UnlearnedPhoto {
  accountId: string;
  photoId: string;
  cardId: string;
  contentHash: Uint8Array;
  /** Of the card. */
  updatedAt: Date;
}

/** Those of cards that have changed since a moment, the longest unchanged first. */
export async function findUnlearnedPhotos(
  db: Queryable,
  since: Date,
  limit: number,
): Promise<UnlearnedPhoto[]> {
  const rows = await db.query<{
    account_id: string;
    photo_id: string;
    card_id: string;
    content_hash: Uint8Array;
    updated_at: Date;
  }>(
    `select a.id as account_id, n.* from account a cross join lateral (
       select p.id as photo_id, c.id as card_id, p.content_hash, c.updated_at
       from card c
       join photo p on p.card_id = c.id and p.side = 'front'
       join picture k on k.account_id = a.id and k.content_hash = p.content_hash and k.state = 'stored'
       left join (
         select card_id, max(changed_at) as changed_at from review_decision
         where account_id = a.id and kind in ('accepted', 'corrected') and undone_at is null
         group by card_id) d on d.card_id = c.id
       where c.account_id = a.id and c.updated_at > $1 and c.status = 'identified'
         and (c.identified_by = 'manual' or d.changed_at >= c.identified_at)
         and not exists (select 1 from learned_hash l where l.account_id = a.id and l.photo_id = p.id)
       order by c.updated_at limit $2) n
     order by n.updated_at limit $2`,
    [since, limit],
    "photos-unlearned",
  );
  return rows.map((row) => ({
    accountId: toId("acc", row.account_id),
    photoId: toId("img", row.photo_id),
    cardId: toId("card", row.card_id),
    contentHash: row.content_hash,
    updatedAt: row.updated_at,
  }));
}

/** A card that looks like a picture, as it is identified now. */
export interface NearCard {
  cardId: string;
  /** Bits of 256 that differ. */
  distance: number;
  title: string;
  game: string | null;
  set: string | null;
  setCode: string | null;
  number: string | null;
  year: number | null;
  rarity: string | null;
  language: string | null;
}

/**
 * The account's confirmed cards that are nearest to any of some hashes (a picture and the same upside
 * down). Cards that are not identified any more are passed over.
 */
export async function findNearCards(
  db: Queryable,
  accountId: string,
  hashes: readonly Uint8Array[],
  { mostDistance, limit }: { mostDistance: number; limit: number },
): Promise<NearCard[]> {
  const nearest = hashes.map(
    (_, at) => `(select card_id, bit_count(hash # $${at + 4}::text::bit(256)) as distance
      from learned_hash where account_id = $1 order by distance limit $3)`,
  );
  const rows = await db.query<Omit<NearCard, "cardId"> & { card_id: string }>(
    `select n.card_id, min(n.distance) as distance, c.title, c.game, c.set_name as set,
       c.set_code as "setCode", c.number, c.year, c.rarity, c.language
     from (${nearest.join(" union all ")}) n
     join card c on c.id = n.card_id and c.account_id = $1 and c.status = 'identified'
     where n.distance <= $2
     group by n.card_id, c.id order by distance, n.card_id limit $3`,
    [toUuid(accountId), mostDistance, limit, ...hashes.map(hashBits)],
    `learned-hashes-near-${hashes.length}`,
  );
  return rows.map(({ card_id, ...card }) => ({ ...card, cardId: toId("card", card_id) }));
}
