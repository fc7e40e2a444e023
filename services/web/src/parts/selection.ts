import { maxSelectedIds } from "@cardvault/contract";
import type { CardFilter, CardSelection } from "@cardvault/contract";

/**
 * Which cards of a list are selected: some by name, or all that match its filter but for some. The second
 * is a question and no list of ids, so it holds a million cards as well as ten.
 */
export type Selected =
  | { readonly kind: "some"; readonly ids: ReadonlySet<string> }
  | { readonly kind: "all"; readonly except: ReadonlySet<string> };

export const noneSelected: Selected = { kind: "some", ids: new Set() };
export const allSelected: Selected = { kind: "all", except: new Set() };

/** Cards that can be named one by one, and exceptions that there can be. */
export const mostNamed: number = maxSelectedIds;

export function isSelected(selected: Selected, id: string): boolean {
  return selected.kind === "some" ? selected.ids.has(id) : !selected.except.has(id);
}

export function isNone(selected: Selected): boolean {
  return selected.kind === "some" && selected.ids.size === 0;
}

/** Cards of which all are selected, or none; null where it would name more than can be named. */
export function withCards(
  selected: Selected,
  ids: readonly string[],
  isOn: boolean,
): Selected | null {
  const isAll = selected.kind === "all";
  const named = new Set(isAll ? selected.except : selected.ids);
  // In a selection of all, what is named is left out.
  for (const id of ids) {
    if (isOn === isAll) named.delete(id);
    else named.add(id);
  }
  if (named.size > mostNamed) return null;
  return isAll ? { kind: "all", except: named } : { kind: "some", ids: named };
}

/** How many cards are meant. @param matching how many the filter lets through, where that is known */
export function countSelected(
  selected: Selected,
  matching: number | undefined,
): number | undefined {
  if (selected.kind === "some") return selected.ids.size;
  return matching === undefined ? undefined : Math.max(0, matching - selected.except.size);
}

/** As bulk operations take it. */
export function selectionOf(selected: Selected, filter: CardFilter): CardSelection {
  return selected.kind === "some"
    ? { ids: [...selected.ids] }
    : { filter, except: [...selected.except] };
}

/** A selection that one page hands to another, for as long as the tab is open. */
const storageKey = "vault.selection";

export interface HandedSelection {
  selection: CardSelection;
  /** How many cards it held when it was handed over; null where nobody knew. */
  count: number | null;
}

/** For a page that works on a selection made on this one, as the spreadsheet does. */
export function handOver(handed: HandedSelection): void {
  held = handed;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(handed));
  } catch {
    // Then a reload of that page forgets it, and says that nothing is selected.
  }
}

/** What was handed over last in this tab, or null. */
export function handedSelection(): HandedSelection | null {
  if (held !== null) return held;
  try {
    const stored = sessionStorage.getItem(storageKey);
    held = stored === null ? null : (JSON.parse(stored) as HandedSelection);
  } catch {
    held = null;
  }
  return held;
}

let held: HandedSelection | null = null;
