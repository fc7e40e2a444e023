import type { InventorySort } from "@cardvault/contract";
import { useElementSize } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { Range } from "@tanstack/react-virtual";
import type { RefObject } from "react";
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { InventoryOrder } from "../../app/inventory-search.ts";
import type { CardOrder } from "../../parts/card-order.ts";
import { isSelected } from "../../parts/selection.ts";
import { TableRow } from "./card-row.tsx";
import type { RowLook } from "./card-row.tsx";
import { leastWidthOf } from "./columns.tsx";
import type { Column } from "./columns.tsx";
import { TableHead } from "./table-head.tsx";
import { useEdits, withEdits } from "./edits.ts";
import type { ListHandle } from "./list-keys.ts";
import { listEvents } from "./list-events.ts";
import { useListState } from "./list-state.ts";
import type { Density } from "./density.ts";
import { useRows } from "./use-rows.ts";

/** Rows of 36 px, and of 44 with pictures. */
const rowHeights: Record<Density, number> = { compact: 36, pictures: 44 };
const overscan = 6;
/** Browsers draw no element that is much higher. */
const mostHighPx = 30_000_000;
const checkWidth = 36;
const cardWidth = 240;
const headHeight = 36;
/** Until the place that it has is known. */
const fallbackHeight = 900;

/** So many places from `start`, moved to where there are so many. */
function windowAt(start: number, size: number, length: number): number[] {
  const first = Math.max(0, Math.min(start, length - size));
  return Array.from({ length: size }, (_, index) => first + index);
}

/** The rows by the slot that each is drawn in, from one slot on: so many slots take turns. */
function inPlaces<Item extends { readonly index: number }>(
  items: readonly Item[],
  slots: number,
  firstSlot: number,
): Item[] {
  const placeOf = ({ index }: Item): number => ((index % slots) - firstSlot + slots) % slots;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** A table of any length: what is in sight is drawn, in rows that are used again as one scrolls. */
export function CardTable(props: {
  order: CardOrder;
  columns: readonly Column[];
  currency: string;
  density: Density;
  sort: InventoryOrder | undefined;
  count: number;
  onSort: (sort: InventorySort | undefined) => void;
  onOpen: (id: string) => void;
  handle: RefObject<ListHandle | null>;
}) {
  const { order, columns, currency, density, count } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = rowHeights[density];
  const length = Math.min(order.length, Math.floor(mostHighPx / rowHeight));
  const { ref: sized, height } = useElementSize();
  // Always as many rows, so that one which leaves at one end is used again at the other.
  const drawn = Math.min(
    length,
    Math.ceil((height || fallbackHeight) / rowHeight) + 1 + 2 * overscan,
  );
  // What it answers is used in this component alone, and no compiler keeps any of it.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    rangeExtractor: useCallback(
      ({ startIndex }: Range) => windowAt(startIndex - overscan, drawn, length),
      [drawn, length],
    ),
    scrollPaddingStart: headHeight,
  });
  const items = virtual.getVirtualItems();
  // A row keeps its place in the document while one scrolls: one that is moved there is styled and laid out
  // anew with all that it holds. At rest they stand in the order in which they are read.
  const [firstSlot, setFirstSlot] = useState(0);
  const restingSlot = (items[0]?.index ?? 0) % Math.max(1, drawn);
  if (!virtual.isScrolling && firstSlot !== restingSlot) setFirstSlot(restingSlot);
  const { selected, active, editing } = useListState();
  const edits = useEdits();
  const rows = useRows(order, items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1);
  const look = useMemo<RowLook>(
    () => ({ columns, currency, hasPictures: density === "pictures" }),
    [columns, currency, density],
  );
  const width = checkWidth + cardWidth + leastWidthOf(columns);
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  useImperativeHandle(
    props.handle,
    () => ({
      perRow: 1,
      perPage: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
      show: (index) => virtual.scrollToIndex(index, { align: "auto" }),
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [virtual, rowHeight],
  );
  const activeId = active === null ? undefined : order.at(active);
  const isActiveDrawn = items.some(({ index }) => index === active);
  return (
    // The keys of the list act here and on the page around it; this is where a screen reader follows.
    <div
      ref={scroller}
      className="list-scroll"
      data-density={density}
      tabIndex={-1}
      {...listEvents(order, props.onOpen)}
    >
      <div ref={sized} className="list-size" />
      <table
        className="card-table"
        // A table whose cells are walked through by keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        tabIndex={0}
        aria-label="Cards"
        aria-rowcount={count + 1}
        aria-multiselectable
        aria-activedescendant={isActiveDrawn ? activeId : undefined}
        style={{ minWidth: width }}
      >
        <TableHead
          columns={columns}
          currency={currency}
          sort={props.sort}
          count={count}
          onSort={props.onSort}
        />
        <tbody style={{ height: virtual.getTotalSize() }}>
          {inPlaces(items, drawn, firstSlot).map(({ index, start }) => {
            const id = order.at(index);
            const row = id === undefined ? undefined : rows.get(id);
            return (
              <TableRow
                key={index % Math.max(1, drawn)}
                id={id}
                index={index}
                top={start}
                row={row === undefined ? undefined : withEdits(row, edits)}
                look={look}
                isSelected={id !== undefined && isSelected(selected, id)}
                isActive={index === active}
                editing={editing !== null && editing.id === id ? editing.field : null}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
