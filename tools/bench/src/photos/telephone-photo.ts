import sharp from "sharp";

/** A photo of twelve megapixels as a telephone takes it, turned by its metadata: some 4 MB of JPEG. */
export async function telephonePhoto(seed: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 118 + seed * 3, sigma: 50 } as const;
  const create = { width: 750, height: 1_000, channels: 3, background: "#777", noise } as const;
  const rough = await sharp({ create }).png().toBuffer();
  return sharp(rough)
    .resize(3_000, 4_000)
    .jpeg({ quality: 88 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/**
 * The same picture as another file: a comment of its own behind the first two bytes, which decoders pass
 * over. The service knows a file by its bytes, and would not decode the same one twice.
 */
export function asAnotherFile(jpeg: Buffer, serial: number): Buffer {
  const text = Buffer.from(`photo ${serial}`);
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)]);
}
