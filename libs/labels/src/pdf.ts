import { setImmediate } from "node:timers/promises";
import type { Readable } from "node:stream";
import type { LabelTemplate } from "@cardvault/contract";
import PdfKit from "pdfkit";
import { runsOf, runWidth } from "./fonts.ts";
import type { PlacedLabel } from "./layout.ts";
import type { PlacedOnPage } from "./pages.ts";

const pointsPerMm = 72 / 25.4;

/**
 * The pages as a PDF, written while they are read: a page is drawn when the one before has been taken.
 * The fonts that the texts need are embedded, as far as they are used.
 */
export function pagesPdf(
  template: LabelTemplate,
  pages: Iterable<readonly PlacedOnPage[]>,
  title: string,
): Readable {
  const document = new PdfKit({
    autoFirstPage: false,
    margin: 0,
    size: [template.page_width * pointsPerMm, template.page_height * pointsPerMm],
    info: { Title: title, Producer: "Card Vault", Creator: "Card Vault" },
  });
  void draw(document, pages).catch((error: unknown) => {
    document.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return document;
}

async function draw(
  document: PDFKit.PDFDocument,
  pages: Iterable<readonly PlacedOnPage[]>,
): Promise<void> {
  const stream: Readable = document;
  const known = new Set<string>();
  for (const labels of pages) {
    document.addPage();
    document.scale(pointsPerMm);
    for (const { x, y, label } of labels) {
      document.save().translate(x, y);
      drawLabel(document, label, known);
      document.restore();
    }
    do {
      await setImmediate();
      if (stream.destroyed) return;
    } while (stream.readableLength > highWaterBytes);
  }
  document.end();
}

const highWaterBytes = 1024 * 1024;

function drawLabel(
  document: PDFKit.PDFDocument,
  { barcode, texts }: PlacedLabel,
  known: Set<string>,
): void {
  if (barcode !== null) {
    for (const { x, y, width, height } of barcode.bars) document.rect(x, y, width, height);
    document.fill("#000");
  }
  for (const { text, size, x, baseline } of texts) {
    let left = x;
    for (const run of runsOf(text)) {
      const { name, bytes } = run.font;
      if (!known.has(name)) document.registerFont(name, bytes);
      known.add(name);
      document.font(name).fontSize(size);
      document.text(run.text, left, baseline, { lineBreak: false, baseline: "alphabetic" });
      left += runWidth(run, size);
    }
  }
}
