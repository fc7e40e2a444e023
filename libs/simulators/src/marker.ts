import { findInvented, inventedId, inventedSets } from "@cardvault/catalogue";
import type { InventedCard, InventedSet } from "@cardvault/catalogue";
import sharp from "sharp";

// A simulated provider knows a card by a strip of light and dark cells along the lower edge of its picture,
// as printing plants print control strips. It survives scaling, WebP and JPEG and a picture upside down,
// so that it arrives through the service's own processing of pictures, which strips all metadata.

/** What the simulated providers make of a sample photo; the place in the list stands in the strip. */
export const sampleOutcomes = [
  /** Both know it: applied. */
  "applied",
  /** Both are unsure: review, `low_confidence`. */
  "low_confidence",
  /** Neither finds a card: both failed. */
  "both_failed",
  /** Image recognition finds none, the model knows it: applied by the model. */
  "generative_only",
  /** Only the set is known: no identification. */
  "set_level",
  /** They say different cards: review, `ambiguous`. */
  "ambiguous",
  /** A slab with its grade: applied, graded. */
  "graded",
  /** Both answer with an error: both failed. */
  "provider_errors",
] as const;
export type SampleOutcome = (typeof sampleOutcomes)[number];

export interface Marked {
  readonly outcome: SampleOutcome;
  readonly cardId: string;
  readonly set: InventedSet;
  readonly card: InventedCard;
}

/** Where the strip is, as shares of the card's width and height. */
export const stripPlace = { left: 0.1, right: 0.9, top: 0.966, bottom: 0.98 } as const;

const sets: readonly InventedSet[] = Object.values(inventedSets);
const sync = [1, 0, 1, 1, 0, 1] as const;
const outcomeBits = 3;
const setBits = 3;
const numberBits = 8;
const checkBits = 8;
const cellCount = sync.length + outcomeBits + setBits + numberBits + checkBits;

/** The strip's cells from left to right: 1 is light. Throws where the catalogue has no such card. */
export function markerCells(cardId: string, outcome: SampleOutcome): readonly (0 | 1)[] {
  const found = findInvented(cardId);
  if (found === null) throw new RangeError(`The invented catalogue has no card ${cardId}.`);
  const value =
    (((sampleOutcomes.indexOf(outcome) << setBits) | sets.indexOf(found.set)) << numberBits) |
    Number(found.card.number);
  return [
    ...sync,
    ...bitsOf(value, outcomeBits + setBits + numberBits),
    ...bitsOf(checkOf(value), checkBits),
  ];
}

const sampleWidth = 640;
const leastContrast = 60;

/** The card that a picture shows by its strip; null where it has none, or is no picture. */
export async function readMarker(bytes: Uint8Array): Promise<Marked | null> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: 60_000_000 })
      .rotate()
      .resize({ width: sampleWidth })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = { data, width: info.width, height: info.height, channels: info.channels };
    return markedBy(cellsOf(picture, false)) ?? markedBy(cellsOf(picture, true));
  } catch {
    return null;
  }
}

interface Picture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

function cellsOf(
  { data, width, height, channels }: Picture,
  upsideDown: boolean,
): (0 | 1)[] | null {
  const at = (x: number, y: number): number => {
    const [column, row] = upsideDown ? [width - 1 - x, height - 1 - y] : [x, y];
    return data[(row * width + column) * channels] ?? 0;
  };
  const middle = Math.round(((stripPlace.top + stripPlace.bottom) / 2) * height);
  const cellWidth = ((stripPlace.right - stripPlace.left) * width) / cellCount;
  const light = Array.from({ length: cellCount }, (_, cell) => {
    const x = Math.round(stripPlace.left * width + (cell + 0.5) * cellWidth);
    let sum = 0;
    for (const [dx, dy] of [
      [-2, 0],
      [0, 0],
      [2, 0],
      [0, -1],
      [0, 1],
    ] as const)
      sum += at(x + dx, middle + dy);
    return sum / 5;
  });
  const [least, most] = [Math.min(...light), Math.max(...light)];
  if (most - least < leastContrast) return null;
  return light.map((value) => (value > (least + most) / 2 ? 1 : 0));
}

function markedBy(cells: readonly (0 | 1)[] | null): Marked | null {
  if (cells === null || sync.some((bit, index) => cells[index] !== bit)) return null;
  const valueBits = outcomeBits + setBits + numberBits;
  const value = numberOf(cells.slice(sync.length, sync.length + valueBits));
  if (checkOf(value) !== numberOf(cells.slice(sync.length + valueBits))) return null;
  const set = sets[(value >> numberBits) & (2 ** setBits - 1)];
  const outcome = sampleOutcomes[value >> (numberBits + setBits)];
  if (set === undefined || outcome === undefined) return null;
  const cardId = inventedId(set, value & (2 ** numberBits - 1));
  const found = findInvented(cardId);
  return found === null ? null : { outcome, cardId, ...found };
}

function bitsOf(value: number, count: number): (0 | 1)[] {
  return Array.from({ length: count }, (_, index) => ((value >> (count - 1 - index)) & 1) as 0 | 1);
}

function numberOf(bits: readonly (0 | 1)[]): number {
  return bits.reduce<number>((value, bit) => value * 2 + bit, 0);
}

/** CRC-8 (polynomial 0x07) over the value's two bytes. */
function checkOf(value: number): number {
  let check = 0xff;
  for (const byte of [value >> 8, value & 0xff]) {
    check ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      check = check & 0x80 ? ((check << 1) ^ 0x07) & 0xff : (check << 1) & 0xff;
    }
  }
  return check;
}
