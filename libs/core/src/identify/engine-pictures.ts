import { VaultError } from "@cardvault/contract";
import { listCardPhotoFiles } from "@cardvault/db";
import type { Access } from "../context.ts";
import { fetchPhoto } from "../photos/fetch-photo.ts";
import { derivedKey } from "../photos/picture-files.ts";
import { readPicture } from "../photos/read-picture.ts";
import type { Services } from "../services.ts";
import type { EnginePicture } from "./engines.ts";

const mediaType = "image/webp";
/** Front and back. More pictures of one card say no more, and cost more. */
const mostPictures = 2;
const places = { front: 0, back: 1, listing: 2 } as const;

/**
 * The pictures of a card that engines are shown: the front, then the back; a listing's only where there is
 * no front. Derived ones, because an original may say where it was taken.
 * @throws VaultError `photo_unavailable` where the card has none
 */
export async function picturesOfCard(
  { db, pictureStore }: Pick<Services, "db" | "pictureStore">,
  { accountId }: Pick<Access, "accountId">,
  cardId: string,
): Promise<EnginePicture[]> {
  const files = await listCardPhotoFiles(db, accountId, cardId);
  const ordered = files.toSorted((left, right) => places[left.side] - places[right.side]);
  const seen = ordered.some(({ side }) => side === "front")
    ? ordered.filter(({ side }) => side !== "listing")
    : ordered;
  const pictures: EnginePicture[] = [];
  for (const file of seen) {
    if (pictures.length === mostPictures) break;
    if (pictures.some(({ side }) => side === file.side)) continue;
    const bytes = await pictureStore.get(derivedKey(file, "full"));
    if (bytes !== null) pictures.push({ side: file.side, mediaType, bytes });
  }
  if (pictures.length === 0) throw new VaultError("photo_unavailable");
  return pictures;
}

/**
 * A photo that a request names by its address. Nothing of it is stored. One of ours is taken from where it
 * lies: whoever has its address may see it, and nothing inside is asked by a stranger's word.
 * @throws VaultError `photo_unavailable`
 */
export async function pictureAtAddress(
  needs: Pick<Services, "db" | "pictureStore" | "photoUrls" | "photoClient" | "pictures">,
  photoUrl: string,
): Promise<EnginePicture[]> {
  const bytes = await bytesAt(needs, photoUrl);
  if (bytes === null) throw new VaultError("photo_unavailable");
  return [{ side: "front", mediaType, bytes }];
}

async function bytesAt(
  needs: Parameters<typeof pictureAtAddress>[0],
  photoUrl: string,
): Promise<Uint8Array | null> {
  const { photoUrls, photoClient: client, pictures } = needs;
  const own = photoUrls.photoAt(photoUrl);
  if (own !== null) return readPicture(needs, own, "full");
  if (client === undefined) return null;
  return (await fetchPhoto({ client, pictures }, photoUrl)).processed.files.full;
}
