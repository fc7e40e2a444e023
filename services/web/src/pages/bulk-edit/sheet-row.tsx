// A virtual row is placed by its offset, which the rows of a table cannot be.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { CardRow } from "@cardvault/contract";
import { memo } from "react";
import type { ReactNode } from "react";
import { readField } from "../../parts/card-fields-model.ts";
import { columnWidth, isFigure, numberWidth, sheetColumns, storedText } from "./sheet-columns.ts";
import type { SheetField } from "./sheet-columns.ts";
import type { RowEdits } from "./sheet-state.ts";

/** The id of a cell in the document: the grid says which one is active. */
export function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`;
}

interface SheetRowProps {
  index: number;
  top: number;
  row: CardRow | undefined;
  edits: RowEdits | undefined;
  refused: Readonly<Partial<Record<SheetField | "row", string>>> | undefined;
  currency: string;
  /** Selected columns, from and to; -1 where none of the row is. */
  from: number;
  to: number;
  /** The column of the active cell; -1 where it is in another row. */
  active: number;
  /** What is typed into the active cell at this moment. */
  editor: ReactNode;
}

/** A row of the sheet, in plain markup: a screen has thirty of eighteen cells. */
export const SheetRow = memo(function SheetRow(props: SheetRowProps) {
  const { index, row, edits } = props;
  return (
    <div
      className="sheet-row"
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <div className="sheet-number" role="rowheader" style={{ width: numberWidth }}>
        {index + 1}
      </div>
      {sheetColumns.map((column, place) => {
        const typed = edits?.[column];
        const text = typed ?? (row === undefined ? "" : storedText(row, column));
        const problem =
          typed === undefined ? undefined : problemOf(column, typed, props.refused, props.currency);
        const isActive = place === props.active;
        return (
          <div
            key={column}
            id={cellId(index, place)}
            role="gridcell"
            aria-colindex={place + 2}
            aria-selected={(place >= props.from && place <= props.to) || undefined}
            aria-invalid={problem === undefined ? undefined : true}
            className="sheet-cell"
            data-active={isActive || undefined}
            data-edited={typed === undefined ? undefined : true}
            data-figure={isFigure(column) || undefined}
            data-row={index}
            data-column={place}
            title={problem}
            style={{ width: columnWidth(column) }}
          >
            {isActive && props.editor !== null ? props.editor : text}
          </div>
        );
      })}
    </div>
  );
});

function problemOf(
  column: SheetField,
  typed: string,
  refused: SheetRowProps["refused"],
  currency: string,
): string | undefined {
  return readField(column, typed, currency).problem ?? refused?.[column] ?? refused?.row;
}
