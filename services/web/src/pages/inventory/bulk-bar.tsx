import { Button, Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowsMove,
  IconBarcode,
  IconBuildingStore,
  IconChevronUp,
  IconDownload,
  IconEdit,
  IconFlag,
  IconId,
  IconSearch,
  IconStack2,
  IconTable,
  IconTag,
  IconX,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";

/** What can be done to a selection; each opens a dialog of its own. */
export type BulkTask =
  | "identify"
  | "lookup"
  | "price"
  | "publish"
  | "move"
  | "stage"
  | "batch"
  | "fields"
  | "sheet"
  | "export"
  | "labels"
  | "archive";

interface TaskWords {
  readonly task: BulkTask;
  readonly words: string;
  readonly icon: Icon;
}

const first: readonly TaskWords[] = [
  { task: "identify", words: "Identify", icon: IconId },
  { task: "price", words: "Price", icon: IconTag },
  { task: "move", words: "Move", icon: IconArrowsMove },
  { task: "stage", words: "Stage", icon: IconFlag },
  { task: "batch", words: "Batch", icon: IconStack2 },
  { task: "publish", words: "Publish", icon: IconBuildingStore },
];
const more: readonly TaskWords[] = [
  { task: "export", words: "Export", icon: IconDownload },
  { task: "lookup", words: "Look up prices", icon: IconSearch },
  { task: "fields", words: "Edit fields and tags", icon: IconEdit },
  { task: "sheet", words: "Edit as a spreadsheet", icon: IconTable },
  { task: "labels", words: "Print labels", icon: IconBarcode },
  { task: "archive", words: "Archive", icon: IconArchive },
];

/** In place of the totals while something is selected. */
export function BulkBar(props: {
  /** `12 cards`, or `All 12,431 matching`. */
  words: string;
  note: string | null;
  tasks: ReadonlySet<BulkTask>;
  /** Selects all that match; undefined where they are. */
  onAll: { words: string; select: () => void } | undefined;
  onClear: () => void;
  onTask: (task: BulkTask) => void;
}) {
  const { words, note, tasks, onAll, onTask } = props;
  return (
    <section className="bulk-actions" aria-label="Selected cards">
      <output className="bulk-count">{words}</output>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconX size={14} />}
        onClick={props.onClear}
      >
        Clear
      </Button>
      {onAll === undefined ? null : (
        <Button size="compact-sm" variant="subtle" onClick={onAll.select}>
          {onAll.words}
        </Button>
      )}
      {note === null ? null : <span className="bulk-note">{note}</span>}
      <span className="bulk-tasks">
        {first
          .filter(({ task }) => tasks.has(task))
          .map(({ task, words: label, icon: Shape }) => (
            <Button
              key={task}
              size="compact-sm"
              variant="default"
              leftSection={<Shape size={16} stroke={1.6} />}
              onClick={() => onTask(task)}
            >
              {label}
            </Button>
          ))}
        <Menu position="top-end" width={220}>
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="default"
              rightSection={<IconChevronUp size={14} stroke={1.6} />}
            >
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {more
              .filter(({ task }) => tasks.has(task))
              .map(({ task, words: label, icon: Shape }) => (
                <Menu.Item
                  key={task}
                  leftSection={<Shape size={16} stroke={1.6} />}
                  onClick={() => onTask(task)}
                >
                  {label}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </span>
    </section>
  );
}
