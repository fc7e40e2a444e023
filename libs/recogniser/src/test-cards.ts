import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import opentype from "opentype.js";
import sharp from "sharp";

/** A card that a test draws: text as outlines, because a fresh machine has no fonts. */
export interface TestCard {
  name: string;
  number: string;
  seed: number;
}

const fontFile = fileURLToPath(
  import.meta.resolve("@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff"),
);
const bytes = readFileSync(fontFile);
const font = opentype.parse(
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
);

const text = (value: string, x: number, y: number, size: number, fill: string): string =>
  `<path d="${font.getPath(value, x, y, size).toPathData(1)}" fill="${fill}"/>`;

/** 900 × 1257 pixels: name on top, art that follows from the seed, number at the lower left. */
export function drawTestCard({ name, number, seed }: TestCard): Promise<Buffer> {
  const at = (n: number, most: number): number => (seed * 7919 + n * 104_729) % most;
  const shapes = Array.from({ length: 14 }, (_, n) => {
    const place = `cx="${60 + at(n, 780)}" cy="${170 + at(n + 31, 620)}" r="${30 + at(n + 17, 130)}"`;
    return `<circle ${place} fill="hsl(${at(n + 5, 360)} 55% ${25 + at(n + 3, 50)}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1257">
<rect width="900" height="1257" rx="36" fill="#1b1d24"/><rect x="26" y="26" width="848" height="1205" rx="24" fill="#efe7d2"/>
<clipPath id="art"><rect x="60" y="150" width="780" height="640"/></clipPath>
<rect x="60" y="150" width="780" height="640" fill="hsl(${at(1, 360)} 40% 70%)"/><g clip-path="url(#art)">${shapes.join("")}</g>
${text(name, 66, 116, 54, "#17181c")}${text("STAGE 1", 700, 110, 26, "#6a6250")}
${text("Draw two cards, then discard one.", 66, 880, 34, "#3a3730")}
${text(number, 66, 1196, 30, "#17181c")}${text("Illus. N. Body", 620, 1196, 22, "#6a6250")}</svg>`;
  return sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
}

/** What happens to a card before it is a photo: laid on a table, dimmed, blurred, with glare, as JPEG. */
export async function photographed(
  card: Buffer,
  how: { turned?: boolean; blur?: number; glare?: boolean; quality?: number; width?: number } = {},
): Promise<Buffer> {
  const { turned = false, blur = 0, glare = false, quality = 80, width = 900 } = how;
  let picture = await sharp(card)
    .rotate(turned ? 180 : 0)
    .resize(width)
    .toBuffer();
  if (glare) {
    const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><defs><radialGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity=".75"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><circle cx="${width * 0.65}" cy="${width * 0.55}" r="${width * 0.3}" fill="url(#g)"/></svg>`;
    picture = await sharp(picture)
      .composite([{ input: Buffer.from(light), left: 0, top: 0 }])
      .toBuffer();
  }
  const laid = sharp(picture).extend({
    top: 70,
    bottom: 90,
    left: 80,
    right: 60,
    background: "#3c3a36",
  });
  const seen = sharp(await laid.toBuffer()).modulate({ brightness: 0.93 });
  return (blur > 0 ? seen.blur(blur) : seen).jpeg({ quality }).toBuffer();
}
