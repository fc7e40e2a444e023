import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { pictureSizes } from "@cardvault/photos";
import type { PictureSize } from "@cardvault/photos";

/** Bytes of the HMAC that stand in the address: 128 bits cannot be guessed. */
const signatureBytes = 16;
const photoPath = /^\/photos\/([^/]+)\/([a-z]+)\.webp$/u;

/**
 * Addresses of pictures: signed capabilities. Whoever has one sees the picture, nobody can make one
 * (contract, photos). `/photos/<id>/<size>.webp?s=<signature>`, the signature over the id: who may see a
 * picture may see it in every size, so a page makes the address of another size by changing its name.
 */
export interface PhotoUrls {
  /** The whole address. */
  urlOf: (photoId: string, size: PictureSize) => string;
  /** Whether an address that was asked for is one that we gave. */
  isSigned(photoId: string, size: string, signature: string): size is PictureSize;
  /** Which photo a whole address shows; null where it is none that we gave. */
  photoAt(url: string): string | null;
}

/**
 * @param keyBytes derived from the encryption keys: a copy of the database makes no address. The first
 * signs, all are accepted, so that a change of keys breaks no address.
 */
export function createPhotoUrls(publicUrl: string, keyBytes: readonly Uint8Array[]): PhotoUrls {
  // A page of a list signs a hundred addresses, and bytes would be made a key for each: 13 µs, not 2.
  const keys = keyBytes.map((bytes) => createSecretKey(bytes));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new RangeError("Addresses of pictures need a key.");
  // A list asks for two sizes of a photo, one after the other.
  let last = { photoId: "", signature: "" };
  const isSigned = (photoId: string, size: string, signature: string): size is PictureSize => {
    const isSize = (pictureSizes as readonly string[]).includes(size);
    return isSize && keys.some((key) => isEqual(sign(key, photoId), signature));
  };
  return {
    urlOf: (photoId, size) => {
      if (last.photoId !== photoId) last = { photoId, signature: sign(signingKey, photoId) };
      return `${publicUrl}/photos/${photoId}/${size}.webp?s=${last.signature}`;
    },
    isSigned,
    photoAt(url) {
      if (!url.startsWith(`${publicUrl}/photos/`) || !URL.canParse(url)) return null;
      const { pathname, searchParams } = new URL(url);
      const [, photoId = "", size = ""] = photoPath.exec(pathname) ?? [];
      return isSigned(photoId, size, searchParams.get("s") ?? "") ? photoId : null;
    },
  };
}

function sign(key: KeyObject, photoId: string): string {
  const mac = createHmac("sha256", key).update(photoId).digest();
  return mac.subarray(0, signatureBytes).toString("base64url");
}

function isEqual(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
