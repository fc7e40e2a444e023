import sharp from "sharp";
import type { OutputInfo, Sharp } from "sharp";

export interface FoundCard {
  /** Grey, upright, without what lies around it. */
  grey: Buffer;
  width: number;
  height: number;
  /** Of the card in the picture as it was given. */
  originalWidth: number;
}

/** The width to which a card is brought: what the text recognition was trained for, and no more. */
const workingWidth = 1_000;
/** Of the picture. Less is a scrap of it, not a card. */
const leastShare = 0.2;
const background = { threshold: 28, lineArt: false } as const;

/**
 * The card in its picture, in grey. A border of one colour is cut away; where there is none, or what is
 * left cannot be a card, it is the whole picture. A picture that lies on its side is turned.
 */
export async function findCard(bytes: Uint8Array): Promise<FoundCard> {
  const whole = await sharp(bytes)
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const trimmed = await opened(whole)
    .trim(background)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => whole);
  const share = (trimmed.info.width * trimmed.info.height) / (whole.info.width * whole.info.height);
  const card = share >= leastShare && isCardLike(trimmed.info) ? trimmed : whole;
  const { width, height } = card.info;
  const isLying = width > height * 1.05;
  const { data, info } = await opened(card)
    .rotate(isLying ? 90 : 0)
    .resize({ width: workingWidth })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const originalWidth = isLying ? height : width;
  return { grey: data, width: info.width, height: info.height, originalWidth };
}

/** Pixels between two steps: to pack them would take longer than to look at them. */
function opened({ data, info }: { data: Buffer; info: OutputInfo }): Sharp {
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** Between a square and twice as high as wide, on whichever side it lies. */
function isCardLike({ width, height }: { width: number; height: number }): boolean {
  const share = Math.min(width, height) / Math.max(width, height);
  return share > 0.45 && share < 0.95;
}
