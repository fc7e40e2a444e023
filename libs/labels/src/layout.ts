import type { LabelBarcode, LabelTemplate } from "@cardvault/contract";
import { barcodeOf, fitsCode128 } from "./barcode.ts";
import type { Barcode } from "./barcode.ts";
import { notCovered, widthOf } from "./fonts.ts";

/** What is printed on a label. The first line is the largest; the last ones go where there is no room. */
export interface LabelContent {
  /** What the barcode says. */
  code: string;
  lines: readonly string[];
}

/** In millimetres from the label's upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedText extends Box {
  text: string;
  /** Of the type, in millimetres. */
  size: number;
  baseline: number;
}

export interface PlacedLabel {
  /** With its quiet zone. */
  barcode: (Box & { kind: Barcode["kind"]; bars: readonly Box[] }) | null;
  texts: readonly PlacedText[];
  /** The Code 128 that was asked for does not fit, or cannot say this. */
  isQrInstead: boolean;
  notCovered: readonly string[];
}

const pointMm = 25.4 / 72;
const largest = 12 * pointMm;
const smallest = 5 * pointMm;
const lineHeight = 1.25;
/** How far letters reach above their baseline, of the size: with accents, and Japanese ones too. */
const ascent = 1;
/** The narrowest bar that common scanners read. */
const leastModule = 0.17;
const mostModule = { code128: 0.5, qr: 1, datamatrix: 1 } as const;

/** Puts a barcode and as much text as there is room for on a label; nothing lies over anything else. */
export function placeLabel(
  content: LabelContent,
  template: Pick<LabelTemplate, "label_width" | "label_height" | "dot">,
  wanted: LabelBarcode,
): PlacedLabel {
  const padding = Math.min(2, template.label_height * 0.08);
  const inner: Box = {
    x: padding,
    y: padding,
    width: template.label_width - 2 * padding,
    height: template.label_height - 2 * padding,
  };
  const missing = [content.code, ...content.lines].flatMap((line) => notCovered(line));
  const common = { notCovered: missing, isQrInstead: false };
  if (wanted === "none") {
    return { ...common, barcode: null, texts: placeTexts(content.lines, inner) };
  }
  if (wanted === "code128") {
    const placed = placeLinear(content, inner, template.dot);
    if (placed !== null) return { ...common, ...placed };
  }
  const kind = wanted === "datamatrix" ? wanted : "qr";
  const placed = placeMatrix(content, inner, template.dot, kind);
  return { ...common, ...placed, isQrInstead: wanted === "code128" };
}

/** Bars over the whole width below, what they say under them, the rest above. */
function placeLinear({ code, lines }: LabelContent, inner: Box, dot: number | null) {
  if (!fitsCode128(code)) return null;
  const bars = barcodeOf("code128", code);
  const module = moduleWidth(bars, inner.width, dot);
  if (module === null) return null;
  const said = placeTexts([code], { ...inner, height: Math.min(smallest * 2, inner.height * 0.2) });
  const [text] = said;
  const saidHeight = text === undefined ? 0 : text.height;
  const height = Math.min(15, Math.max(4, (inner.height - saidHeight) * 0.5));
  const width = bars.width * module;
  const box = {
    x: inner.x + (inner.width - width) / 2,
    y: inner.y + inner.height - saidHeight - height,
    width,
    height,
  };
  const above = { ...inner, height: box.y - inner.y - 0.5 };
  const below =
    text === undefined
      ? []
      : [
          {
            ...text,
            x: inner.x + (inner.width - text.width) / 2,
            y: inner.y + inner.height - saidHeight,
            baseline: text.baseline - text.y + inner.y + inner.height - saidHeight,
          },
        ];
  return {
    barcode: { ...box, kind: bars.kind, bars: scaled(bars, box, module, height) },
    texts: [...placeTexts(lines, above), ...below],
  };
}

/** A square at the left, or above where the label is high, and the text in what is left. */
function placeMatrix(
  { code, lines }: LabelContent,
  inner: Box,
  dot: number | null,
  kind: "qr" | "datamatrix",
) {
  const bars = barcodeOf(kind, code);
  const isHigh = inner.height > inner.width;
  const room = isHigh
    ? Math.min(inner.width, inner.height * 0.55)
    : Math.min(inner.height, inner.width * 0.5);
  // One that is too large for the label is drawn as it fits: better a small code than none.
  const module = moduleWidth(bars, room, dot) ?? room / bars.width;
  const side = bars.width * module;
  const box = {
    x: isHigh ? inner.x + (inner.width - side) / 2 : inner.x,
    y: isHigh ? inner.y : inner.y + (inner.height - side) / 2,
    width: side,
    height: side,
  };
  const rest: Box = isHigh
    ? { ...inner, y: box.y + side + 1, height: inner.height - side - 1 }
    : { ...inner, x: box.x + side + 1, width: inner.width - side - 1 };
  const all = lines.includes(code) ? lines : [...lines, code];
  return {
    barcode: { ...box, kind, bars: scaled(bars, box, module, module) },
    texts: placeTexts(all, rest),
  };
}

/** Whole dots of the printer where it has some; null where bars would be too narrow to be read. */
function moduleWidth({ kind, width }: Barcode, room: number, dot: number | null): number | null {
  const wanted = Math.min(room / width, mostModule[kind]);
  const module = dot === null ? wanted : Math.floor(wanted / dot + 1e-9) * dot;
  return module < leastModule ? null : module;
}

function scaled(code: Barcode, box: Box, module: number, height: number): Box[] {
  return code.bars.map((bar) => ({
    x: box.x + bar.x * module,
    y: box.y + bar.y * height,
    width: bar.width * module,
    height: bar.height * height,
  }));
}

/**
 * Lines one under the other, each as large as it fits: first smaller, then cut with an ellipsis. A first
 * line that is too long is broken in two where there is room. Lines that no room is left for go.
 */
function placeTexts(lines: readonly string[], room: Box): PlacedText[] {
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (room.width <= 0 || filled.length === 0) return [];
  const broken = filled.flatMap((line, index) =>
    index === 0 ? brokenInTwo(line, room, filled.length) : [line],
  );
  const rowsAtSmallest = Math.floor(room.height / (smallest * lineHeight));
  const shown = broken.slice(0, rowsAtSmallest);
  const firsts = broken.length - filled.length + 1;
  const weight = (index: number) => (index < firsts ? 1 : 0.8);
  const total = shown.reduce((sum, _, index) => sum + weight(index), 0) * lineHeight;
  const unit = Math.min(largest, room.height / Math.max(total, 1e-9));
  let y = room.y;
  const placed: PlacedText[] = [];
  for (const [index, line] of shown.entries()) {
    const size = Math.max(smallest, unit * weight(index));
    const height = size * lineHeight;
    if (y + height > room.y + room.height + 1e-6) break;
    placed.push(fitted(line, { x: room.x, y, width: room.width, height }, size));
    y += height;
  }
  return placed;
}

function fitted(line: string, room: Box, size: number): PlacedText {
  const full = widthOf(line, size);
  const fitting = Math.max(smallest, Math.min(size, (size * room.width) / Math.max(full, 1e-9)));
  const text = widthOf(line, fitting) <= room.width + 1e-6 ? line : cut(line, room.width, fitting);
  return {
    text,
    size: fitting,
    x: room.x,
    y: room.y,
    width: widthOf(text, fitting),
    height: room.height,
    baseline: room.y + fitting * ascent,
  };
}

function cut(line: string, width: number, size: number): string {
  const characters = Array.from(line);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const text = `${characters.slice(0, middle).join("").trimEnd()}…`;
    if (widthOf(text, size) <= width) low = middle;
    else high = middle - 1;
  }
  if (low === 0) return widthOf("…", size) <= width ? "…" : "";
  return `${characters.slice(0, low).join("").trimEnd()}…`;
}

/** At the space that leaves the two parts most alike, where the line would have to shrink by much. */
function brokenInTwo(line: string, room: Box, lineCount: number): string[] {
  const isRoomy = room.height >= (lineCount + 1) * smallest * lineHeight * 1.2;
  if (!isRoomy || widthOf(line, largest * 0.8) <= room.width) return [line];
  const spaces = [...line.matchAll(/\s+/g)].map(({ index }) => index);
  const [best] = spaces.toSorted(
    (one, other) => Math.abs(line.length / 2 - one) - Math.abs(line.length / 2 - other),
  );
  return best === undefined ? [line] : [line.slice(0, best), line.slice(best).trim()];
}
