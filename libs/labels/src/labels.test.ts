import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { labelTemplate, labelTemplateNames } from "@cardvault/contract";
import type { LabelBarcode } from "@cardvault/contract";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import {
  countPages,
  listTemplates,
  pageOf,
  pagesOf,
  pagesPdf,
  pageSvg,
  templateOf,
} from "./index.ts";
import type { LabelContent } from "./index.ts";
import { placeLabel } from "./layout.ts";
import type { Box } from "./layout.ts";

const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
const wasmBinary = new Uint8Array(readFileSync(wasm)).buffer;
prepareZXingModule({ overrides: { wasmBinary } });

const card = (code: string): LabelContent => ({
  code,
  lines: ["Charged Serpent, the Keeper of the Storm Harbour", "Storm Harbour 12/180", "Near mint"],
});

/** sharp draws a millimetre with this density squared by 72 × 25.4: 300 dpi. */
const density = Math.sqrt(300 * 72);

/** What a scanner reads from the page's first row as it would be printed at 300 dpi. */
async function scan(svg: string): Promise<string[]> {
  const printed = sharp(Buffer.from(svg), { density }).flatten({ background: "#fff" });
  const { width, height } = await sharp(Buffer.from(svg), { density }).metadata();
  const { data, info } = await printed
    .extract({ left: 0, top: 0, width, height: height < 1_900 ? height : 640 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(data);
  const picture = { data: pixels, width: info.width, height: info.height, colorSpace: "srgb" };
  const found = await readBarcodes(picture as ImageData, {
    maxNumberOfSymbols: 255,
    formats: ["Code128", "QRCode", "DataMatrix"],
    tryHarder: true,
  });
  return found.map(({ text }) => text).toSorted();
}

describe("a scanner reads what a label says", () => {
  const cases = labelTemplateNames.flatMap((name) =>
    (["code128", "qr", "datamatrix"] as const).map((barcode) => [name, barcode] as const),
  );
  test.each(cases)("%s, %s", async (name, barcode) => {
    const template = templateOf(name);
    const codes = ["B47-00412", "LOC:A-03"];
    const labels = codes.map(card);
    const svg = pageSvg(
      template,
      pageOf({ template, barcode, labels: [card("B47-00412")], skip: 0 }, 1),
    );
    expect(await scan(svg)).toEqual(["B47-00412"]);
    if (template.columns > 1) {
      const two = pageSvg(template, pageOf({ template, barcode, labels, skip: 0 }, 1));
      expect(await scan(two)).toEqual(codes);
    }
  });

  test("a location that is not Latin, in QR", async () => {
    const template = templateOf("avery_l7160");
    const labels = [card("LOC:棚/ピカ")];
    const [page = []] = pagesOf({ template, barcode: "code128", labels, skip: 0 });
    expect(page[0]?.label).toMatchObject({ isQrInstead: true, notCovered: [] });
    expect(await scan(pageSvg(template, page))).toEqual(["LOC:棚/ピカ"]);
  });
});

test("a PDF has its pages, and fonts embedded; thousands of labels stay small", async () => {
  const template = templateOf("avery_5160");
  const labels = Array.from({ length: 2_000 }, (_, index) => card(`B47-${index}`));
  labels[5] = { code: "B47-JP", lines: ["ピカチュウ", "Ελλάς Україна Příliš"] };
  const sheets = { template, barcode: "code128", labels, skip: 4 } as const;
  const pdf = await buffer(pagesPdf(template, pagesOf(sheets), "Labels"));
  const text = pdf.toString("latin1");
  expect(text.startsWith("%PDF-")).toBe(true);
  expect(text.match(/\/Type \/Page\b/g)).toHaveLength(countPages(sheets));
  expect(text.match(/\/FontFile[23]?\b/g)?.length).toBeGreaterThanOrEqual(4);
  expect(pdf.length).toBeLessThan(4 * 1024 * 1024);
});

test("a PDF that nobody reads to the end stops being drawn", async () => {
  const template = templateOf("zebra_2x1");
  let drawn = 0;
  function* endless() {
    for (;;) {
      drawn += 1;
      yield* pagesOf({ template, barcode: "qr", labels: [card(`N${drawn}`)], skip: 0 });
    }
  }
  const stream = pagesPdf(template, endless(), "Labels");
  for await (const chunk of stream) {
    expect(chunk).toBeDefined();
    if (drawn > 20) break;
  }
  expect(stream.destroyed).toBe(true);
});

test("what no font has is a box, and is said", () => {
  const { notCovered, texts } = placeLabel(
    { code: "A", lines: ["한국어 x"] },
    templateOf("avery_l7160"),
    "code128",
  );
  expect(notCovered.join("")).toBe("한국어");
  expect(texts[0]?.text).toBe("한국어 x");
});

test("every template is one that may be given, and its skipped places stay empty", () => {
  for (const { template } of listTemplates()) {
    expect(labelTemplate.parse(template)).toEqual(template);
    const perPage = template.columns * template.rows;
    const labels = Array.from({ length: perPage }, () => card("A"));
    const sheets = { template, barcode: "none" as const, labels, skip: perPage - 1 };
    expect(countPages(sheets)).toBe(perPage === 1 ? 1 : 2);
    expect(pageOf(sheets, 1)).toHaveLength(1);
    expect(pageOf(sheets, 2)).toHaveLength(perPage - 1);
  }
});

const overlap = (one: Box, other: Box) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 1e-3 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > 1e-3;

test("nothing lies over anything else, or off the label, whatever is printed", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.lorem({ maxCount: 20 }),
    fc.constantFrom("ピカチュウの大冒険とその仲間たちの物語", "W".repeat(120)),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...labelTemplateNames),
      fc.constantFrom<LabelBarcode>("code128", "qr", "datamatrix", "none"),
      fc.stringMatching(/^[!-~]{1,50}$/),
      fc.array(line, { maxLength: 6 }),
      (name, barcode, code, lines) => {
        const template = templateOf(name);
        const label = placeLabel({ code, lines }, template, barcode);
        const boxes: Box[] = [...label.texts, ...(label.barcode === null ? [] : [label.barcode])];
        for (const [index, box] of boxes.entries()) {
          expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width).toBeLessThanOrEqual(template.label_width + 1e-3);
          expect(box.y + box.height).toBeLessThanOrEqual(template.label_height + 1e-3);
          expect(boxes.slice(index + 1).filter((other) => overlap(box, other))).toEqual([]);
        }
      },
    ),
    { numRuns: 300 },
  );
});
