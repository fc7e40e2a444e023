import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  deleteUnattachedPhotos,
  findStaleImports,
  listRemovedSince,
  loosenPictures,
  removePicture,
  takeLoosePictures,
} from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import type { PictureStore } from "@cardvault/photos";
import { discardImport } from "./imports/discard-import.ts";
import { allKeys } from "./picture-files.ts";

export interface SweepPhotosOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  pictureStore: PictureStore;
  /** Folders of files that an upload or a write has not finished. */
  unfinishedFolders: readonly string[];
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** An upload takes minutes at most. */
const unfinishedMs = 6 * hourMs;
/** Uploaded, and given to no card. */
const unattachedMs = dayMs;
/** Of a photo that was removed: a removal can be undone as long. */
const loosePictureMs = 30 * dayMs;
/** Another worker removes the files at this moment, or has died doing it. */
const removingMs = hourMs;
const staleImportMs = 14 * dayMs;
const atOnce = 100;

/**
 * Removes what nobody will ask for again: uploads that were given to no card, imports that were
 * abandoned, files that no photo shows, and what a crash has left half written. Any number of processes
 * may do it at once.
 */
export async function sweepPhotos(options: SweepPhotosOptions): Promise<void> {
  const { db, clock, logger } = options;
  const ago = (ms: number): Date => new Date(clock.now().getTime() - ms);
  for (const { accountId, id } of await findStaleImports(db, ago(staleImportMs), atOnce)) {
    await discardImport(options, { accountId }, id);
  }
  await db.transaction(async (tx) => {
    const photos = await deleteUnattachedPhotos(tx, ago(unattachedMs), atOnce);
    const byAccount = Map.groupBy(photos, ({ accountId }) => accountId);
    for (const [accountId, ones] of byAccount) {
      const hashes = ones.map(({ contentHash }) => contentHash);
      await loosenPictures(tx, accountId, hashes, clock.now());
    }
  });
  const before = {
    loose: ago(loosePictureMs),
    writing: ago(unfinishedMs),
    removing: ago(removingMs),
  };
  const places = await db.transaction((tx) => takeLoosePictures(tx, before, atOnce));
  for (const place of places) {
    await db.transaction((tx) => removePicture(tx, place, () => removeFiles(options, place)));
  }
  if (places.length > 0) logger.info({ pictures: places.length }, "unused pictures were removed");
  // What an upload that was under way has written after the account had gone.
  for (const accountId of await listRemovedSince(db, ago(dayMs))) {
    await options.pictureStore.deleteFolder(accountId);
  }
  for (const folder of options.unfinishedFolders) await sweepFolder(folder, ago(unfinishedMs));
}

async function removeFiles(
  { pictureStore }: SweepPhotosOptions,
  place: Parameters<typeof allKeys>[0] & { format: Parameters<typeof allKeys>[1] },
): Promise<void> {
  for (const key of allKeys(place, place.format)) await pictureStore.delete(key);
}

async function sweepFolder(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true && found.mtime < before) await rm(file, { force: true });
  }
}
