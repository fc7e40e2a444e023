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
 * down). Cards that are not identified any more, or wait to be confirmed again, are passed over.
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
       and c.review_reason is distinct from 'high_value'
     where n.distance <= $2
     group by n.card_id, c.id order by distance, n.card_id limit $3`,
    [toUuid(accountId), mostDistance, limit, ...hashes.map(hashBits)],
    `learned-hashes-near-${hashes.length}`,
  );
  return rows.map(({ card_id, ...card }) => ({ ...card, cardId: toId("card", card_id) }));
}
