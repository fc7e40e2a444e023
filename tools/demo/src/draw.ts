import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import opentype from "opentype.js";
import sharp from "sharp";
import { createRandom, type Random } from "./random.ts";

/** What a drawn card shows. */
export interface CardFace {
  readonly title: string;
  readonly setName: string;
  readonly number: string;
  readonly kind: "creatures" | "players";
  readonly hues: readonly [number, number];
  readonly foil: boolean;
  readonly seed: number;
  /** What is printed on top, as SVG: the strip by which the sandbox knows the card. */
  readonly strip?: string | undefined;
}

export const cardWidth = 630;
export const cardHeight = 880;

// Text is drawn as outlines: a fresh machine has no fonts, and a picture must not depend on them.
const fontFile = fileURLToPath(
  import.meta.resolve("@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff"),
);
const fontBytes = readFileSync(fontFile);
const font = opentype.parse(
  fontBytes.buffer.slice(fontBytes.byteOffset, fontBytes.byteOffset + fontBytes.byteLength),
);

/**
 * Draws a card's front as WebP, 630 by 880 pixels (63 by 88 mm, the size of a trading card).
 * The same face always gives the same picture.
 */
export async function drawCard(face: CardFace): Promise<Buffer> {
  return sharp(Buffer.from(cardSvg(face)))
    .webp({ quality: 82, effort: 1 })
    .toBuffer();
}

function cardSvg(face: CardFace): string {
  const random = createRandom(face.seed);
  const [first, second] = face.hues;
  const art =
    face.kind === "creatures"
      ? creatureArt(random, first, second)
      : playerArt(random, first, second);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${cardWidth}" height="${cardHeight}" viewBox="0 0 ${cardWidth} ${cardHeight}">
<defs>
<linearGradient id="frame" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${first},46%,34%)"/><stop offset="1" stop-color="hsl(${second},52%,20%)"/></linearGradient>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${second},55%,24%)"/><stop offset="1" stop-color="hsl(${first},70%,62%)"/></linearGradient>
<linearGradient id="foil" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".32"/><stop offset=".45" stop-color="hsl(${(first + 140) % 360},90%,75%)" stop-opacity=".14"/><stop offset="1" stop-color="hsl(${(second + 220) % 360},90%,70%)" stop-opacity=".34"/></linearGradient>
<clipPath id="window"><rect x="44" y="112" width="542" height="476" rx="14"/></clipPath>
</defs>
<rect width="${cardWidth}" height="${cardHeight}" rx="30" fill="#15161a"/>
<rect x="16" y="16" width="${cardWidth - 32}" height="${cardHeight - 32}" rx="20" fill="url(#frame)"/>
<rect x="44" y="40" width="542" height="58" rx="12" fill="#f6f1e4"/>
${text(fitted(face.title, 500, 38), 62, 82, 38, "#1c1a17")}
<g clip-path="url(#window)"><rect x="44" y="112" width="542" height="476" fill="url(#sky)"/>${art}</g>
<rect x="44" y="112" width="542" height="476" rx="14" fill="none" stroke="#f6f1e4" stroke-width="4"/>
<rect x="44" y="606" width="542" height="190" rx="12" fill="#f6f1e4"/>
${rules(random)}
${text(face.setName, 62, 838, 26, "#f6f1e4")}
${text(face.number, cardWidth - 62 - advance(face.number, 26), 838, 26, "#f6f1e4")}
${face.foil ? `<rect x="16" y="16" width="${cardWidth - 32}" height="${cardHeight - 32}" rx="20" fill="url(#foil)"/>` : ""}
${face.strip ?? ""}
</svg>`;
}

function text(value: string, x: number, y: number, size: number, fill: string): string {
  return `<path d="${font.getPath(value, x, y, size).toPathData(1)}" fill="${fill}"/>`;
}

function advance(value: string, size: number): number {
  return font.getAdvanceWidth(value, size);
}

/** Cuts at a word's end so that the title stays within its plate. */
function fitted(value: string, maxWidth: number, size: number): string {
  let words = value.split(" ");
  while (words.length > 1 && advance(words.join(" "), size) > maxWidth) words = words.slice(0, -1);
  return words.join(" ");
}

/** Lines that stand for the rules text. */
function rules(random: Random): string {
  const lines: string[] = [];
  for (let line = 0; line < 5; line += 1) {
    const length = line === 4 ? random.between(120, 300) : random.between(400, 490);
    lines.push(
      `<rect x="68" y="${634 + line * 30}" width="${length}" height="9" rx="4" fill="#b9b0a0"/>`,
    );
  }
  return lines.join("");
}

function creatureArt(random: Random, first: number, second: number): string {
  const parts: string[] = [];
  parts.push(
    `<circle cx="${random.between(140, 490)}" cy="${random.between(180, 270)}" r="${random.between(44, 86)}" fill="hsl(${first},90%,82%)" opacity=".85"/>`,
  );
  for (let ridge = 0; ridge < 4; ridge += 1) {
    const base = 360 + ridge * 62;
    const points = [`44,600`];
    for (let x = 44; x <= 600; x += 46) points.push(`${x},${base + random.between(-46, 46)}`);
    points.push(`600,600`);
    parts.push(
      `<polygon points="${points.join(" ")}" fill="hsl(${second},${38 + ridge * 5}%,${40 - ridge * 8}%)" opacity=".92"/>`,
    );
  }
  // The creature: a spine of shrinking discs with fins, different for every seed.
  const bend = random.between(-60, 60);
  const joints = random.between(9, 14);
  for (let joint = joints; joint >= 0; joint -= 1) {
    const along = joint / joints;
    const x = 150 + along * 330 + Math.sin(along * 6 + bend) * 46;
    const y = 420 - Math.sin(along * Math.PI) * random.between(90, 150) + bend * (1 - along);
    const r = 54 - along * 36;
    if (joint % 2 === 0) {
      parts.push(
        `<polygon points="${x - 12},${y} ${x + random.between(-40, 10)},${y - r - random.between(30, 78)} ${x + 20},${y - 4}" fill="hsl(${first},82%,${30 + along * 26}%)"/>`,
      );
    }
    parts.push(
      `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${first},${64 + joint}%,${44 + along * 16}%)"/>`,
    );
    if (joint === 0) {
      parts.push(
        `<circle cx="${x - 16}" cy="${y - 12}" r="9" fill="#fff6da"/><circle cx="${x - 18}" cy="${y - 12}" r="4" fill="#16130f"/>`,
      );
    }
  }
  return parts.join("");
}

function playerArt(random: Random, first: number, second: number): string {
  const lean = random.between(-26, 26);
  const skin = `hsl(${random.between(20, 32)},${random.between(32, 52)}%,${random.between(34, 70)}%)`;
  const stands: string[] = [];
  for (let row = 0; row < 7; row += 1) {
    for (let seat = 0; seat < 18; seat += 1) {
      if (random.chance(0.55)) {
        stands.push(
          `<circle cx="${56 + seat * 31}" cy="${136 + row * 22}" r="7" fill="hsl(${random.between(0, 359)},28%,${random.between(42, 70)}%)" opacity=".5"/>`,
        );
      }
    }
  }
  return `${stands.join("")}
<rect x="44" y="300" width="542" height="60" fill="hsl(${second},30%,26%)"/>
<rect x="44" y="356" width="542" height="240" fill="hsl(104,36%,34%)"/>
<ellipse cx="315" cy="580" rx="330" ry="96" fill="hsl(28,44%,48%)"/>
<g transform="translate(${lean} 0) rotate(${lean / 4} 315 460)">
<path d="M232 600 L244 396 Q315 350 386 396 L398 600 Z" fill="hsl(${first},58%,88%)"/>
<path d="M262 392 L262 600 M315 378 L315 600 M368 392 L368 600" stroke="hsl(${first},52%,42%)" stroke-width="5"/>
<rect x="292" y="330" width="46" height="52" fill="${skin}"/><ellipse cx="315" cy="296" rx="56" ry="66" fill="${skin}"/>
<path d="M256 286 Q260 214 315 214 Q370 214 374 286 Z" fill="hsl(${first},60%,34%)"/><path d="M250 284 Q315 262 ${390 + lean} 290 L${396 + lean} 302 Q315 280 252 298 Z" fill="hsl(${first},60%,24%)"/>
<path d="M376 420 Q440 ${380 + lean} 452 300" stroke="hsl(${first},58%,88%)" stroke-width="46" stroke-linecap="round" fill="none"/>
<path d="M452 320 L${500 + lean} 140" stroke="hsl(30,48%,42%)" stroke-width="20" stroke-linecap="round"/>
</g>`;
}
