import type { InventorySort } from "@cardvault/contract";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { InventoryOrder } from "../../app/inventory-search.ts";
import { allSelected, isNone, noneSelected } from "../../parts/selection.ts";
import { widthOf } from "./columns.tsx";
import type { Column } from "./columns.tsx";
import { select, useListState } from "./list-state.ts";

/** The heads of the columns, each a way to sort; the first selects all that match. */
export function TableHead(props: {
  columns: readonly Column[];
  currency: string;
  sort: InventoryOrder | undefined;
  count: number;
  onSort: (sort: InventorySort | undefined) => void;
}) {
  const { selected } = useListState();
  const isAll = selected.kind === "all";
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="cell cell-check">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select all ${props.count.toLocaleString()} matching`}
            checked={isAll && selected.except.size === 0}
            ref={(box) => {
              if (box === null) return;
              box.indeterminate = isAll ? selected.except.size > 0 : !isNone(selected);
            }}
            onChange={(event) => select(event.currentTarget.checked ? allSelected : noneSelected)}
          />
        </th>
        <Head
          label="Card"
          sort="title"
          className="cell cell-card"
          current={props.sort}
          onSort={props.onSort}
        />
        {props.columns.map((column) => (
          <Head
            key={column.id}
            label={column.isMoney === true ? `${column.label}, ${props.currency}` : column.label}
            className={column.isNumber === true ? "cell cell-number" : "cell"}
            width={widthOf(column)}
            {...(column.sort === undefined ? {} : { sort: column.sort })}
            current={props.sort}
            onSort={props.onSort}
          />
        ))}
      </tr>
    </thead>
  );
}

/** Ascending first; once more turns it round, and a third time gives the list its own order back. */
function Head(props: {
  label: string;
  className: string;
  width?: ReturnType<typeof widthOf>;
  sort?: InventorySort;
  current: InventoryOrder | undefined;
  onSort: (sort: InventorySort | undefined) => void;
}) {
  const { label, width, sort, current, onSort } = props;
  if (sort === undefined) {
    return (
      <th scope="col" className={props.className} style={width}>
        {label}
      </th>
    );
  }
  const isUp = current === sort;
  const isDown = current === `-${sort}`;
  const next = isUp ? (`-${sort}` as InventorySort) : isDown ? undefined : sort;
  return (
    <th
      scope="col"
      className={props.className}
      style={width}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
    >
      <button type="button" className="head-button" onClick={() => onSort(next)}>
        {label}
        {isUp ? <IconArrowUp size={12} aria-hidden /> : null}
        {isDown ? <IconArrowDown size={12} aria-hidden /> : null}
      </button>
    </th>
  );
}
