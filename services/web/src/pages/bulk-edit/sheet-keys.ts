import type { KeyboardEvent } from "react";
import type { PageKeys } from "../../app/page-keys.ts";
import { sheetColumns } from "./sheet-columns.ts";
import { boxOf } from "./use-sheet.ts";
import type { Place, Range, Sheet } from "./use-sheet.ts";

/** What `?` lists for this page. */
export const sheetKeyList: PageKeys = [
  { keys: ["Enter"], words: "Edit the cell; again, to the one below" },
  { keys: ["Tab"], words: "To the next cell; Esc and Tab leaves the sheet" },
  { keys: ["Ctrl", "V"], words: "Paste from a spreadsheet" },
  { keys: ["Ctrl", "C"], words: "Copy" },
  { keys: ["Ctrl", "D"], words: "Fill down" },
  { keys: ["Ctrl", "Enter"], words: "While typing: into every selected cell" },
  { keys: ["Del"], words: "Clear" },
  { keys: ["Ctrl", "Z"], words: "Undo what was typed; with Shift, redo" },
  { keys: ["Ctrl", "S"], words: "Save" },
];

const lastColumn = sheetColumns.length - 1;
const pageRows = 20;

/** A place that is in the sheet. */
function within(place: Place, rows: number): Place {
  return {
    row: Math.max(0, Math.min(rows - 1, place.row)),
    column: Math.max(0, Math.min(lastColumn, place.column)),
  };
}

/** One cell, and nothing else selected. */
export function at(place: Place): Range {
  return { anchor: place, head: place };
}

/** Where an arrow or its like goes; undefined for any other key. */
function target(event: KeyboardEvent, { row, column }: Place, rows: number): Place | undefined {
  const isFar = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case "ArrowUp":
      return { row: isFar ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: isFar ? rows - 1 : row + 1, column };
    case "ArrowLeft":
      return { row, column: isFar ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: isFar ? lastColumn : column + 1 };
    case "Home":
      return { row: isFar ? 0 : row, column: 0 };
    case "End":
      return { row: isFar ? rows - 1 : row, column: lastColumn };
    case "PageUp":
      return { row: row - pageRows, column };
    case "PageDown":
      return { row: row + pageRows, column };
    default:
      return undefined;
  }
}

/** The next cell in the reading direction, or the one before it; undefined at the end of the sheet. */
export function nextInRow(place: Place, step: 1 | -1, rows: number): Place | undefined {
  const flat = place.row * sheetColumns.length + place.column + step;
  if (flat < 0 || flat >= rows * sheetColumns.length) return undefined;
  return { row: Math.floor(flat / sheetColumns.length), column: flat % sheetColumns.length };
}

interface SheetActions {
  edit: (text: string | null) => void;
  save: () => void;
  /** Whether the next Tab leaves the sheet. */
  isLeaving: boolean;
  setLeaving: (isLeaving: boolean) => void;
}

/** What a key does while no cell is edited. */
export function onSheetKey(event: KeyboardEvent, sheet: Sheet, actions: SheetActions): void {
  const rows = sheet.order.length;
  const { range } = sheet;
  const to = target(event, range.head, rows);
  if (to !== undefined) {
    event.preventDefault();
    const head = within(to, rows);
    sheet.select(event.shiftKey ? { anchor: range.anchor, head } : at(head));
    return;
  }
  if (event.key === "Escape") {
    actions.setLeaving(true);
    return;
  }
  if (event.key === "Tab") {
    const next = actions.isLeaving
      ? undefined
      : nextInRow(range.head, event.shiftKey ? -1 : 1, rows);
    if (next === undefined) return;
    event.preventDefault();
    sheet.select(at(next));
    return;
  }
  const isCommand = event.ctrlKey || event.metaKey;
  const done = isCommand ? command(event, sheet, actions) : plain(event, sheet, actions);
  if (!done) return;
  event.preventDefault();
  // Z and the like are the page's own here, not those of every page.
  event.stopPropagation();
}

function command(event: KeyboardEvent, sheet: Sheet, actions: SheetActions): boolean {
  const rows = sheet.order.length;
  switch (event.key.toLowerCase()) {
    case "z":
      if (event.shiftKey) sheet.redo();
      else sheet.undo();
      return true;
    case "y":
      sheet.redo();
      return true;
    case "d":
      fillDown(sheet);
      return true;
    case "a":
      sheet.select({
        anchor: { row: 0, column: 0 },
        head: { row: rows - 1, column: lastColumn },
      });
      return true;
    case "s":
      actions.save();
      return true;
    default:
      return false;
  }
}

function plain(event: KeyboardEvent, sheet: Sheet, actions: SheetActions): boolean {
  if (event.altKey) return false;
  if (event.key === "Enter" || event.key === "F2") {
    actions.edit(null);
    return true;
  }
  if (event.key === "Delete" || event.key === "Backspace") {
    fill(sheet, "");
    return true;
  }
  if (event.key.length !== 1) return false;
  actions.edit(event.key);
  return true;
}

/** The same text into every selected cell. */
export function fill(sheet: Sheet, text: string): void {
  const { top, bottom, left, right } = boxOf(sheet.range);
  const texts = [];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) texts.push({ row, column, text });
  }
  sheet.write(texts);
}

/** The first row of what is selected into those below it; of one row alone, the one above it. */
function fillDown(sheet: Sheet): void {
  const { top, bottom, left, right } = boxOf(sheet.range);
  const isOneRow = top === bottom;
  if (isOneRow && top === 0) return;
  const from = isOneRow ? top - 1 : top;
  const texts = [];
  for (let row = from + 1; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      texts.push({ row, column, text: sheet.textAt(from, column) });
    }
  }
  sheet.write(texts);
}

/**
 * Pasted cells from the selection's first on; one cell alone fills all that is selected.
 * @returns how many rows and columns did not fit; a column that is empty is not missed
 */
export function paste(
  sheet: Sheet,
  cells: readonly (readonly string[])[],
): { rows: number; columns: number } {
  const { top, left } = boxOf(sheet.range);
  const [first] = cells;
  if (first === undefined) return { rows: 0, columns: 0 };
  if (cells.length === 1 && first.length === 1) {
    fill(sheet, first[0] ?? "");
    return { rows: 0, columns: 0 };
  }
  const texts = cells.flatMap((row, index) =>
    row.map((text, offset) => ({ row: top + index, column: left + offset, text })),
  );
  sheet.write(texts.filter(({ column }) => column <= lastColumn));
  const width = Math.max(...cells.map((row) => row.length));
  sheet.select({
    anchor: { row: top, column: left },
    head: within({ row: top + cells.length - 1, column: left + width - 1 }, sheet.order.length),
  });
  const filled = Math.max(...cells.map((row) => row.findLastIndex((text) => text !== "") + 1));
  return {
    rows: Math.max(0, top + cells.length - sheet.order.length),
    columns: Math.max(0, left + filled - sheetColumns.length),
  };
}

/** What is selected, as rows of texts. */
export function selectedCells(sheet: Sheet): string[][] {
  const { top, bottom, left, right } = boxOf(sheet.range);
  return Array.from({ length: bottom - top + 1 }, (_row, row) =>
    Array.from({ length: right - left + 1 }, (_column, column) =>
      sheet.textAt(top + row, left + column),
    ),
  );
}
