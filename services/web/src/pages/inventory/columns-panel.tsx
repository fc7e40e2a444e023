import { Button, Checkbox } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { columns, columnsOf } from "./columns.tsx";
import type { Column } from "./columns.tsx";

/** Which columns are shown, and in which order: those that are come first, in theirs. */
export function ColumnsPanel(props: {
  shown: readonly Column[];
  onChange: (columns: readonly Column[]) => void;
}) {
  const { shown, onChange } = props;
  const rest = columns.filter((column) => !shown.includes(column));
  const move = (index: number, by: number) => {
    const next = [...shown];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    onChange(next);
  };
  return (
    <>
      <ul className="columns-list">
        {[...shown, ...rest].map((column, index) => (
          <li key={column.id}>
            <Checkbox
              label={column.label}
              checked={index < shown.length}
              data-autofocus={index === 0}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...shown, column]
                    : shown.filter((one) => one !== column),
                )
              }
            />
            {index < shown.length ? (
              <span className="columns-moves">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`${column.label} further to the left`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <IconChevronUp size={16} aria-hidden />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`${column.label} further to the right`}
                  disabled={index === shown.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconChevronDown size={16} aria-hidden />
                </button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => onChange(columnsOf(undefined))}
      >
        As at first
      </Button>
    </>
  );
}
