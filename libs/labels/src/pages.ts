import type { LabelBarcode, LabelTemplate } from "@cardvault/contract";
import { placeLabel } from "./layout.ts";
import type { LabelContent, PlacedLabel } from "./layout.ts";

/** A label and where it is on its page, in millimetres. */
export interface PlacedOnPage {
  x: number;
  y: number;
  label: PlacedLabel;
}

export interface LabelSheets {
  template: LabelTemplate;
  barcode: LabelBarcode;
  labels: readonly LabelContent[];
  /** Of the first page, those that are used up. */
  skip: number;
}

export function countPages({ template, labels, skip }: LabelSheets): number {
  const perPage = template.columns * template.rows;
  return labels.length === 0 ? 0 : Math.ceil((labels.length + (skip % perPage)) / perPage);
}

/** The labels of each page, row by row, made when they are asked for. */
export function* pagesOf({
  template,
  barcode,
  labels,
  skip,
}: LabelSheets): Generator<PlacedOnPage[]> {
  const { columns, rows, left, top, pitch_x: pitchX, pitch_y: pitchY } = template;
  const perPage = columns * rows;
  let page: PlacedOnPage[] = [];
  let place = skip % perPage;
  for (const content of labels) {
    page.push({
      x: left + (place % columns) * pitchX,
      y: top + Math.floor(place / columns) * pitchY,
      label: placeLabel(content, template, barcode),
    });
    place += 1;
    if (place < perPage) continue;
    yield page;
    page = [];
    place = 0;
  }
  if (page.length > 0) yield page;
}

/** One page, from 1; empty where there is none such. */
export function pageOf(sheets: LabelSheets, number: number): PlacedOnPage[] {
  const perPage = sheets.template.columns * sheets.template.rows;
  const first = (number - 1) * perPage - (sheets.skip % perPage);
  const labels = sheets.labels.slice(Math.max(0, first), Math.max(0, first + perPage));
  const [page = []] = pagesOf({ ...sheets, labels, skip: number === 1 ? sheets.skip : 0 });
  return page;
}
