import { dctHash, giveWayWhileDecoding, hashedSide, turnedGrey } from "@cardvault/photos";
import sharp from "sharp";
import { certificateIn, nameLinesIn, numbersIn } from "../parse-text.ts";
import type { CardReading } from "../reading.ts";
import { findCard } from "./find-card.ts";
import type { FoundCard } from "./find-card.ts";
import { readCodes } from "./read-codes.ts";
import { nameCrops, numberCrops, readCrops } from "./read-text.ts";

sharp.concurrency(1);
sharp.cache(false);
giveWayWhileDecoding();

export interface ReadTask {
  bytes: Uint8Array;
  /** Only its hashes are wanted. */
  isHashOnly?: boolean | undefined;
}

/** Runs in a worker thread: everything that one picture of a card says. */
export async function readCard({ bytes, isHashOnly = false }: ReadTask): Promise<CardReading> {
  const card = await findCard(bytes);
  const hashes = await hashesOf(card);
  const nothing = { nameLines: [], numbers: [], codes: [], certificate: null };
  if (isHashOnly) return { ...nothing, hashes, cardWidth: card.originalWidth };
  const codes = await readCodes(bytes);
  const upright = await readTexts(card);
  // Nothing that looks like a number: perhaps it was laid the other way round.
  const texts =
    upright.numbers.length > 0 ? upright : better(upright, await readTexts(turned(card)));
  return {
    ...texts,
    codes,
    certificate: certificateIn(codes),
    hashes,
    cardWidth: card.originalWidth,
  };
}

type Texts = Pick<CardReading, "nameLines" | "numbers">;

async function readTexts(card: FoundCard): Promise<Texts> {
  const numbers = numbersIn(await readCrops(card, numberCrops));
  if (numbers.length === 0) return { nameLines: [], numbers };
  return { nameLines: nameLinesIn(await readCrops(card, nameCrops)), numbers };
}

function better(one: Texts, other: Texts): Texts {
  return other.numbers.length > 0 ? other : one;
}

function turned(card: FoundCard): FoundCard {
  return { ...card, grey: Buffer.from(turnedGrey(card.grey)) };
}

async function hashesOf(card: FoundCard): Promise<CardReading["hashes"]> {
  const { grey, width, height } = card;
  const small = await sharp(grey, { raw: { width, height, channels: 1 } })
    .resize(hashedSide, hashedSide, { fit: "fill" })
    .greyscale()
    .raw()
    .toBuffer();
  return [dctHash(small), dctHash(turnedGrey(small))];
}
