import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { createWorker, OEM, PSM } from "tesseract.js";
import type { Worker } from "tesseract.js";
import type { FoundCard } from "./find-card.ts";

const require = createRequire(import.meta.url);
/** The trained data come from their package: nothing is fetched. */
const langPath = join(
  dirname(require.resolve("@tesseract.js-data/eng/package.json")),
  "4.0.0_best_int",
);

let worker: Promise<Worker> | undefined;

function reader(): Promise<Worker> {
  worker ??= createReader();
  return worker;
}

async function createReader(): Promise<Worker> {
  const made = await createWorker("eng", OEM.LSTM_ONLY, {
    langPath,
    gzip: true,
    cacheMethod: "none",
    errorHandler: () => undefined,
  });
  // It tells the console of what it guesses.
  await made.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK, ...quiet });
  return made;
}

const quiet: Record<string, string> = { debug_file: "/dev/null" };

/** A part of the card, in shares of its width and height. */
interface Crop {
  left: number;
  top: number;
  width: number;
  height: number;
  /** How many times larger it is read: letters of some 30 pixels are read best. */
  scale: number;
}

const upperEdge = { left: 0.03, top: 0.025, width: 0.94, height: 0.1 } as const;
/** Where cards have their name. */
export const nameCrops: readonly Crop[] = [
  { ...upperEdge, scale: 0.6 },
  { ...upperEdge, scale: 1 },
  // Within the frame: a short name beside a dark edge is not seen as a line.
  { left: 0.09, top: 0.045, width: 0.5, height: 0.065, scale: 0.8 },
];

const lowerLeft = { left: 0.02, top: 0.9, width: 0.5, height: 0.085 } as const;
const lowerRight = { ...lowerLeft, left: 0.48 } as const;
const lowerEdge = { left: 0.02, top: 0.935, width: 0.96, height: 0.055 } as const;
/** Where cards have their number: the lower edge, left or right, in letters large or small. */
export const numberCrops: readonly Crop[] = [
  { ...lowerRight, scale: 1.2 },
  { ...lowerLeft, scale: 1.2 },
  { ...lowerRight, scale: 2.2 },
  { ...lowerLeft, scale: 2.2 },
  { ...lowerEdge, scale: 1.7 },
  { ...lowerEdge, scale: 3 },
];

/** Reads crops of a card, one after the other: the thread's own tesseract does one at a time. */
export async function readCrops(card: FoundCard, crops: readonly Crop[]): Promise<string[]> {
  const tesseract = await reader();
  const texts: string[] = [];
  for (const crop of crops) {
    const image = await cropped(card, crop);
    const { data } = await tesseract.recognize(image);
    texts.push(data.text);
  }
  return texts;
}

async function cropped(card: FoundCard, crop: Crop): Promise<Buffer> {
  const { grey, width, height } = card;
  const area = {
    left: Math.round(crop.left * width),
    top: Math.round(crop.top * height),
    width: Math.round(crop.width * width),
    height: Math.round(crop.height * height),
  };
  const part = await sharp(grey, { raw: { width, height, channels: 1 } })
    .extract(area)
    .resize({ width: Math.round(area.width * crop.scale), kernel: "cubic" })
    .normalise()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: wide, height: high, channels } = part.info;
  const picture = sharp(part.data, { raw: { width: wide, height: high, channels } }).greyscale();
  // Letters at the very edge are not seen as letters, and without a resolution one is guessed at length.
  return picture
    .extend({ top: 12, bottom: 12, left: 12, right: 12, background: "#ffffff" })
    .withMetadata({ density: 300 })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
