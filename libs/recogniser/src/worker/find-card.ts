import sharp from "sharp";
import type { OutputInfo, Region, Sharp } from "sharp";

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
/** As wide as a copy in which the card's edges are looked for. */
const searchedWidth = 400;
/** Of the picture. Less is a scrap of it, not a card. */
const leastShare = 0.2;
const background = { threshold: 28, lineArt: false } as const;

/**
 * The card in its picture, in grey. A border of one colour is cut away; where there is none, or what is
 * left cannot be a card, it is the whole picture. A picture that lies on its side is turned.
 */
export async function findCard(bytes: Uint8Array): Promise<FoundCard> {
  const picture = await sharp(bytes)
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const whole = { left: 0, top: 0, width: picture.info.width, height: picture.info.height };
  const found = await withinBorder(picture);
  const share = (found.width * found.height) / (whole.width * whole.height);
  const card = share >= leastShare && isCardLike(found) ? found : whole;
  const isLying = card.width > card.height * 1.05;
  const { data, info } = await opened(picture)
    .extract(card)
    .rotate(isLying ? 90 : 0)
    .resize({ width: workingWidth })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const originalWidth = isLying ? card.height : card.width;
  return { grey: data, width: info.width, height: info.height, originalWidth };
}

/**
 * What is left without a border of one colour. Looked for in a small copy: it takes a quarter of the time,
 * and the grain of a dim photo is no border's end.
 */
async function withinBorder(picture: Picture): Promise<Region> {
  const { width, height } = picture.info;
  const times = Math.max(1, width / searchedWidth);
  const small = await opened(picture)
    .resize({ width: Math.round(width / times) })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = await opened(small)
    .trim(background)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => small);
  const left = Math.round(-(info.trimOffsetLeft ?? 0) * times);
  const top = Math.round(-(info.trimOffsetTop ?? 0) * times);
  return {
    left,
    top,
    width: Math.min(width - left, Math.round(info.width * times)),
    height: Math.min(height - top, Math.round(info.height * times)),
  };
}

interface Picture {
  data: Buffer;
  info: OutputInfo;
}

/** Pixels between two steps: to pack them would take longer than to look at them. */
function opened({ data, info }: Picture): Sharp {
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** Between a square and twice as high as wide, on whichever side it lies. */
function isCardLike({ width, height }: Region): boolean {
  const share = Math.min(width, height) / Math.max(width, height);
  return share > 0.45 && share < 0.95;
}
