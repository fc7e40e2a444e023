import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** `thumbnail` fits a table row, `full` a screen. */
const photoSizes = ["full", "thumbnail"] as const;
export type PhotoSize = (typeof photoSizes)[number];

/** Bytes of the HMAC that stand in the address: 128 bits cannot be guessed. */
const signatureBytes = 16;

/**
 * Addresses of pictures: signed capabilities. Whoever has one sees the picture, nobody can make one
 * (contract, photos). `/photos/<id>/<size>.webp?s=<signature>`, the signature over id and size.
 */
export interface PhotoUrls {
  /** The whole address. */
  urlOf: (photoId: string, size: PhotoSize) => string;
  /** Whether an address that was asked for is one that we gave. */
  isSigned(photoId: string, size: string, signature: string): size is PhotoSize;
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
  return {
    urlOf: (photoId, size) =>
      `${publicUrl}/photos/${photoId}/${size}.webp?s=${sign(signingKey, photoId, size)}`,
    isSigned(photoId, size, signature): size is PhotoSize {
      const isSize = (photoSizes as readonly string[]).includes(size);
      return isSize && keys.some((key) => isEqual(sign(key, photoId, size), signature));
    },
  };
}

function sign(key: KeyObject, photoId: string, size: string): string {
  const mac = createHmac("sha256", key).update(`${photoId}/${size}`).digest();
  return mac.subarray(0, signatureBytes).toString("base64url");
}

function isEqual(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
