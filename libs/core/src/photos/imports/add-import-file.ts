import { maxPhotoImportFiles, VaultError } from "@cardvault/contract";
import {
  findImportFiles,
  findSimilarCard,
  insertImportFiles,
  insertLoosePhotos,
  writeImportPhotos,
  writePhotoImport,
} from "@cardvault/db";
import type { Transaction } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import type { Clock } from "@cardvault/kit";
import type { KeptPicture } from "../keep-picture.ts";
import { lockOpenImport } from "./open-import.ts";
import { mostSimilarDistance } from "./similar.ts";

/**
 * Puts an uploaded file where it was announced, once for each place; one that was not comes last. A
 * file that is there already changes nothing, so an upload can be repeated.
 * @returns the id of its photo
 * @throws VaultError `not_found`; `conflict` once cards are being made, or for too many files
 */
export async function addImportFile(
  tx: Transaction,
  clock: Clock,
  accountId: string,
  importId: string,
  { name }: { name: string },
  { row, perceptualHash }: KeptPicture,
): Promise<string> {
  await lockOpenImport(tx, accountId, importId);
  const { contentHash, byteSize } = row;
  const { files, next } = await findImportFiles(tx, importId, contentHash);
  const [first] = files;
  if (first === undefined) {
    if (next >= maxPhotoImportFiles) throw tooMany();
    const added = { position: next, name, contentHash, byteSize, isDropped: false };
    await insertImportFiles(tx, importId, [added]);
  }
  const places = first === undefined ? [next] : files.filter(isAwaited).map(positionOf);
  if (first?.photoId != null && places.length === 0) return first.photoId;
  const photos = places.map((position) => ({ position, photoId: newId("img") }));
  const now = clock.now();
  await insertLoosePhotos(
    tx,
    row,
    photos.map(({ photoId }) => photoId),
    now,
  );
  const similar =
    perceptualHash === null
      ? null
      : await findSimilarCard(tx, accountId, perceptualHash, mostSimilarDistance);
  await writeImportPhotos(tx, importId, photos, similar);
  await writePhotoImport(tx, importId, {}, now);
  return photos[0]?.photoId ?? "";
}

const isAwaited = ({ photoId }: { photoId: string | null }): boolean => photoId === null;
const positionOf = ({ position }: { position: number }): number => position;

export function tooMany(): VaultError {
  return new VaultError("conflict", {
    message: `An import of photos may have ${maxPhotoImportFiles} files.`,
  });
}
