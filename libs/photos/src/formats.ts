/** What a picture may be. Its file name and declared type are not looked at. */
export const pictureFormats = ["jpeg", "png", "webp", "heic"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** The bytes that {@link sniffFormat} needs of a file. */
export const sniffedBytes = 32;

/**
 * HEVC still pictures, by their brands (ISO/IEC 23008-12, annex B). `mif1` says only that it is HEIF:
 * what is inside it is seen when it is decoded. Sequences and AV1 are not among them.
 */
const heicBrands = new Set(["heic", "heix", "heim", "heis", "mif1"]);

/** The format by the first bytes, or null where it is none of ours. */
export function sniffFormat(head: Uint8Array): PictureFormat | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length < 12) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (bytes.subarray(0, 8).equals(pngSignature)) return "png";
  if (tag(bytes, 0) === "RIFF" && tag(bytes, 8) === "WEBP") return "webp";
  if (tag(bytes, 4) === "ftyp" && heicBrands.has(tag(bytes, 8))) return "heic";
  return null;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function tag(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}

/**
 * Whether a PNG has frames: its animation chunk stands before the picture's own data (PNG, third
 * edition, section 11.3.6.1). Decoders show the first frame and say nothing of the others.
 */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = pngSignature.length; at + 8 <= bytes.length;) {
    const name = tag(bytes, at + 4);
    if (name === "acTL") return true;
    if (name === "IDAT") return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
