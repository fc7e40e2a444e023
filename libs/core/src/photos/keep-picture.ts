import { readFile } from "node:fs/promises";
import { VaultError } from "@cardvault/contract";
import { beginPicture, findStoredPicture, settlePicture } from "@cardvault/db";
import type { Database, PictureRow, Transaction } from "@cardvault/db";
import { pictureSizes } from "@cardvault/photos";
import type { Clock } from "@cardvault/kit";
import type { PictureProcessor, PictureStore, PictureTask } from "@cardvault/photos";
import { derivedKey, originalKey } from "./picture-files.ts";

/** What keeping a file needs. */
export interface PictureNeeds {
  db: Database;
  clock: Clock;
  pictures: PictureProcessor;
  pictureStore: PictureStore;
}

/** A file that has come, on disk or in memory, and its SHA-256. */
export type GivenFile = PictureTask & { contentHash: Uint8Array; byteSize: number };

export interface KeptPicture {
  row: PictureRow;
  /** The account had this file already. */
  wasKnown: boolean;
  /** Null where it was known: nothing was decoded. */
  perceptualHash: Uint8Array | null;
}

const mostTries = 3;

/**
 * Puts a file and what is derived of it into the store, and then runs `use` in the transaction that
 * settles it: a file is kept exactly when something shows it. A file that the account has is not
 * decoded again. A crash at any line leaves at most files that housekeeping finds and removes.
 * @throws VaultError of the processor for a file that is not taken; what `use` throws
 */
export async function keepPicture<T>(
  needs: PictureNeeds,
  accountId: string,
  file: GivenFile,
  use: (tx: Transaction, kept: KeptPicture) => Promise<T>,
): Promise<T> {
  const { db, clock } = needs;
  for (let attempt = 1; ; attempt += 1) {
    const known = await findStoredPicture(db, accountId, file.contentHash);
    const kept: KeptPicture =
      known === null
        ? await write(needs, accountId, file)
        : { row: known, wasKnown: true, perceptualHash: null };
    const used = await db.transaction(async (tx) => {
      const isThere = await settlePicture(tx, accountId, file.contentHash, clock.now());
      return isThere ? { result: await use(tx, kept) } : null;
    });
    if (used !== null) return used.result;
    // Housekeeping took it between the look and the lock.
    if (attempt === mostTries)
      throw new VaultError("service_unavailable", { retryAfterSeconds: 1 });
  }
}

async function write(
  { db, clock, pictures, pictureStore }: PictureNeeds,
  accountId: string,
  file: GivenFile,
): Promise<KeptPicture> {
  const { contentHash, byteSize } = file;
  const task = file.path === undefined ? { bytes: file.bytes } : { path: file.path };
  const { format, width, height, perceptualHash, files } = await pictures.process(task);
  const row = { accountId, contentHash, format, byteSize, width, height };
  await beginPicture(db, { ...row, perceptualHash }, clock.now());
  const bytes = file.path === undefined ? file.bytes : await readFile(file.path);
  await pictureStore.put(originalKey(row, format), bytes);
  for (const size of pictureSizes) await pictureStore.put(derivedKey(row, size), files[size]);
  return { row, wasKnown: false, perceptualHash };
}
