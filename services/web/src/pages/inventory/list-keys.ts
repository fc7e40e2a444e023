import type { RefObject } from "react";
import { useEffect } from "react";
import { isTyping } from "../../app/jump-keys.ts";
import type { PageKeys } from "../../app/page-keys.ts";
import type { CardOrder } from "../../parts/card-order.ts";
import { cardRows } from "../../parts/card-rows.ts";
import { allSelected, isNone } from "../../parts/selection.ts";
import type { EditField } from "./edits.ts";
import { clearSelection, edit, extend, goTo, listState, select, toggle } from "./list-state.ts";

/** What the keys need of the table or the grid that is shown. */
export interface ListHandle {
  /** Cards beside each other. */
  readonly perRow: number;
  /** Rows of a screen. */
  perPage(): number;
  show(index: number): void;
  focus(): void;
}

/** For the list of `?`. */
export const inventoryKeys: PageKeys = [
  { keys: ["J", "K"], words: "Down and up; the arrows too" },
  { keys: ["Shift", "↓"], words: "Select on the way" },
  { keys: ["X"], words: "Select the card" },
  { keys: ["Ctrl", "A"], words: "Select all that match" },
  { keys: ["Enter"], words: "Open the card" },
  { keys: ["E"], words: "Edit its price" },
  { keys: ["L"], words: "Edit its location" },
  { keys: ["S"], words: "Edit its stage" },
  { keys: ["Esc"], words: "Select nothing" },
];

const editKeys: Record<string, EditField> = {
  e: "asking_price",
  l: "location",
  s: "workflow_status",
};

/** Where a key moves to from a place; undefined for a key that does not move. */
function target(key: string, from: number | null, handle: ListHandle, length: number) {
  const { perRow } = handle;
  const steps: Record<string, number> = {
    ArrowDown: perRow,
    j: perRow,
    ArrowUp: -perRow,
    k: -perRow,
    PageDown: perRow * handle.perPage(),
    PageUp: -perRow * handle.perPage(),
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
    ...(perRow > 1 ? { ArrowRight: 1, ArrowLeft: -1 } : {}),
  };
  const step = steps[key];
  if (step === undefined || length === 0) return undefined;
  const start = from ?? (step > 0 ? -1 : 0);
  // The first key of all goes to the first card, whatever stands in a row.
  const to = from === null && Number.isFinite(step) && step > 0 ? 0 : start + step;
  return Math.max(0, Math.min(length - 1, to));
}

/** Keys of the list, wherever on the page one is but in a field, a menu or a dialog. */
export function useListKeys(
  order: CardOrder,
  handle: RefObject<ListHandle | null>,
  open: (id: string) => void,
): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const shown = handle.current;
      if (shown === null || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key !== "a") return;
        event.preventDefault();
        select(allSelected);
        return;
      }
      const { active } = listState();
      const to = target(event.key, active, shown, order.length);
      if (to !== undefined) {
        event.preventDefault();
        if (event.shiftKey && active !== null) extend(order, to);
        else goTo(to);
        shown.show(to);
        return;
      }
      if (act(event, order, active, open)) event.preventDefault();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [order, handle, open]);
}

/** Whether a key did something to the card that one is at. */
function act(
  event: KeyboardEvent,
  order: CardOrder,
  active: number | null,
  open: (id: string) => void,
): boolean {
  if (event.key === "Escape") {
    if (isNone(listState().selected)) return false;
    clearSelection();
    return true;
  }
  const id = active === null ? undefined : order.at(active);
  if (active === null || id === undefined || event.shiftKey) return false;
  const isOnControl =
    event.target instanceof Element && event.target.closest("button, a, summary") !== null;
  const field = editKeys[event.key];
  if (event.key === "x" || (event.key === " " && !isOnControl)) toggle(order, active);
  else if (event.key === "Enter" && !isOnControl) open(id);
  else if (field !== undefined && cardRows().get(id) !== undefined) edit(id, field);
  else return false;
  return true;
}
