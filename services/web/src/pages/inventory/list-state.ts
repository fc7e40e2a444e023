import type { CardFilter, CardRow } from "@cardvault/contract";
import { useSyncExternalStore } from "react";
import { currentAccountId } from "../../app/account.ts";
import type { InventoryOrder } from "../../app/inventory-search.ts";
import type { CardOrder } from "../../parts/card-order.ts";
import { isSelected, mostNamed, noneSelected, withCards } from "../../parts/selection.ts";
import type { Selected } from "../../parts/selection.ts";
import type { EditField } from "./edits.ts";

/** Where one is in the list, what is selected of it, and which cell is being edited. */
export interface ListState {
  readonly selected: Selected;
  /** The place that keys act on; null before the first. */
  readonly active: number | null;
  /** Where a stretch of the selection began. */
  readonly anchor: number | null;
  readonly editing: { readonly id: string; readonly field: EditField } | null;
  /** What could not be selected, and why. */
  readonly note: string | null;
}

const begin: ListState = {
  selected: noneSelected,
  active: null,
  anchor: null,
  editing: null,
  note: null,
};

/** What was typed into the cell that is being edited, of the row as it was when one began. */
interface Draft {
  readonly row: CardRow;
  readonly text: string;
  /** Saves it, as leaving its field does. */
  readonly settle: () => void;
}

let state = begin;
/** No part of the state: what is typed draws its own field, and not the list. */
let draft: Draft | null = null;
const listeners = new Set<() => void>();

function set(next: Partial<ListState>): void {
  if (next.editing !== undefined && !isSameCell(next.editing, state.editing)) {
    // Its field may have left the window with its row; what was typed there is left like any other field.
    const left = draft;
    draft = null;
    left?.settle();
  }
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export function listState(): ListState {
  return state;
}

export function useListState(): ListState {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, listState);
}

let filterKey = "";
let orderKey = "";

/**
 * For the list that is shown from now on: of another filter's cards nothing is selected, and in another
 * order one begins at its top. One that comes back to the same list is where one was.
 */
export function enterList(filter: CardFilter, sort: InventoryOrder | undefined): void {
  const nextFilter = JSON.stringify([currentAccountId(), filter]);
  const nextOrder = JSON.stringify(sort ?? null);
  const isOtherFilter = nextFilter !== filterKey;
  if (isOtherFilter) set(begin);
  else if (nextOrder !== orderKey) set({ active: null, anchor: null, editing: null });
  else set({ editing: null });
  filterKey = nextFilter;
  orderKey = nextOrder;
}

export function select(selected: Selected): void {
  set({ selected, note: null });
}

export function clearSelection(): void {
  set({ selected: noneSelected, anchor: null, note: null });
}

export function goTo(index: number | null): void {
  set({ active: index });
}

export function edit(id: string, field: EditField): void {
  set({ editing: { id, field } });
}

function isSameCell(one: ListState["editing"], other: ListState["editing"]): boolean {
  return one?.id === other?.id && one?.field === other?.field;
}

/**
 * Keeps what is typed, while its row is out of sight too; null once it is saved or given up. Whatever ends
 * the edit while it is kept saves it.
 */
export function keepDraft(next: Draft | null): void {
  draft = next;
}

/** What was typed before into the cell that is being edited; null for none. */
export function draftOf(): Draft | null {
  return draft;
}

export function stopEditing(): void {
  if (state.editing !== null) set({ editing: null });
}

const tooMany =
  `A selection by hand holds ${mostNamed.toLocaleString()} cards. ` +
  "Narrow the list by filters and select all that match.";

/** Selects the card at a place, or takes it out; a stretch goes on from there. */
export function toggle(order: CardOrder, index: number): void {
  const id = order.at(index);
  if (id === undefined) return;
  const next = withCards(state.selected, [id], !isSelected(state.selected, id));
  set(
    next === null
      ? { active: index, note: tooMany }
      : { selected: next, active: index, anchor: index, note: null },
  );
}

/** Selects everything from where the last one was selected to this place; or takes it out, as that one was. */
export function extend(order: CardOrder, index: number): void {
  const from = state.anchor ?? state.active ?? index;
  const [start, end] = from < index ? [from, index] : [index, from];
  const anchorId = order.at(from);
  // Of a stretch that begins with a card that was just taken out, all are taken out.
  const isOn =
    state.anchor === null || anchorId === undefined || isSelected(state.selected, anchorId);
  if (end - start >= mostNamed) {
    set({ active: index, note: tooMany });
    return;
  }
  const ids: string[] = [];
  for (let place = start; place <= end; place += 1) {
    const id = order.at(place);
    if (id !== undefined) ids.push(id);
  }
  const next = withCards(state.selected, ids, isOn);
  set(
    next === null
      ? { active: index, note: tooMany }
      : { selected: next, active: index, anchor: from, note: null },
  );
}
