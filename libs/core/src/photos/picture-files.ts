import { pictureSizes } from "@cardvault/photos";
import type { PictureFormat, PictureSize } from "@cardvault/photos";

/** Which file of which account: keys are made of these and of nothing that a client gave. */
export interface PicturePlaceKey {
  accountId: string;
  contentHash: Uint8Array;
}

function folderOf({ accountId, contentHash }: PicturePlaceKey): string {
  const hash = Buffer.from(contentHash).toString("hex");
  return `${accountId}/${hash.slice(0, 2)}/${hash}`;
}

/** The store's key of a derived picture. No account's key says anything of another's pictures. */
export function derivedKey(place: PicturePlaceKey, size: PictureSize): string {
  return `${folderOf(place)}/${size}.webp`;
}

/** The store's key of the file as it came. Providers are sent it; nobody is served it. */
export function originalKey(place: PicturePlaceKey, format: PictureFormat): string {
  return `${folderOf(place)}/original.${format}`;
}

export function allKeys(place: PicturePlaceKey, format: PictureFormat): string[] {
  return [originalKey(place, format), ...pictureSizes.map((size) => derivedKey(place, size))];
}
