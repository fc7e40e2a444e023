import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "fontkit";
import type { Font } from "fontkit";

/** In the order in which they are asked for a character. */
const files = [
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff"),
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff"),
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-vietnamese-400-normal.woff"),
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff"),
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff"),
  import.meta.resolve("@fontsource/noto-sans/files/noto-sans-cyrillic-ext-400-normal.woff"),
  import.meta.resolve("@fontsource/kosugi/files/kosugi-japanese-400-normal.woff"),
];

/** A font as labels use it. Its file is read when a text first needs it. */
interface LabelFont {
  readonly name: string;
  readonly bytes: Buffer;
  readonly font: Font;
}

function load(file: string): LabelFont {
  const bytes = readFileSync(fileURLToPath(file));
  const font = create(bytes);
  if ("fonts" in font) throw new Error(`${file} is a collection of fonts`);
  return { name: file.replace(/^.*\/|-400.*$/g, ""), bytes, font };
}

const loaded = new Map<string, LabelFont>();

function fontOf(file: string): LabelFont {
  const known = loaded.get(file) ?? load(file);
  loaded.set(file, known);
  return known;
}

/** A part of a text in one font. */
interface TextRun {
  text: string;
  font: LabelFont;
}

/** What stands for a character that no font has. */
const box = "\u25a1";
const byPoint = new Map<number, LabelFont | null>();

/** The font that has a character; null where none does. */
function fontFor(point: number): LabelFont | null {
  let found = byPoint.get(point);
  if (found === undefined) {
    const file = files.find((one) => fontOf(one).font.hasGlyphForCodePoint(point));
    found = file === undefined ? null : fontOf(file);
    byPoint.set(point, found);
  }
  return found;
}

/** A text in runs of one font each. Characters that no font has become boxes. */
export function runsOf(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text) {
    const known = fontFor(character.codePointAt(0) ?? 0);
    const font = known ?? fontFor(box.codePointAt(0) ?? 0) ?? fontOf(files[0] ?? "");
    const shown = known === null ? box : character;
    const last = runs.at(-1);
    if (last?.font === font) last.text += shown;
    else runs.push({ text: shown, font });
  }
  return runs;
}

/** The characters of a text that no font of ours has. */
export function notCovered(text: string): string[] {
  return Array.from(text).filter((character) => fontFor(character.codePointAt(0) ?? 0) === null);
}

/** How wide a text is at a size, in the size's own unit: the sum of its letters, without kerning. */
export function widthOf(text: string, size: number): number {
  return runsOf(text).reduce((sum, run) => sum + runWidth(run, size), 0);
}

export function runWidth({ text, font }: TextRun, size: number): number {
  let units = 0;
  for (const character of text) units += advanceOf(font, character.codePointAt(0) ?? 0);
  return (units / font.font.unitsPerEm) * size;
}

const advances = new Map<LabelFont, Map<number, number>>();

/** Shaping a text costs a hundred times as much as looking its letters up, and labels measure often. */
function advanceOf(font: LabelFont, point: number): number {
  const known = advances.get(font) ?? new Map<number, number>();
  advances.set(font, known);
  const advance = known.get(point) ?? font.font.glyphForCodePoint(point).advanceWidth;
  known.set(point, advance);
  return advance;
}
