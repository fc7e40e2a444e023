import { useElementSize } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

const gap = 12;
const rowsAhead = 2;

/**
 * Tiles in rows, of which only those in sight are drawn: there may be thousands. All are of one size, so
 * that no row has to be measured, wherever one scrolls to.
 */
export function WindowGrid<Item>(props: {
  items: readonly Item[];
  /** Of a tile, in pixels; a row has a gap beneath it. */
  tileWidth: number;
  tileHeight: number;
  /** How much stands above the grid: another number says that its place may be another. */
  above?: number;
  keyOf: (item: Item) => number;
  children: (item: Item) => ReactNode;
}) {
  const { items, tileWidth, tileHeight, above = 0, keyOf, children } = props;
  const { ref, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const columns = Math.max(1, Math.floor((width + gap) / (tileWidth + gap)));
  useLayoutEffect(() => {
    setTop(list.current === null ? 0 : list.current.getBoundingClientRect().top + window.scrollY);
  }, [items.length, width, above]);
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(items.length / columns),
    estimateSize: () => tileHeight + gap,
    overscan: rowsAhead,
    scrollMargin: top,
  });
  return (
    <div ref={ref}>
      <div ref={list} style={{ position: "relative", height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <ul
            key={row.key}
            className="tile-row"
            style={{ transform: `translateY(${row.start - top}px)` }}
          >
            {items.slice(row.index * columns, (row.index + 1) * columns).map((item) => (
              <li key={keyOf(item)} style={{ width: tileWidth, height: tileHeight }}>
                {children(item)}
              </li>
            ))}
          </ul>
        ))}
      </div>
    </div>
  );
}
