import { toId, toUuid } from "@cardvault/kit";
import type { Queryable, Transaction } from "../connection/database.ts";
import { hashBits } from "./hash-bits.ts";
import type { PictureRow } from "./pictures.ts";

/** Photos that belong to no card yet. */
export async function insertLoosePhotos(
  tx: Transaction,
  picture: Pick<PictureRow, "accountId" | "contentHash" | "width" | "height">,
  photoIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into photo (id, account_id, side, content_hash, width, height, created_at)
     select n.id, $1, 'front', $2, $3, $4, $5 from unnest($6::uuid[]) as n (id)`,
    [
      toUuid(picture.accountId),
      picture.contentHash,
      picture.width,
      picture.height,
      now,
      photoIds.map((id) => toUuid(id, "img")),
    ],
    "photos-insert-loose",
  );
}

/** Whose photo it is and of which file; by the id alone, for addresses that are signed. */
export async function findPhotoFile(
  db: Queryable,
  photoId: string,
): Promise<{ accountId: string; contentHash: Uint8Array } | null> {
  const [row] = await db.query<{ account_id: string; content_hash: Uint8Array }>(
    "select account_id, content_hash from photo where id = $1",
    [toUuid(photoId, "img")],
    "photo-file",
  );
  if (row === undefined) return null;
  return { accountId: toId("acc", row.account_id), contentHash: row.content_hash };
}

/** A card's photo whose file is kept, in the card's order. */
export interface CardPhotoFile extends PictureRow {
  photoId: string;
  side: "front" | "back" | "listing";
}

export async function listCardPhotoFiles(
  db: Queryable,
  accountId: string,
  cardId: string,
): Promise<CardPhotoFile[]> {
  const rows = await db.query<Omit<CardPhotoFile, "photoId" | "accountId"> & { id: string }>(
    `select p.id, p.side, p.content_hash as "contentHash", k.format, k.byte_size as "byteSize", k.width, k.height
     from photo p join picture k on k.account_id = p.account_id and k.content_hash = p.content_hash
     where p.account_id = $1 and p.card_id = $2 order by p.position, p.id`,
    [toUuid(accountId), toUuid(cardId, "card")],
    "card-photo-files",
  );
  return rows.map(({ id, ...row }) => ({ ...row, accountId, photoId: toId("img", id) }));
}

/** Deletes photos that were uploaded before a moment, belong to no card, and are in no import. */
export async function deleteUnattachedPhotos(
  tx: Transaction,
  before: Date,
  limit: number,
): Promise<{ accountId: string; contentHash: Uint8Array }[]> {
  const rows = await tx.query<{ account_id: string; content_hash: Uint8Array }>(
    `delete from photo where id in (
       select p.id from photo p where p.card_id is null and p.created_at < $1
         and not exists (select 1 from photo_import_file f where f.photo_id = p.id)
       order by p.created_at limit $2 for update skip locked)
     returning account_id, content_hash`,
    [before, limit],
    "photos-delete-unattached",
  );
  return rows.map((row) => ({
    accountId: toId("acc", row.account_id),
    contentHash: row.content_hash,
  }));
}

/**
 * The card with the nearest picture of all the account's, and how many of the 256 bits differ. Backs do
 * not count: those of a game are all alike.
 */
export async function findSimilarCard(
  db: Queryable,
  accountId: string,
  perceptualHash: Uint8Array,
  mostDistance: number,
): Promise<{ cardId: string; distance: number } | null> {
  const rows = await db.query<{ card_id: string; distance: number }>(
    `select p.card_id, k.distance
     from (select content_hash, bit_count(perceptual_hash # $2::text::bit(256)) as distance
       from picture where account_id = $1 order by distance limit 3) k
     join photo p on p.account_id = $1 and p.content_hash = k.content_hash and p.card_id is not null
       and p.side <> 'back'
     where k.distance <= $3 order by k.distance, p.id limit 1`,
    [toUuid(accountId), hashBits(perceptualHash), mostDistance],
    "photo-similar",
  );
  const [row] = rows;
  return row === undefined ? null : { cardId: toId("card", row.card_id), distance: row.distance };
}
