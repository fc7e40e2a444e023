import type { LabelTemplate } from "@cardvault/contract";
import { runsOf, runWidth } from "./fonts.ts";
import type { PlacedLabel, PlacedText } from "./layout.ts";
import type { PlacedOnPage } from "./pages.ts";

/**
 * A page as an SVG of its own size. Letters are outlines, so that it looks the same wherever it is opened
 * and needs no font.
 */
export function pageSvg(template: LabelTemplate, labels: readonly PlacedOnPage[]): string {
  const { page_width: width, page_height: height } = template;
  const body = labels.map(({ x, y, label }) => {
    const parts = [barsPath(label), ...label.texts.map(textPaths)].join("");
    return `<g transform="translate(${round(x)} ${round(y)})">${parts}</g>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" ` +
    `viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#fff"/>` +
    `${body.join("")}</svg>`
  );
}

function barsPath({ barcode }: PlacedLabel): string {
  if (barcode === null) return "";
  const bars = barcode.bars.map(
    ({ x, y, width, height }) =>
      `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`,
  );
  return `<path shape-rendering="crispEdges" d="${bars.join("")}"/>`;
}

function textPaths({ text, size, x, baseline }: PlacedText): string {
  let left = x;
  return runsOf(text)
    .map((run) => {
      const { font } = run.font;
      const scale = size / font.unitsPerEm;
      let at = 0;
      const outlines = Array.from(run.text, (character) => {
        const glyph = font.glyphForCodePoint(character.codePointAt(0) ?? 0);
        const moved = `<path transform="translate(${round(at)} 0)" d="${glyph.path.toSVG()}"/>`;
        at += glyph.advanceWidth;
        return moved;
      });
      const group = `<g transform="matrix(${scale.toFixed(6)} 0 0 ${(-scale).toFixed(6)} ${round(left)} ${round(baseline)})">${outlines.join("")}</g>`;
      left += runWidth(run, size);
      return group;
    })
    .join("");
}

/** A thousandth of a millimetre, or of a font's unit, is no printer's. */
function round(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
