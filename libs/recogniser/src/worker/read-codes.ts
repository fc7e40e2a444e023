import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import type { ReadCode } from "../reading.ts";

let isPrepared: Promise<void> | undefined;

/** The package would fetch its binary from a public server: it is given the one that lies beside it. */
async function prepare(): Promise<void> {
  const file = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  const bytes = await readFile(file);
  const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/** Codes of slabs lie anywhere in the picture, so all of it is looked at. */
const longestSide = 1_600;
const mostTextLength = 500;

/** Barcodes and QR codes in a picture. */
export async function readCodes(bytes: Uint8Array): Promise<ReadCode[]> {
  isPrepared ??= prepare();
  await isPrepared;
  const { data, info } = await sharp(bytes)
    .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const image = {
    data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength),
    width: info.width,
    height: info.height,
    colorSpace: "srgb",
  };
  const codes = await readBarcodes(image as unknown as Parameters<typeof readBarcodes>[0], {
    formats: ["QRCode", "MicroQRCode", "DataMatrix", "Code128", "ITF", "PDF417"],
    tryHarder: true,
    maxNumberOfSymbols: 4,
  });
  return codes
    .filter(({ isValid }) => isValid)
    .map(({ format, text }) => ({ format, text: text.slice(0, mostTextLength) }));
}
