import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A file that wants more of the service than it looks like. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** What it is refused with; null where it is a picture that is taken. */
  readonly code: string | null;
}

/** Fifty million pixels, the most that are taken. */
const most = { width: 8_000, height: 6_250 } as const;

/**
 * Files that are small, or good in their beginning, and cost what they can: those that cannot be decoded
 * row by row have to be held whole.
 */
export async function hostileFiles(photo: Buffer): Promise<readonly HostileFile[]> {
  const large = sharp({ create: { ...most, channels: 4, background: "#c0a040" } });
  const interlaced = await large
    .clone()
    .toColourspace("rgb16")
    .png({ progressive: true, compressionLevel: 3 })
    .toBuffer();
  return [
    { name: "bomb.png", bytes: bitPng(30_000, 30_000), code: "photo_unavailable" },
    { name: "row.png", bytes: bitPng(8_000, 6_251), code: "photo_unavailable" },
    { name: "interlaced.png", bytes: interlaced, code: null },
    {
      name: "progressive.jpg",
      bytes: await large.clone().jpeg({ progressive: true }).toBuffer(),
      code: null,
    },
    { name: "large.webp", bytes: await large.clone().webp({ effort: 0 }).toBuffer(), code: null },
    {
      name: "cut.jpg",
      bytes: photo.subarray(0, Math.floor(photo.length / 2)),
      code: "photo_unavailable",
    },
    {
      name: "page.jpg",
      bytes: Buffer.from("<script>alert(1)</script>".padEnd(2_000)),
      code: "unsupported_media_type",
    },
    { name: "nothing.png", bytes: Buffer.alloc(0), code: "unsupported_media_type" },
    { name: "long.jpg", bytes: Buffer.alloc(20_000_001, 0xff), code: "body_too_large" },
  ];
}

/** A PNG of one bit a pixel whose rows are all black: a hundred kilobytes for 900 megapixels. */
function bitPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
