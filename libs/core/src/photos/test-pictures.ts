import { createHash } from "node:crypto";
import sharp from "sharp";
import type { UploadedPhoto } from "@cardvault/contract";
import type { Dealer, House } from "../test-house.ts";
import { uploadPhoto } from "./upload-photo.ts";
import type { UploadedFile } from "./upload-photo.ts";

/** A drawn card that is like no other of another number, as a JPEG. */
export async function pictureBytes(
  seed: number,
  options: { quality?: number } = {},
): Promise<Buffer> {
  const at = (n: number, most: number): number => (seed * 7919 + n * 104_729) % most;
  const shapes = Array.from({ length: 9 }, (_, n) => {
    const place = `cx="${at(n, 280)}" cy="${at(n + 31, 400)}" r="${15 + at(n + 17, 60)}"`;
    return `<circle ${place} fill="hsl(${at(n + 5, 360)} 60% ${20 + at(n + 3, 60)}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="420"><rect width="300" height="420" fill="#ddd"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg))
    .jpeg({ quality: options.quality ?? 90 })
    .toBuffer();
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Uploads as the route does. */
export function upload(
  house: House,
  dealer: Dealer,
  bytes: Uint8Array,
  file: Partial<UploadedFile> = {},
): Promise<UploadedPhoto> {
  const given = { bytes, contentHash: sha256(bytes), byteSize: bytes.length };
  return uploadPhoto(house.services, dealer.access, { name: "photo.jpg", ...file }, given);
}
