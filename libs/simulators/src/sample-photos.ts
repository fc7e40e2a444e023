import sharp from "sharp";
import { markerCells, sampleOutcomes, stripPlace } from "./marker.ts";
import type { SampleOutcome } from "./marker.ts";

const width = 630;
const height = 880;

/** The photos that come with the sandbox: for each outcome one card of the invented catalogue. */
export const samplePhotos: readonly { readonly cardId: string; readonly outcome: SampleOutcome }[] =
  sampleOutcomes.map((outcome, index) => ({ cardId: `EMC-${12 + index * 9}`, outcome }));

/** The strip as SVG, for a picture of this size. */
export function markerSvg(
  cardId: string,
  outcome: SampleOutcome,
  size: { width: number; height: number } = { width, height },
): string {
  const cells = markerCells(cardId, outcome);
  const left = stripPlace.left * size.width;
  const cellWidth = ((stripPlace.right - stripPlace.left) * size.width) / cells.length;
  const top = stripPlace.top * size.height;
  const stripHeight = (stripPlace.bottom - stripPlace.top) * size.height;
  const light = cells.flatMap((cell, index) =>
    cell === 1
      ? [
          `<rect x="${(left + index * cellWidth).toFixed(2)}" y="${top.toFixed(2)}" width="${cellWidth.toFixed(2)}" height="${stripHeight.toFixed(2)}"/>`,
        ]
      : [],
  );
  const ground = `<rect x="${(left - cellWidth).toFixed(2)}" y="${top.toFixed(2)}" width="${(cellWidth * (cells.length + 2)).toFixed(2)}" height="${stripHeight.toFixed(2)}" fill="#101014"/>`;
  return `<g shape-rendering="crispEdges">${ground}<g fill="#f4f4f0">${light.join("")}</g></g>`;
}

/** Draws a sample photo as JPEG, 630 by 880 pixels. The same card and outcome give the same picture. */
export function drawSamplePhoto(cardId: string, outcome: SampleOutcome): Promise<Buffer> {
  const hue = Buffer.from(cardId).reduce((sum, byte) => sum + byte * 17, 0);
  const rings = Array.from({ length: 7 }, (_, ring) => {
    const x = 120 + ((hue * (ring + 3)) % 390);
    const y = 200 + ((hue * (ring + 5)) % 300);
    return `<circle cx="${x}" cy="${y}" r="${30 + ((hue + ring * 29) % 90)}" fill="hsl(${(hue + ring * 47) % 360},70%,${35 + ring * 6}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="#15161a"/>
<rect x="16" y="16" width="598" height="848" rx="20" fill="hsl(${hue % 360},45%,30%)"/>
<rect x="44" y="112" width="542" height="476" fill="hsl(${(hue + 180) % 360},40%,25%)"/>
<clipPath id="art"><rect x="44" y="112" width="542" height="476"/></clipPath>
<g clip-path="url(#art)">${rings.join("")}</g>
<rect x="44" y="606" width="542" height="190" fill="#f6f1e4"/>
${markerSvg(cardId, outcome)}
</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}
