import type { CardFilter, CardTotals } from "@cardvault/contract";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { useIsRoute } from "../../app/jump-keys.ts";
import { lazyPart } from "../../app/lazy-part.tsx";
import type { useCardOrder } from "../../parts/card-order.ts";
import type { Reading } from "../../parts/not-read.tsx";
import {
  allSelected,
  countSelected,
  handOver,
  isNone,
  selectionOf,
} from "../../parts/selection.ts";
import { counted } from "../../parts/words.ts";
import { BulkBar } from "./bulk-bar.tsx";
import type { BulkTask } from "./bulk-bar.tsx";
import { clearSelection, select, useListState } from "./list-state.ts";
import { TotalsBar } from "./totals-bar.tsx";

const BulkDialog = lazyPart(() => import("./bulk/bulk-dialog.tsx").then((file) => file.BulkDialog));

/** The page that works on a selection which is handed to it. */
const sheet: string = "/inventory/bulk-edit";

const always: readonly BulkTask[] = [
  "identify",
  "lookup",
  "price",
  "publish",
  "move",
  "stage",
  "batch",
  "fields",
  "export",
  "labels",
  "archive",
];

/** Below the list: what it comes to, or what can be done to what is selected of it. */
export function InventoryFoot(props: {
  list: ReturnType<typeof useCardOrder>;
  filter: CardFilter;
  totals: CardTotals | undefined;
  /** How asking for them went. */
  totalsRead: Reading;
  currency: string;
  /** Puts the keyboard back on the list. */
  onLeave: () => void;
}) {
  const { list, filter, totals, currency } = props;
  const { selected, note } = useListState();
  const [task, setTask] = useState<Exclude<BulkTask, "sheet"> | null>(null);
  const opener = useRef<Element | null>(null);
  const navigate = useNavigate();
  const isRoute = useIsRoute();
  const { order, isWhole, isCut } = list;
  // Exact where the list is whole; else the totals say it, or that there are more than they count.
  const matching =
    isWhole && !isCut ? order.length : totals?.has_more === false ? totals.count : undefined;
  const count = countSelected(selected, matching);
  const matchingWords = (matching ?? totals?.count ?? 0).toLocaleString();
  if (isNone(selected) && task === null) {
    return (
      <TotalsBar
        totals={totals}
        reading={props.totalsRead}
        listed={order.length}
        isWhole={isWhole && !isCut}
        isCut={isCut}
      />
    );
  }
  const selection = selectionOf(selected, filter);
  const isAll = selected.kind === "all" && selected.except.size === 0;
  const words =
    count === undefined
      ? `More than ${(totals?.count ?? 0).toLocaleString()} cards`
      : isAll
        ? `All ${counted(count, "card")} matching`
        : counted(count, "card");
  /** Back to the button that the dialog was opened by; a menu is gone, and the list takes its place. */
  function close(): void {
    setTask(null);
    const from = opener.current;
    if (from instanceof HTMLElement && from.isConnected) from.focus();
    else props.onLeave();
  }
  return (
    <>
      <BulkBar
        words={`${words} selected`}
        note={note}
        tasks={new Set<BulkTask>(isRoute(sheet) ? [...always, "sheet"] : always)}
        onAll={
          isAll
            ? undefined
            : {
                words: `Select all ${matchingWords} matching`,
                select: () => select(allSelected),
              }
        }
        onClear={clearSelection}
        onTask={(chosen) => {
          if (chosen !== "sheet") {
            const { activeElement } = document;
            opener.current = activeElement?.role === "menuitem" ? null : activeElement;
            setTask(chosen);
            return;
          }
          handOver({ selection, count: count ?? null });
          void navigate({ to: sheet });
        }}
      />
      <Suspense>
        {task === null ? null : (
          <BulkDialog
            task={task}
            selection={selection}
            count={count ?? null}
            currency={currency}
            onClose={close}
            onMissing={close}
            onDone={() => {
              setTask(null);
              clearSelection();
              props.onLeave();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
