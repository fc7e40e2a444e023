import {
  maxPhotoImportFiles,
  photoImportAnnounceAnswer,
  photoImportAnnounceInput,
} from "@cardvault/contract";
import type { PhotoImportAnnounce, PhotoImportAnnounced } from "@cardvault/contract";
import {
  insertImportFiles,
  insertLoosePhotos,
  readImportFiles,
  settleKnownPictures,
  writeImportPhotos,
  writePhotoImport,
} from "@cardvault/db";
import type { PhotoImportFileRow, Transaction } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Access } from "../../context.ts";
import { session } from "../../procedures.ts";
import type { Services } from "../../services.ts";
import { tooMany } from "./add-import-file.ts";
import { lockOpenImport } from "./open-import.ts";

/**
 * Says which files there will be, in their order, and which of them have to be uploaded. A file whose
 * bytes the account has needs no upload; one that is in the import a second time under another name is
 * dropped unless it is restored.
 * @throws VaultError `not_found`; `conflict` once cards are being made, or for too many files
 */
async function announceFiles(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId }: Access,
  { id, files: given }: PhotoImportAnnounce,
): Promise<PhotoImportAnnounced> {
  return db.transaction(async (tx) => {
    await lockOpenImport(tx, accountId, id);
    const known = await readImportFiles(tx, id);
    const placed = placeFiles(known, given);
    const added = placed.filter(({ isNew }) => isNew);
    if (known.length + added.length > maxPhotoImportFiles) throw tooMany();
    await insertImportFiles(tx, id, added);
    const now = clock.now();
    const here = await linkKnown(tx, accountId, id, added, now);
    await writePhotoImport(tx, id, {}, now);
    return {
      files: placed.map(({ position, name, contentHash, photoId }) => ({
        position,
        name,
        sha256: Buffer.from(contentHash).toString("hex"),
        needed: photoId === null && !here.has(position),
      })),
    };
  });
}

type Placed = Pick<
  PhotoImportFileRow,
  "position" | "name" | "contentHash" | "byteSize" | "isDropped" | "photoId"
> & { isNew: boolean };

function placeFiles(
  known: readonly PhotoImportFileRow[],
  given: PhotoImportAnnounce["files"],
): Placed[] {
  const keyOf = (name: string, hash: string): string => `${hash} ${name}`;
  const byKey = new Map<string, Placed>();
  const hashes = new Set<string>();
  for (const file of known) {
    const hash = Buffer.from(file.contentHash).toString("hex");
    byKey.set(keyOf(file.name, hash), { ...file, isNew: false });
    hashes.add(hash);
  }
  let next = (known.at(-1)?.position ?? -1) + 1;
  const seen = new Set<string>();
  return given.flatMap(({ name, sha256, byte_size: byteSize }) => {
    const key = keyOf(name, sha256);
    if (seen.has(key)) return [];
    seen.add(key);
    const there = byKey.get(key);
    if (there !== undefined) return [there];
    const isDropped = hashes.has(sha256);
    hashes.add(sha256);
    const contentHash = Buffer.from(sha256, "hex");
    const file = { position: next, name, contentHash, byteSize, isDropped, photoId: null };
    next += 1;
    return [{ ...file, isNew: true }];
  });
}

/** Gives photos to files whose bytes the account has. Answers where they stand. */
async function linkKnown(
  tx: Transaction,
  accountId: string,
  importId: string,
  files: readonly Placed[],
  now: Date,
): Promise<Set<number>> {
  const hashes = files.map(({ contentHash }) => contentHash);
  const pictures = await settleKnownPictures(tx, accountId, hashes, now);
  const here = new Set<number>();
  for (const picture of pictures) {
    const hash = Buffer.from(picture.contentHash);
    const photos = files
      .filter(({ contentHash }) => hash.equals(contentHash))
      .map(({ position }) => ({ position, photoId: newId("img") }));
    await insertLoosePhotos(
      tx,
      picture,
      photos.map(({ photoId }) => photoId),
      now,
    );
    await writeImportPhotos(tx, importId, photos, null);
    for (const { position } of photos) here.add(position);
  }
  return here;
}

export const announceFilesProcedure = session()
  .input(photoImportAnnounceInput)
  .output(photoImportAnnounceAnswer)
  .mutation(({ ctx, input }) => announceFiles(ctx.services, ctx.access, input));
