import type { CardRow } from "@cardvault/contract";
import { useCallback, useState } from "react";
import { sheetColumns, storedText } from "./sheet-columns.ts";
import type { SheetField } from "./sheet-columns.ts";
import { emptySheet, noteChanged, redo, settle, undo, write } from "./sheet-state.ts";
import type { CellText, Refusals, SheetState } from "./sheet-state.ts";

/** A place in the sheet, from 0. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** From where the selection began to where it is now; one cell where both are the same. */
export interface Range {
  readonly anchor: Place;
  readonly head: Place;
}

export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export function boxOf({ anchor, head }: Range): Box {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

/** The sheet: its cards in their order, what was typed into it, and which cells are selected. */
export interface Sheet {
  readonly order: readonly string[];
  readonly rows: ReadonlyMap<string, CardRow>;
  readonly state: SheetState;
  readonly range: Range;
  select: (range: Range) => void;
  /** The text of a cell as it is shown. */
  textAt: (row: number, column: number) => string;
  write: (texts: readonly PlacedText[]) => void;
  undo: () => void;
  redo: () => void;
  settle: (saved: readonly string[], refused: Refusals) => void;
  /** Rows as somebody else has changed them. */
  noteChanged: (latest: readonly CardRow[]) => void;
}

interface PlacedText extends Place {
  readonly text: string;
}

const firstCell: Range = { anchor: { row: 0, column: 0 }, head: { row: 0, column: 0 } };

export function useSheet(
  order: readonly string[],
  rows: ReadonlyMap<string, CardRow>,
  currency: string,
): Sheet {
  const [state, setState] = useState<SheetState>(emptySheet);
  const [range, setRange] = useState<Range>(firstCell);

  const rowAt = (row: number): CardRow | undefined => rows.get(order[row] ?? "");
  const select = useCallback((next: Range) => setRange(next), []);
  return {
    order,
    rows,
    state,
    range,
    select,
    textAt(rowIndex, columnIndex) {
      const row = rowAt(rowIndex);
      const column = sheetColumns[columnIndex];
      return row === undefined || column === undefined ? "" : textOfCell(state, row, column);
    },
    write(texts) {
      const cells = texts.flatMap(({ row: rowIndex, column: columnIndex, text }): CellText[] => {
        const row = rowAt(rowIndex);
        const column = sheetColumns[columnIndex];
        return row === undefined || column === undefined ? [] : [{ row, column, text }];
      });
      setState((before) => write(before, cells));
    },
    undo: () => setState(undo),
    redo: () => setState(redo),
    settle: (saved, refused) => setState((before) => settle(before, saved, refused)),
    noteChanged: (latest) =>
      setState((before) =>
        latest.reduce((state, row) => {
          const known = rows.get(row.id);
          return known === undefined ? state : noteChanged(state, known, row, currency);
        }, before),
      ),
  };
}

/** What was typed, else what is stored. */
function textOfCell(state: SheetState, row: CardRow, column: SheetField): string {
  return state.edits.get(row.id)?.[column] ?? storedText(row, column);
}
