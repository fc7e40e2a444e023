import type { LabelBarcode } from "@cardvault/contract";
import bwipjs from "bwip-js/node";

/** Dark modules as rectangles, in modules; the quiet zone that scanners need is around them. */
export interface Barcode {
  kind: Exclude<LabelBarcode, "none">;
  /** With the quiet zone. A linear code's height is whatever there is room for: 1. */
  width: number;
  height: number;
  bars: readonly { x: number; y: number; width: number; height: number }[];
}

const quiet = { code128: 10, qr: 4, datamatrix: 2 } as const;

/** Code 128 holds what a keyboard types; the rest of ISO 8859-1 would confuse many scanners. */
export function fitsCode128(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

/** The bars of a text: ISO/IEC 15417, 18004 or 16022. */
export function barcodeOf(kind: Barcode["kind"], text: string): Barcode {
  return kind === "code128" ? linear(text) : matrix(kind, text);
}

function linear(text: string): Barcode {
  const [symbol] = bwipjs.raw({ bcid: "code128", text });
  if (symbol === undefined || !("sbs" in symbol)) throw new Error("No bars were drawn");
  const bars: { x: number; y: number; width: number; height: number }[] = [];
  let x: number = quiet.code128;
  for (const [index, width] of symbol.sbs.entries()) {
    if (index % 2 === 0) bars.push({ x, y: 0, width, height: 1 });
    x += width;
  }
  return { kind: "code128", width: x + quiet.code128, height: 1, bars };
}

function matrix(kind: "qr" | "datamatrix", text: string): Barcode {
  const options = kind === "qr" ? { bcid: "qrcode", eclevel: "M" } : { bcid: "datamatrix" };
  const [symbol] = bwipjs.raw({ ...options, text });
  if (symbol === undefined || !("pixs" in symbol)) throw new Error("No modules were drawn");
  const { pixs, pixx, pixy } = symbol;
  const zone = quiet[kind];
  const bars: { x: number; y: number; width: number; height: number }[] = [];
  for (let y = 0; y < pixy; y += 1) {
    for (let x = 0; x < pixx; x += 1) {
      if (pixs[y * pixx + x] !== 1) continue;
      const last = bars.at(-1);
      // Neighbours are one rectangle: no printer leaves a hair between them.
      if (last !== undefined && last.y === y + zone && last.x + last.width === x + zone) {
        last.width += 1;
      } else {
        bars.push({ x: x + zone, y: y + zone, width: 1, height: 1 });
      }
    }
  }
  return { kind, width: pixx + 2 * zone, height: pixy + 2 * zone, bars };
}
