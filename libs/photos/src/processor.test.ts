import { readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import { VaultError } from "@cardvault/contract";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { hashDistance } from "./dct-hash.ts";
import { createPictureProcessor } from "./processor.ts";
import { maxPictureBytes } from "./limits.ts";

const processor = createPictureProcessor({ threads: 1, maxWaiting: 8 });
afterAll(() => processor.close());

/** A card with a red field in its upper left, so that a turn can be seen. */
function card(width = 600, height = 840) {
  const [w, h] = [Math.round(width / 2), Math.round(height / 2)];
  return sharp({ create: { width, height, channels: 3, background: "#dddddd" } }).composite([
    {
      input: { create: { width: w, height: h, channels: 3, background: "#cc2020" } },
      left: 0,
      top: 0,
    },
  ]);
}

const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`fixtures/${name}`, import.meta.url));

async function colourAt(picture: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data } = await sharp(picture)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const answer = await processor.process({ bytes }).then(
    () => "taken",
    (error: unknown) => error,
  );
  return answer instanceof VaultError ? answer.code : String(answer);
}

describe("what is taken", () => {
  test("three sizes in WebP, none larger than the original, without any metadata", async () => {
    const bytes = await card(2_000, 2_800)
      .withExif({ IFD0: { Make: "Secret" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const picture = await processor.process({ bytes });
    expect(picture).toMatchObject({ format: "jpeg", width: 2_000, height: 2_800 });
    const sizes = { full: 1_600, thumbnail: 480, small: 96 } as const;
    for (const [name, longer] of Object.entries(sizes)) {
      const derived = await sharp(picture.files[name as keyof typeof sizes]).metadata();
      expect(derived).toMatchObject({ format: "webp", height: longer, hasProfile: false });
      expect([derived.exif, derived.xmp, derived.icc, derived.iptc]).toEqual(
        Array(4).fill(undefined),
      );
    }
    const small = await processor.process({ bytes: await card(300, 420).png().toBuffer() });
    expect(await sharp(small.files.full).metadata()).toMatchObject({ width: 300, height: 420 });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("EXIF orientation %i is applied", async (orientation) => {
    const bytes = await card().withMetadata({ orientation }).jpeg().toBuffer();
    const { width, height, files } = await processor.process({ bytes });
    const derived = await sharp(files.full).metadata();
    expect([width, height]).toEqual(orientation >= 5 ? [840, 600] : [600, 840]);
    expect([derived.width, derived.height]).toEqual([width, height]);
    const [right, low] = [width - 10, height - 10];
    const corners = [
      [10, 10],
      [right, 10],
      [right, low],
      [10, low],
    ] as const;
    const isRed = await Promise.all(
      corners.map(async ([x, y]) => ((await colourAt(files.full, x, y))[1] ?? 255) < 90),
    );
    // Where the upper left of what the camera wrote is to be shown (TIFF 6.0, orientation).
    const redCorner = [0, 1, 2, 3, 0, 1, 2, 3][orientation - 1];
    expect(isRed).toEqual([0, 1, 2, 3].map((corner) => corner === redCorner));
  });

  test.each([
    ["grey", () => card().greyscale().jpeg()],
    ["16 bits", () => card().toColourspace("rgb16").png()],
    ["CMYK", () => card().toColourspace("cmyk").jpeg()],
    ["transparent", () => card().ensureAlpha(0.5).png()],
    ["WebP", () => card().webp()],
    ["progressive", () => card().jpeg({ progressive: true })],
  ])("%s becomes sRGB of 8 bits without transparency", async (_, make) => {
    const { files } = await processor.process({ bytes: await make().toBuffer() });
    const metadata = await sharp(files.full).metadata();
    expect(metadata).toMatchObject({ space: "srgb", depth: "uchar", hasAlpha: false, width: 600 });
  });

  test.each(["card.heic", "turned.heic"])("%s, as it is to be shown", async (name) => {
    const { format, width, height, files } = await processor.process({
      bytes: await fixture(name),
    });
    expect({ format, width, height }).toEqual({ format: "heic", width: 240, height: 336 });
    const [red = 0, , blue = 0] = await colourAt(files.full, 120, 110);
    expect(blue - red).toBeGreaterThan(100);
  });

  test("the same picture in another file has nearly the same perceptual hash", async () => {
    // The same spots each time: a hash of chance now and then has many bits that are nearly even.
    const spots = Uint8Array.from(
      { length: 12 * 17 },
      (_, index) => (index * 7919 + 13 * index ** 2) % 251,
    );
    const rough = sharp(spots, { raw: { width: 12, height: 17, channels: 1 } });
    const large = sharp(await rough.png().toBuffer()).resize(600, 840);
    const [png, jpeg] = await Promise.all([
      processor.process({ bytes: await large.clone().png().toBuffer() }),
      processor.process({
        bytes: await large.clone().resize(300).jpeg({ quality: 60 }).toBuffer(),
      }),
    ]);
    expect(hashDistance(png.perceptualHash, jpeg.perceptualHash)).toBeLessThan(12);
  });
});

describe("what is not", () => {
  test("415 for what is none of the four, whatever it calls itself", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>');
    const html = Buffer.from("<!doctype html><script>alert(1)</script>".padEnd(600));
    const others = [
      Buffer.alloc(0),
      Buffer.from([0xff]),
      svg,
      html,
      await card().gif().toBuffer(),
      await card().tiff().toBuffer(),
      await card(64, 64).avif().toBuffer(),
      Buffer.from("%PDF-1.7\n".padEnd(400)),
    ];
    for (const bytes of others) expect(await refusalOf(bytes)).toBe("unsupported_media_type");
  });

  test("415 for what moves", async () => {
    const frames = await Promise.all(
      ["#ff0000", "#00ff00"].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const webp = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect(await refusalOf(webp)).toBe("unsupported_media_type");
    const png = frames[0] ?? Buffer.alloc(0);
    const control = chunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
    const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
    expect(await refusalOf(apng)).toBe("unsupported_media_type");
  });

  test("422 for a file that ends early, wherever it ends", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const rough = sharp({
      create: { width: 400, height: 560, channels: 3, background: "#888", noise },
    });
    const files = await Promise.all([
      rough.clone().jpeg().toBuffer(),
      rough.clone().png().toBuffer(),
      rough.clone().webp().toBuffer(),
      fixture("card.heic"),
    ]);
    for (const bytes of files) {
      for (const part of [0.1, 0.5, 0.9]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * part));
        expect(await refusalOf(cut)).toBe("photo_unavailable");
      }
    }
  });

  test("422 for a good head before nonsense", async () => {
    const jpeg = await card().jpeg().toBuffer();
    const heic = await fixture("card.heic");
    for (const head of [jpeg.subarray(0, 200), heic.subarray(0, 40)]) {
      const bytes = Buffer.concat([head, Buffer.alloc(9_000, 0x5a)]);
      expect(await refusalOf(bytes)).toBe("photo_unavailable");
    }
  });

  test("422 for more pixels than are taken, without decoding one of them", async () => {
    // 30,000 × 30,000 pixels in a hundred kilobytes.
    expect(await refusalOf(bombPng(30_000, 30_000))).toBe("photo_unavailable");
    // A frame that is said to be larger than what is in it.
    const heic = await fixture("card.heic");
    const at = heic.indexOf("ispe") + 8;
    heic.writeUInt32BE(20_000, at);
    heic.writeUInt32BE(20_000, at + 4);
    expect(await refusalOf(heic)).toBe("photo_unavailable");
  });

  test("fifty megapixels are taken, one row more is not", async () => {
    const { width, height, files } = await processor.process({ bytes: bombPng(10_000, 5_000) });
    expect({ width, height }).toEqual({ width: 10_000, height: 5_000 });
    expect(await sharp(files.full).metadata()).toMatchObject({ width: 1_600, height: 800 });
    expect(await refusalOf(bombPng(10_000, 5_001))).toBe("photo_unavailable");
  });

  test("text that unpacks to a hundred megabytes is not unpacked", async () => {
    const png = await card().png().toBuffer();
    const bomb = Buffer.concat([
      Buffer.from("Comment\0\0"),
      deflateSync(Buffer.alloc(100_000_000)),
    ]);
    const bytes = Buffer.concat([png.subarray(0, 33), chunk("zTXt", bomb), png.subarray(33)]);
    const { files } = await processor.process({ bytes });
    expect(files.full.length).toBeLessThan(20_000);
  });

  test("422 for less than can be seen, and for a row of pixels", async () => {
    expect(await refusalOf(await card(20, 28).png().toBuffer())).toBe("photo_unavailable");
    expect(await refusalOf(await card(4_000, 2).png().toBuffer())).toBe("photo_unavailable");
  });

  test("413 for more bytes than are taken", async () => {
    expect(await refusalOf(Buffer.alloc(maxPictureBytes + 1, 0xff))).toBe("body_too_large");
  });

  test("a picture that is a script too is taken as a picture, and the script is gone", async () => {
    const script = Buffer.from("<script>alert(document.domain)</script>");
    const jpeg = await card().jpeg().toBuffer();
    const png = await card().png().toBuffer();
    const webp = await card().webp().toBuffer();
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script]);
    const text = chunk("tEXt", Buffer.concat([Buffer.from("Title\0"), script]));
    for (const bytes of [
      Buffer.concat([jpeg, script]),
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
      Buffer.concat([png.subarray(0, 33), text, png.subarray(33)]),
      Buffer.concat([webp, script]),
    ]) {
      const { files } = await processor.process({ bytes });
      for (const file of Object.values(files)) {
        expect(Buffer.from(file).includes("<script>")).toBe(false);
      }
    }
  });

  test("503 where too many wait, and nothing of it is kept waiting", async () => {
    const bytes = await card().jpeg().toBuffer();
    const all = await Promise.allSettled(
      Array.from({ length: 24 }, () => processor.process({ bytes })),
    );
    const refused = all.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) {
      expect(one).toMatchObject({ reason: { code: "service_unavailable", retryAfterSeconds: 2 } });
    }
    expect(all.length - refused.length).toBeGreaterThanOrEqual(8);
    expect(processor.waiting()).toBe(0);
  });

  test("a picture that takes too long costs its own answer only", async () => {
    const hasty = createPictureProcessor({ threads: 1, timeoutMs: 1 });
    const bytes = await card(4_000, 5_600).png().toBuffer();
    await expect(hasty.process({ bytes })).rejects.toMatchObject({ code: "photo_unavailable" });
    await hasty.close();
  });
});

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

/** A PNG of one bit a pixel whose rows are all white. */
function bombPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const row = Math.ceil(width / 8) + 1;
  const data = deflateSync(Buffer.alloc(row * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
