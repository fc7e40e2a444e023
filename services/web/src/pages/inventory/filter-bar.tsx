import type { CardFilter } from "@cardvault/contract";
import { Button, Menu, Popover } from "@mantine/core";
import { IconFilterPlus, IconX } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../app/lazy-part.tsx";
import type { FilterKind } from "../../parts/card-filter.ts";
import { filterKinds, filterWords, isFiltered, membersOf } from "../../parts/card-filter.ts";

const FilterEditor = lazyPart(() =>
  import("./filter-editor.tsx").then((file) => file.FilterEditor),
);

/** A chip for each filter that narrows the list, and a menu of the others. */
export function FilterBar(props: {
  filter: CardFilter;
  currency: string;
  /** Members that are undefined are taken out. */
  onChange: (members: Partial<Record<keyof CardFilter, unknown>>) => void;
  onClear: () => void;
}) {
  const { filter, currency, onChange } = props;
  const [open, setOpen] = useState<string | null>(null);
  const shown = filterKinds.filter((kind) => isFiltered(kind, filter) || kind.id === open);
  const take = (kind: FilterKind) => {
    setOpen(null);
    onChange(Object.fromEntries(membersOf(kind).map((member) => [member, undefined])));
  };
  return (
    <search className="filter-bar" aria-label="Filters">
      {shown.map((kind) => (
        <span
          key={kind.id}
          className="filter-chip"
          data-empty={!isFiltered(kind, filter) || undefined}
        >
          <Popover
            opened={open === kind.id}
            onChange={(isOpen) => setOpen(isOpen ? kind.id : null)}
            position="bottom-start"
            shadow="md"
            width={300}
            trapFocus
            withinPortal={false}
            floatingStrategy="fixed"
          >
            <Popover.Target>
              <button
                type="button"
                className="filter-words"
                onClick={() => setOpen(open === kind.id ? null : kind.id)}
              >
                {isFiltered(kind, filter) ? filterWords(kind, filter, currency) : kind.label}
              </button>
            </Popover.Target>
            <Popover.Dropdown aria-label={kind.label}>
              <Suspense>
                <FilterEditor
                  kind={kind}
                  filter={filter}
                  currency={currency}
                  onChange={onChange}
                  onDone={() => setOpen(null)}
                />
              </Suspense>
            </Popover.Dropdown>
          </Popover>
          <button
            type="button"
            className="icon-button"
            aria-label={`Without the filter ${kind.label}`}
            onClick={() => take(kind)}
          >
            <IconX size={14} aria-hidden />
          </button>
        </span>
      ))}
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconFilterPlus size={16} stroke={1.6} />}
          >
            Filter
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
          {filterKinds
            .filter((kind) => !isFiltered(kind, filter))
            .map((kind) => (
              <Menu.Item key={kind.id} onClick={() => setOpen(kind.id)}>
                {kind.label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {filterKinds.some((kind) => isFiltered(kind, filter)) ? (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={props.onClear}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}
