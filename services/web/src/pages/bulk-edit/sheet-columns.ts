import type { CardRow } from "@cardvault/contract";
import { cardFields, fieldText } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";

/** A column of the sheet: a field that a row has. */
type SheetColumn = Extract<CardFieldName, keyof CardRow>;

/** In their order, each with its width in px. */
const widths = {
  title: 220,
  set: 150,
  number: 84,
  year: 64,
  variant: 120,
  rarity: 110,
  condition: 148,
  grading: 150,
  quantity: 70,
  asking_price: 132,
  price_floor: 128,
  purchase_price: 110,
  location: 110,
  sku: 120,
  tags: 140,
  language: 90,
  set_code: 80,
  game: 140,
} as const satisfies Partial<Record<SheetColumn, number>>;

export const sheetColumns = Object.keys(widths) as readonly (keyof typeof widths)[];
export type SheetField = (typeof sheetColumns)[number];

/** Of the column with the rows' numbers. */
export const numberWidth = 44;
export const sheetWidth =
  numberWidth + Object.values(widths).reduce<number>((sum, width) => sum + width, 0);

export function columnWidth(column: SheetField): number {
  return widths[column];
}

/** Figures stand at the right. */
export function isFigure(column: SheetField): boolean {
  const { type } = cardFields[column].kind;
  return type === "money" || type === "whole";
}

/** `Asking price (USD)`. */
export function columnLabel(column: SheetField, currency: string): string {
  const { label, kind } = cardFields[column];
  return kind.type === "money" ? `${label} (${currency})` : label;
}

/** What stands in a cell that nobody has edited. */
export function storedText(row: CardRow, column: SheetField): string {
  return fieldText(column, row[column]);
}
