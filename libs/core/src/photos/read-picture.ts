import { findPhotoFile, listCardPhotoFiles } from "@cardvault/db";
import type { CardPhotoFile } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { PictureSize } from "@cardvault/photos";
import type { Services } from "../services.ts";
import { derivedKey, originalKey } from "./picture-files.ts";

/** A derived picture, for whoever has its signed address. Null where there is none. */
export async function readPicture(
  { db, pictureStore }: Pick<Services, "db" | "pictureStore">,
  photoId: string,
  size: PictureSize,
): Promise<Buffer | null> {
  const file = isId("img", photoId) ? await findPhotoFile(db, photoId) : null;
  return file === null ? null : pictureStore.get(derivedKey(file, size));
}

/** A card's photo with the bytes that were uploaded. */
export interface OriginalPhoto extends CardPhotoFile {
  bytes: Buffer;
}

/**
 * The originals of a card's photos for a provider: the front first, then the back, then what is for its
 * listing. Empty where the card has none.
 */
export async function readOriginals(
  { db, pictureStore }: Pick<Services, "db" | "pictureStore">,
  accountId: string,
  cardId: string,
): Promise<OriginalPhoto[]> {
  const files = isId("card", cardId) ? await listCardPhotoFiles(db, accountId, cardId) : [];
  const order = { front: 0, back: 1, listing: 2 } as const;
  const photos = await Promise.all(
    files
      .toSorted((left, right) => order[left.side] - order[right.side])
      .map(async (file) => ({
        ...file,
        bytes: await pictureStore.get(originalKey(file, file.format)),
      })),
  );
  return photos.filter((photo): photo is OriginalPhoto => photo.bytes !== null);
}
