import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Metadata, Sharp } from "sharp";
import { dctHash, hashedSide } from "../dct-hash.ts";
import { isAnimatedPng, sniffFormat } from "../formats.ts";
import type { PictureFormat } from "../formats.ts";
import { giveWayWhileDecoding } from "../give-way.ts";
import { derivedSizes, maxPictureBytes, maxPicturePixels, minPictureSide } from "../limits.ts";
import type { PictureProblem, PictureTask, WorkerAnswer } from "../task.ts";
import { HeicError, openHeic } from "./heic.ts";
import type { Raw } from "./raw.ts";

// Threads are the pool's: libvips is to have one each, and to keep nothing between two pictures.
sharp.concurrency(1);
sharp.cache(false);
giveWayWhileDecoding();

const decodeSeconds = 20;
const webp = { quality: 82, effort: 3 } as const;

/** Runs in a worker thread: checks a file and derives what is kept of it. Its problems are an answer. */
export async function processPicture(task: PictureTask): Promise<WorkerAnswer> {
  try {
    const bytes = task.path === undefined ? Buffer.from(task.bytes) : await readFile(task.path);
    const { format, size, picture } = await openPicture(bytes);
    const answer = await derive(picture);
    return { ok: true, format, ...size, ...answer };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.problem };
    if (isDecodersOwn(error)) return { ok: false, problem: "unreadable" };
    throw error;
  }
}

class Refusal extends Error {
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** What sharp throws for a broken file is a plain error, without a code of the operating system. */
function isDecodersOwn(error: unknown): boolean {
  if (error instanceof HeicError) return true;
  return error instanceof Error && !("code" in error) && error.constructor === Error;
}

interface Opened {
  format: PictureFormat;
  /** As it is shown: after the turn that its metadata ask for. */
  size: { width: number; height: number };
  picture: Sharp;
}

async function openPicture(bytes: Buffer): Promise<Opened> {
  if (bytes.length > maxPictureBytes) throw new Refusal("too_many_bytes");
  const format = sniffFormat(bytes);
  if (format === null) throw new Refusal("unsupported");
  if (format === "heic") return openHeicPicture(bytes);
  if (format === "png" && isAnimatedPng(bytes)) throw new Refusal("animated");
  // Only the head is read here; the limit of pixels is ours to name, so it is not sharp's.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (metadata.format !== format) throw new Refusal("unsupported");
  if ((metadata.pages ?? 1) > 1) throw new Refusal("animated");
  requireSize(metadata.width, metadata.height);
  const picture = sharp(bytes, {
    limitInputPixels: maxPicturePixels,
    failOn: "error",
    sequentialRead: true,
  }).autoOrient();
  return { format, size: shownSize(metadata), picture };
}

async function openHeicPicture(bytes: Buffer): Promise<Opened> {
  const heic = openHeic(bytes);
  try {
    const size = { width: heic.width, height: heic.height };
    requireSize(size.width, size.height);
    return { format: "heic", size, picture: fromRaw(await heic.pixels()) };
  } finally {
    heic.close();
  }
}

function requireSize(width: number, height: number): void {
  if (width * height > maxPicturePixels) throw new Refusal("too_many_pixels");
  if (Math.min(width, height) < minPictureSide) throw new Refusal("too_small");
}

/** EXIF orientations from 5 on lie on their side. */
function shownSize({ width, height, orientation = 1 }: Metadata): Opened["size"] {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

function fromRaw({ data, width, height, channels }: Raw): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPicturePixels });
}

/** The original is decoded once, to the largest of the sizes; the others are made of that. */
async function derive(picture: Sharp) {
  const { full: side } = derivedSizes;
  const { data, info } = await picture
    .timeout({ seconds: decodeSeconds })
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const largest: Raw = {
    data,
    width: info.width,
    height: info.height,
    channels: info.channels,
  };
  const [full, thumbnail, small] = await Promise.all(
    [derivedSizes.full, derivedSizes.thumbnail, derivedSizes.small].map((longer) =>
      fromRaw(largest)
        .resize({ width: longer, height: longer, fit: "inside", withoutEnlargement: true })
        .webp(webp)
        .toBuffer(),
    ),
  );
  return {
    perceptualHash: await perceptualHashOf(fromRaw(largest)),
    files: { full: plain(full), thumbnail: plain(thumbnail), small: plain(small) },
  };
}

async function perceptualHashOf(picture: Sharp): Promise<Uint8Array> {
  const grey = await picture
    .greyscale()
    .resize(hashedSide, hashedSide, { fit: "fill" })
    .raw()
    .toBuffer();
  return dctHash(grey);
}

/** Without the pool of memory that a Buffer may be a window of: it would be copied to the other thread whole. */
function plain(bytes: Buffer | undefined): Uint8Array {
  return new Uint8Array(bytes ?? Buffer.alloc(0));
}
