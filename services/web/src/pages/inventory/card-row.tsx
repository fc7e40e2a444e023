import type { CardRow } from "@cardvault/contract";
import { memo, useState } from "react";
import { CardPicture } from "../../parts/card-picture.tsx";
import { CellEditor } from "./cell-editor.tsx";
import { widthOf } from "./columns.tsx";
import type { Column } from "./columns.tsx";
import type { EditField } from "./edits.ts";

export interface RowLook {
  readonly columns: readonly Column[];
  readonly currency: string;
  readonly hasPictures: boolean;
}

/**
 * One row of the table, plain markup but for the cell that is being edited. It is drawn again when one of
 * its properties is another, so every one of them is a value or stays the same object.
 */
export const TableRow = memo(function TableRow(props: {
  id: string | undefined;
  index: number;
  top: number;
  row: CardRow | undefined;
  look: RowLook;
  isSelected: boolean;
  isActive: boolean;
  editing: EditField | null;
}) {
  const { id, index, look, isSelected, isActive } = props;
  // While its card is on its way the one before stays, unseen: cells that are taken out and put in again
  // are styled and laid out anew, those that stay get other words.
  const isWaiting = props.row === undefined;
  const [kept, setKept] = useState(props.row);
  if (props.row !== undefined && props.row !== kept) setKept(props.row);
  const row = props.row ?? kept;
  // Nobody edits the card before in the place of the one on its way.
  const editing = isWaiting ? null : props.editing;
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-active={isActive || undefined}
      data-editing={editing !== null || undefined}
      data-waiting={isWaiting || undefined}
      aria-busy={isWaiting || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {row === undefined ? (
        <td className="cell cell-waiting" aria-label="Loading" />
      ) : (
        <>
          <td className="cell cell-check">
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isSelected}
              readOnly
              aria-label={`Select ${row.title ?? "the card that is not identified"}`}
            />
          </td>
          <td className="cell cell-card">
            {look.hasPictures ? <CardPicture card={row} size="row" /> : null}
            <a href={`/inventory/${row.id}`} tabIndex={-1} className="card-link">
              {row.title ?? "Not identified"}
            </a>
            {row.needs_review ? <span className="review-mark">Review</span> : null}
          </td>
          {look.columns.map((column) => (
            <td
              key={column.id}
              className={column.isNumber === true ? "cell cell-number" : "cell"}
              style={widthOf(column)}
              data-field={column.field}
              data-editing={(editing !== null && editing === column.field) || undefined}
            >
              {editing !== null && editing === column.field ? (
                <CellEditor row={row} field={editing} currency={look.currency} />
              ) : (
                column.cell(row, look.currency)
              )}
            </td>
          ))}
        </>
      )}
    </tr>
  );
});
