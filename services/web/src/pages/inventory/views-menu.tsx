import type { InventoryView } from "@cardvault/contract";
import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconCheck, IconChevronDown, IconUsers } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../app/lazy-part.tsx";
import { trpc } from "../../app/trpc.ts";

const ViewDialog = lazyPart(() => import("./view-dialog.tsx").then((file) => file.ViewDialog));
const DeleteViewDialog = lazyPart(() =>
  import("./view-dialog.tsx").then((file) => file.DeleteViewDialog),
);

/** What a view is made of: the filter, the order and the columns that are shown. */
export type ViewContent = Pick<InventoryView, "filter" | "sort" | "columns">;

/** The saved views, one's own and those of the others, and what can be done with the one that is shown. */
export function ViewsMenu(props: {
  /** The one that the list began as. */
  viewId: string | undefined;
  content: ViewContent;
  onOpen: (view: InventoryView | null) => void;
}) {
  const { viewId, content, onOpen } = props;
  const [dialog, setDialog] = useState<"save" | "change" | "delete" | null>(null);
  const views = useQuery(trpc.views.list.queryOptions());
  const all = views.data?.data ?? [];
  const current = all.find(({ id }) => id === viewId) ?? null;
  const isChanged = current !== null && !isSame(current, content);
  const close = () => setDialog(null);
  return (
    <>
      <Menu position="bottom-start" width={300}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
          >
            <span className="account-name">
              {current === null ? "All cards" : current.name}
              {isChanged ? ", changed" : ""}
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={440} style={{ overflowY: "auto" }}>
          <Menu.Item
            rightSection={current === null ? <IconCheck size={16} aria-label="Shown" /> : null}
            onClick={() => onOpen(null)}
          >
            All cards
          </Menu.Item>
          {all.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={
                view.is_shared ? <IconUsers size={16} stroke={1.6} aria-label="Shared" /> : null
              }
              rightSection={view.id === viewId ? <IconCheck size={16} aria-label="Shown" /> : null}
              onClick={() => onOpen(view)}
            >
              {view.name}
              {view.dropped.length === 0 ? null : (
                <span className="cell-sub">
                  {`Without what is no longer known: ${view.dropped.join(", ")}`}
                </span>
              )}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current !== null && current.can_change ? (
            <Menu.Item onClick={() => setDialog("change")}>
              {isChanged ? "Save the changes" : "Rename or share"}
            </Menu.Item>
          ) : null}
          <Menu.Item onClick={() => setDialog("save")}>Save as a new view</Menu.Item>
          {current !== null && current.can_change ? (
            <Menu.Item color="red" onClick={() => setDialog("delete")}>
              Delete this view
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === "save" || dialog === "change" ? (
          <ViewDialog
            view={dialog === "change" ? current : null}
            content={content}
            onClose={close}
            onSaved={onOpen}
            onMissing={close}
          />
        ) : null}
        {dialog === "delete" && current !== null ? (
          <DeleteViewDialog
            view={current}
            onClose={close}
            onDeleted={() => onOpen(null)}
            onMissing={close}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function isSame(view: InventoryView, { filter, sort, columns }: ViewContent): boolean {
  return (
    view.sort === sort &&
    view.columns.join() === columns.join() &&
    inOrder(view.filter) === inOrder(filter)
  );
}

function inOrder(filter: object): string {
  return JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => a.localeCompare(b)));
}
