import type { Card, ImportLayout } from "@cardvault/contract";
import { csvLine } from "./csv/formula.ts";
import { layoutOf } from "./layouts/index.ts";
import { ownLayoutWithIds } from "./layouts/own.ts";

/** A list in the form of a tool: the lines before the first card, and the line of a card. */
export interface ListWriter {
  readonly head: string;
  line(card: Card): string;
}

/**
 * Writes cards as a tool's list. In every layout a text that a spreadsheet would run as a formula
 * has an apostrophe before it.
 * @param currency ISO 4217, of the account
 */
export function createListWriter(
  layoutId: ImportLayout,
  options: { currency: string; withIds: boolean },
): ListWriter {
  const isWithIds = options.withIds && layoutId === "cardvault";
  const layout = isWithIds ? ownLayoutWithIds : layoutOf(layoutId);
  // A header is ours and no formula, whatever it begins with: eBay's begin with a star.
  const header = csvLine(layout.headers(options.currency));
  return {
    head: layout.preface === undefined ? header : `${layout.preface}\r\n${header}`,
    line: (card) => csvLine(layout.cells(card)),
  };
}
