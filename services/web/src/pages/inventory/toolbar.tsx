import { ActionIcon, Button, Popover } from "@mantine/core";
import {
  IconColumns3,
  IconLayoutGrid,
  IconLayoutList,
  IconList,
  IconRefresh,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../app/lazy-part.tsx";
import type { Column } from "./columns.tsx";
import type { Density } from "./density.ts";

const ColumnsPanel = lazyPart(() =>
  import("./columns-panel.tsx").then((file) => file.ColumnsPanel),
);

/** How the list is shown: rows, rows with pictures or pictures alone; its columns; asked for anew. */
export function Toolbar(props: {
  isGrid: boolean;
  density: Density;
  columns: readonly Column[];
  onGrid: (isGrid: boolean) => void;
  onDensity: (density: Density) => void;
  onColumns: (columns: readonly Column[]) => void;
  /** What a new look at the list would bring; null where nothing is known of. */
  news: string | null;
  isRefreshing: boolean;
  onRefresh: () => void;
}) {
  const { isGrid, density, news } = props;
  const [areColumnsOpen, setAreColumnsOpen] = useState(false);
  return (
    <div className="toolbar">
      {news === null ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Refresh the list"
          title="Ask for the list anew"
          loading={props.isRefreshing}
          onClick={props.onRefresh}
        >
          <IconRefresh size={18} stroke={1.6} />
        </ActionIcon>
      ) : (
        <Button
          size="compact-sm"
          variant="light"
          loading={props.isRefreshing}
          leftSection={<IconRefresh size={16} stroke={1.6} />}
          onClick={props.onRefresh}
        >
          {news}
        </Button>
      )}
      <fieldset className="look-choice" aria-label="Shown as">
        <Look
          label="Rows"
          icon={IconList}
          isOn={!isGrid && density === "compact"}
          onChoose={() => {
            props.onDensity("compact");
            props.onGrid(false);
          }}
        />
        <Look
          label="Rows with pictures"
          icon={IconLayoutList}
          isOn={!isGrid && density === "pictures"}
          onChoose={() => {
            props.onDensity("pictures");
            props.onGrid(false);
          }}
        />
        <Look
          label="Pictures"
          icon={IconLayoutGrid}
          isOn={isGrid}
          onChoose={() => props.onGrid(true)}
        />
      </fieldset>
      {isGrid ? null : (
        <Popover
          opened={areColumnsOpen}
          onChange={setAreColumnsOpen}
          position="bottom-end"
          width={280}
          shadow="md"
          trapFocus
          withinPortal={false}
          floatingStrategy="fixed"
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="Columns"
              onClick={() => setAreColumnsOpen((before) => !before)}
            >
              <IconColumns3 size={18} stroke={1.6} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p={8} aria-label="Columns">
            <Suspense>
              <ColumnsPanel shown={props.columns} onChange={props.onColumns} />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
}

function Look(props: { label: string; icon: Icon; isOn: boolean; onChoose: () => void }) {
  const Shape = props.icon;
  return (
    <button
      type="button"
      className="look-button"
      aria-label={props.label}
      aria-pressed={props.isOn}
      title={props.label}
      onClick={props.onChoose}
    >
      <Shape size={18} stroke={1.6} aria-hidden />
    </button>
  );
}
