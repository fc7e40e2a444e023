import type { CardRow } from "@cardvault/contract";
import { useElementSize } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";
import { memo, useEffect, useImperativeHandle, useRef } from "react";
import type { CardOrder } from "../../parts/card-order.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { formatMoney } from "../../parts/money.ts";
import { isSelected } from "../../parts/selection.ts";
import { StageMark } from "../../parts/stage-mark.tsx";
import { CellEditor } from "./cell-editor.tsx";
import { conditionOf } from "./columns.tsx";
import { useEdits, withEdits } from "./edits.ts";
import type { EditField } from "./edits.ts";
import { listEvents } from "./list-events.ts";
import type { ListHandle } from "./list-keys.ts";
import { useListState } from "./list-state.ts";
import { useRows } from "./use-rows.ts";

const leastTilePx = 152;
const gapPx = 12;
const paddingPx = 12;
/** Below the picture: title, set and number, condition and location, stage and price. */
const wordsPx = 108;
const overscan = 1;
const mostHighPx = 30_000_000;

/** The same list as pictures: as many beside each other as there is room for. */
export function CardGrid(props: {
  order: CardOrder;
  currency: string;
  count: number;
  onOpen: (id: string) => void;
  handle: RefObject<ListHandle | null>;
}) {
  const { order, count } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useElementSize();
  const room = Math.max(leastTilePx, (width || 1_000) - 2 * paddingPx);
  const perRow = Math.max(1, Math.floor((room + gapPx) / (leastTilePx + gapPx)));
  const tile = (room - (perRow - 1) * gapPx) / perRow;
  const rowHeight = Math.round(((tile - 16) * 88) / 63 + wordsPx + gapPx);
  const rowCount = Math.min(Math.ceil(order.length / perRow), Math.floor(mostHighPx / rowHeight));
  // What it answers is used in this component alone, and no compiler keeps any of it.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    paddingStart: paddingPx,
    paddingEnd: paddingPx,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const lines = virtual.getVirtualItems();
  const { selected, active, editing } = useListState();
  const edits = useEdits();
  const rows = useRows(
    order,
    (lines[0]?.index ?? 0) * perRow,
    ((lines.at(-1)?.index ?? -1) + 1) * perRow,
  );
  useImperativeHandle(
    props.handle,
    () => ({
      perRow,
      perPage: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight)),
      show: (index) => virtual.scrollToIndex(Math.floor(index / perRow), { align: "auto" }),
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [virtual, rowHeight, perRow],
  );
  const activeLine = active === null ? -1 : Math.floor(active / perRow);
  const isActiveDrawn = lines.some(({ index }) => index === activeLine);
  return (
    <div ref={scroller} className="list-scroll" tabIndex={-1} {...listEvents(order, props.onOpen)}>
      <div ref={sized} className="list-size" />
      <table
        className="card-grid"
        // A table whose cells are walked through by keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        tabIndex={0}
        aria-label="Cards"
        aria-rowcount={Math.ceil(count / perRow)}
        aria-colcount={perRow}
        aria-multiselectable
        aria-activedescendant={isActiveDrawn && active !== null ? order.at(active) : undefined}
      >
        <tbody style={{ height: virtual.getTotalSize() }}>
          {lines.map((line) => (
            <tr
              key={line.index}
              aria-rowindex={line.index + 1}
              style={{ height: rowHeight, transform: `translateY(${line.start}px)` }}
            >
              {Array.from({ length: perRow }, (_, column) => {
                const index = line.index * perRow + column;
                const id = order.at(index);
                if (id === undefined) return null;
                const row = rows.get(id);
                return (
                  <Tile
                    key={column}
                    id={id}
                    index={index}
                    width={tile}
                    height={rowHeight - gapPx}
                    row={row === undefined ? undefined : withEdits(row, edits)}
                    currency={props.currency}
                    isSelected={isSelected(selected, id)}
                    isActive={index === active}
                    editing={editing !== null && editing.id === id ? editing.field : null}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Tile = memo(function Tile(props: {
  id: string;
  index: number;
  width: number;
  height: number;
  row: CardRow | undefined;
  currency: string;
  isSelected: boolean;
  isActive: boolean;
  editing: EditField | null;
}) {
  const { id, index, row, width, height, isSelected: isOn, isActive, editing, currency } = props;
  const place = [row?.set, row?.number].filter((part) => part != null).join(" · ");
  const state = row === undefined ? null : conditionOf(row);
  return (
    <td
      id={id}
      className="tile"
      style={{ width, height }}
      aria-selected={isOn}
      data-index={index}
      data-active={isActive || undefined}
    >
      {row === undefined ? (
        <span className="card-picture tile-waiting" />
      ) : (
        <>
          <span className="cell-check tile-check">
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isOn}
              readOnly
              aria-label={`Select ${row.title ?? "the card that is not identified"}`}
            />
          </span>
          <CardPicture card={row} size="fill" />
          <a href={`/inventory/${row.id}`} tabIndex={-1} className="card-link">
            {row.title ?? "Not identified"}
          </a>
          <span className="tile-line" title={place}>
            {place}
          </span>
          {editing === "location" ? (
            <span className="tile-line tile-editing">
              <CellEditor row={row} field={editing} currency={currency} />
            </span>
          ) : (
            <span className="tile-line">
              {state === null ? null : `${state} · `}
              <button type="button" className="tile-field" tabIndex={-1} data-field="location">
                {row.location ?? "Location"}
              </button>
            </span>
          )}
          <span className="tile-foot">
            {editing === "workflow_status" ? (
              <CellEditor row={row} field={editing} currency={currency} />
            ) : (
              <button
                type="button"
                className="tile-field"
                tabIndex={-1}
                data-field="workflow_status"
              >
                <StageMark status={row.workflow_status} />
              </button>
            )}
            {editing === "asking_price" ? (
              <CellEditor row={row} field={editing} currency={currency} />
            ) : (
              <button type="button" className="tile-field" tabIndex={-1} data-field="asking_price">
                {row.asking_price === null ? "Price" : formatMoney(row.asking_price)}
              </button>
            )}
          </span>
        </>
      )}
    </td>
  );
});
