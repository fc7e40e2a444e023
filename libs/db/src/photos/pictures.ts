import { toId, toUuid } from "@cardvault/kit";
import type { Queryable, Transaction } from "../connection/database.ts";
import { hashBits } from "./hash-bits.ts";

/** One file of an account, addressed by the SHA-256 of its bytes. */
export interface PictureRow {
  accountId: string;
  contentHash: Uint8Array;
  format: "jpeg" | "png" | "webp" | "heic";
  byteSize: number;
  width: number;
  height: number;
}

export interface NewPicture extends PictureRow {
  /** 256 bits. */
  perceptualHash: Uint8Array;
}

/** The file, where all of it is in the store and it is not about to be removed. */
export async function findStoredPicture(
  db: Queryable,
  accountId: string,
  contentHash: Uint8Array,
): Promise<PictureRow | null> {
  const [row] = await db.query<PictureRow>(
    `select content_hash as "contentHash", format, byte_size as "byteSize", width, height
     from picture where account_id = $1 and content_hash = $2 and state in ('stored', 'loose')`,
    [toUuid(accountId), contentHash],
    "picture-find",
  );
  return row === undefined ? null : { ...row, accountId };
}

/**
 * Says that files are about to be written, before the first byte is: what a crash leaves has a row that
 * leads to it. Waits for one that is being removed.
 */
export async function beginPicture(db: Queryable, picture: NewPicture, now: Date): Promise<void> {
  const { accountId, contentHash, format, byteSize, width, height, perceptualHash } = picture;
  await db.query(
    `insert into picture (account_id, content_hash, state, format, byte_size, width, height, perceptual_hash, touched_at)
     values ($1, $2, 'writing', $3, $4, $5, $6, $7::text::bit(256), $8)
     on conflict (account_id, content_hash) do update
       set state = case when picture.state = 'stored' then 'stored' else 'writing' end, touched_at = $8`,
    [
      toUuid(accountId),
      contentHash,
      format,
      byteSize,
      width,
      height,
      hashBits(perceptualHash),
      now,
    ],
    "picture-begin",
  );
}

/**
 * Locks the row and marks the file as stored: in the transaction that gives it a photo.
 * @returns false where it was removed meanwhile, and has to be written again
 */
export async function settlePicture(
  tx: Transaction,
  accountId: string,
  contentHash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update picture set state = 'stored', touched_at = $3
     where account_id = $1 and content_hash = $2 and state <> 'removing' returning 1`,
    [toUuid(accountId), contentHash, now],
    "picture-settle",
  );
  return rows.length > 0;
}

/** As `settlePicture`, for those of some files that the account has whole. */
export async function settleKnownPictures(
  tx: Transaction,
  accountId: string,
  contentHashes: readonly Uint8Array[],
  now: Date,
): Promise<PictureRow[]> {
  const rows = await tx.query<Omit<PictureRow, "accountId">>(
    `update picture set state = 'stored', touched_at = $3
     where account_id = $1 and content_hash = any ($2::bytea[]) and state in ('stored', 'loose')
     returning content_hash as "contentHash", format, byte_size as "byteSize", width, height`,
    [toUuid(accountId), contentHashes, now],
    "pictures-settle-known",
  );
  return rows.map((row) => ({ ...row, accountId }));
}

/** Marks files that no photo shows any more. They are kept a while: a removal can be undone. */
export async function loosenPictures(
  tx: Transaction,
  accountId: string,
  contentHashes: readonly Uint8Array[],
  now: Date,
): Promise<void> {
  if (contentHashes.length === 0) return;
  const values = [toUuid(accountId), contentHashes];
  // Locked first: the statement after sees the photo of an upload that held the lock.
  await tx.query(
    `select 1 from picture where account_id = $1 and content_hash = any ($2::bytea[])
     order by content_hash for update`,
    values,
    "pictures-lock",
  );
  await tx.query(
    `update picture k set state = 'loose', touched_at = $3
     where k.account_id = $1 and k.content_hash = any ($2::bytea[]) and k.state = 'stored'
       and not exists (select 1 from photo p where p.account_id = $1 and p.content_hash = k.content_hash)`,
    [...values, now],
    "pictures-loosen",
  );
}

/** Where a file is that may go. */
export interface PicturePlace {
  accountId: string;
  contentHash: Uint8Array;
  format: PictureRow["format"];
}

/**
 * Takes files that are to be removed out of use: those that nobody shows since `looseBefore`, and those
 * whose writing a crash has ended. Which of them are shown again by now is repaired instead.
 */
export async function takeLoosePictures(
  tx: Transaction,
  before: { loose: Date; writing: Date; removing: Date },
  limit: number,
): Promise<PicturePlace[]> {
  const rows = await tx.query<{
    account_id: string;
    content_hash: Uint8Array;
    format: PictureRow["format"];
    is_shown: boolean;
  }>(
    `select k.account_id, k.content_hash, k.format, exists (select 1 from photo p
       where p.account_id = k.account_id and p.content_hash = k.content_hash) as is_shown
     from picture k
     where (k.state = 'loose' and k.touched_at < $1) or (k.state = 'writing' and k.touched_at < $2)
       or (k.state = 'removing' and k.touched_at < $3)
     order by k.touched_at limit $4 for update of k skip locked`,
    [before.loose, before.writing, before.removing, limit],
    "pictures-take-loose",
  );
  const places = rows.map((row) => ({
    accountId: toId("acc", row.account_id),
    contentHash: row.content_hash,
    format: row.format,
    isShown: row.is_shown,
  }));
  for (const { accountId, contentHash, isShown } of places) {
    await tx.query(
      "update picture set state = $3 where account_id = $1 and content_hash = $2",
      [toUuid(accountId), contentHash, isShown ? "stored" : "removing"],
      "picture-mark",
    );
  }
  return places.filter(({ isShown }) => !isShown);
}

/**
 * Runs `removeFiles` and deletes the row, while nobody can begin to write the same file.
 * @returns false where an upload was quicker
 */
export async function removePicture(
  tx: Transaction,
  { accountId, contentHash }: PicturePlace,
  removeFiles: () => Promise<void>,
): Promise<boolean> {
  const values = [toUuid(accountId), contentHash];
  const [row] = await tx.query(
    `select 1 from picture where account_id = $1 and content_hash = $2 and state = 'removing' for update`,
    values,
    "picture-lock-removing",
  );
  if (row === undefined) return false;
  await removeFiles();
  await tx.query(
    "delete from picture where account_id = $1 and content_hash = $2",
    values,
    "picture-delete",
  );
  return true;
}
