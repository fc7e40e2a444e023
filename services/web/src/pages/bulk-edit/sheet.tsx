// A virtual row is placed by its offset, which the rows of a table cannot be.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { ClipboardEvent, PointerEvent } from "react";
import { problemOf } from "../../app/problem.ts";
import { counted } from "../../parts/words.ts";
import { cellsOfText, prepareToPaste, textOfCells } from "./sheet-clipboard.ts";
import {
  columnLabel,
  columnWidth,
  isFigure,
  numberWidth,
  sheetColumns,
  sheetWidth,
} from "./sheet-columns.ts";
import { at, fill, nextInRow, onSheetKey, paste, selectedCells } from "./sheet-keys.ts";
import { cellId, SheetRow } from "./sheet-row.tsx";
import { boxOf } from "./use-sheet.ts";
import type { Place, Sheet } from "./use-sheet.ts";

const rowHeight = 32;
const headHeight = 36;

/** The grid: one cell is active, a range is selected, and the keys are those of a spreadsheet. */
export function SheetGrid(props: {
  sheet: Sheet;
  currency: string;
  onSave: () => void;
  onSaid: (words: string | null) => void;
}) {
  const { sheet, currency } = props;
  const { order, range } = sheet;
  const scroller = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  // What it answers changes by itself, and is used in this component alone.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingStart: headHeight,
  });
  const { head } = range;
  useEffect(() => {
    virtual.scrollToIndex(head.row, { align: "auto" });
    keepColumnInSight(scroller.current, head.column);
  }, [virtual, head.row, head.column]);

  useEffect(() => void prepareToPaste(), []);

  const box = boxOf(range);
  const focus = (): void => scroller.current?.focus({ preventScroll: true });

  function commit(text: string, next: Place | undefined, isForAll = false): void {
    setTyped(null);
    if (isForAll) fill(sheet, text);
    else sheet.write([{ ...head, text }]);
    if (next !== undefined) sheet.select(at(next));
    focus();
  }
  function placeOf(event: PointerEvent): Place | undefined {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-column]");
    if (cell === null) return undefined;
    return { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) };
  }
  function point(event: PointerEvent): void {
    const place = placeOf(event);
    if (place === undefined || (event.target as HTMLElement).tagName === "INPUT") return;
    if (typed !== null) commit(typed, undefined);
    sheet.select(event.shiftKey ? { anchor: range.anchor, head: place } : at(place));
    setLeaving(false);
  }
  function drag(event: PointerEvent): void {
    const isHeld = event.pointerType === "mouse" && event.buttons === 1;
    const place = isHeld && typed === null ? placeOf(event) : undefined;
    if (place === undefined) return;
    if (place.row === head.row && place.column === head.column) return;
    sheet.select({ anchor: range.anchor, head: place });
  }
  function copy(event: ClipboardEvent): void {
    if (typed !== null) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", textOfCells(selectedCells(sheet)));
    if (event.type === "cut") fill(sheet, "");
  }
  function pasteFrom(event: ClipboardEvent): void {
    if (typed !== null) return;
    event.preventDefault();
    cellsOfText(event.clipboardData.getData("text/plain")).then(
      (cells) => props.onSaid(leftOut(paste(sheet, cells))),
      (error: unknown) => props.onSaid(`Nothing was pasted. ${problemOf(error).message}`),
    );
  }
  const editor =
    typed === null ? null : (
      <CellInput
        text={typed}
        label={columnLabel(sheetColumns[head.column] ?? "title", currency)}
        onChange={setTyped}
        onCommit={(next, isForAll) => commit(typed, next, isForAll)}
        onCancel={() => {
          setTyped(null);
          focus();
        }}
        place={head}
        rows={order.length}
      />
    );
  return (
    <div
      ref={scroller}
      className="sheet"
      role="grid"
      // A letter begins the text of a cell, and a scan may be one.
      data-typing
      aria-label="Cards to edit"
      aria-rowcount={order.length + 1}
      aria-colcount={sheetColumns.length + 1}
      aria-multiselectable
      aria-activedescendant={cellId(head.row, head.column)}
      tabIndex={0}
      onKeyDown={(event) => {
        if (typed !== null) return;
        if (event.key !== "Tab" && event.key !== "Shift") setLeaving(false);
        onSheetKey(event, sheet, {
          edit: (text) => setTyped(text ?? sheet.textAt(head.row, head.column)),
          save: props.onSave,
          isLeaving,
          setLeaving,
        });
      }}
      onPointerDown={point}
      onPointerMove={drag}
      onDoubleClick={() => setTyped(sheet.textAt(head.row, head.column))}
      onCopy={copy}
      onCut={copy}
      onPaste={pasteFrom}
    >
      <div className="sheet-head" role="row" aria-rowindex={1} style={{ width: sheetWidth }}>
        <div className="sheet-number" role="columnheader" style={{ width: numberWidth }}>
          <span className="visually-hidden">Row</span>
        </div>
        {sheetColumns.map((column, place) => (
          <div
            key={column}
            role="columnheader"
            aria-colindex={place + 2}
            className="sheet-column"
            data-figure={isFigure(column) || undefined}
            style={{ width: columnWidth(column) }}
          >
            {columnLabel(column, currency)}
          </div>
        ))}
      </div>
      <div
        role="rowgroup"
        style={{ position: "relative", width: sheetWidth, height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const id = order[index] ?? "";
          const isIn = index >= box.top && index <= box.bottom;
          const isActive = index === head.row;
          return (
            <SheetRow
              key={id}
              index={index}
              top={start}
              row={sheet.rows.get(id)}
              edits={sheet.state.edits.get(id)}
              refused={sheet.state.refused.get(id)}
              currency={currency}
              from={isIn ? box.left : -1}
              to={isIn ? box.right : -1}
              active={isActive ? head.column : -1}
              editor={isActive ? editor : null}
            />
          );
        })}
      </div>
    </div>
  );
}

/** What of a paste is not in the sheet, in words; null where all of it is. */
function leftOut({ rows, columns }: ReturnType<typeof paste>): string | null {
  const parts = [
    ...(rows === 0 ? [] : [counted(rows, "row")]),
    ...(columns === 0 ? [] : [counted(columns, "column")]),
  ];
  if (parts.length === 0) return null;
  return `${parts.join(" and ")} of what was pasted did not fit.`;
}

/** The rows' numbers and the titles stay where they are, so a cell may lie behind them. */
function keepColumnInSight(scroller: HTMLElement | null, column: number): void {
  if (scroller === null || column === 0) return;
  const [first] = sheetColumns;
  const frozen = numberWidth + (first === undefined ? 0 : columnWidth(first));
  let left = numberWidth;
  for (const before of sheetColumns.slice(0, column)) left += columnWidth(before);
  const right = left + columnWidth(sheetColumns[column] ?? "title");
  if (left - scroller.scrollLeft < frozen) scroller.scrollLeft = left - frozen;
  else if (right > scroller.scrollLeft + scroller.clientWidth) {
    scroller.scrollLeft = right - scroller.clientWidth;
  }
}

function CellInput(props: {
  text: string;
  label: string;
  place: Place;
  rows: number;
  onChange: (text: string) => void;
  onCommit: (next: Place | undefined, isForAll?: boolean) => void;
  onCancel: () => void;
}) {
  const { place, rows } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = input.current;
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return (
    <input
      ref={input}
      className="sheet-input"
      aria-label={props.label}
      autoComplete="off"
      value={props.text}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        // The grid's keys rest while a cell is typed into.
        event.stopPropagation();
        if (event.key === "Escape") props.onCancel();
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          props.onCommit(undefined, true);
        } else if (event.key === "Enter") {
          const row = place.row + (event.shiftKey ? -1 : 1);
          props.onCommit({ ...place, row: Math.max(0, Math.min(rows - 1, row)) });
        } else if (event.key === "Tab") {
          props.onCommit(nextInRow(place, event.shiftKey ? -1 : 1, rows));
        } else return;
        event.preventDefault();
      }}
    />
  );
}
