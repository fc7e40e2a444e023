import type { MouseEvent } from "react";
import type { CardOrder } from "../../parts/card-order.ts";
import { cardRows } from "../../parts/card-rows.ts";
import { editFields } from "./edits.ts";
import { edit, extend, goTo, listState, toggle } from "./list-state.ts";

/** Which place of the list something stands at. */
function placeOf(target: Element): number | null {
  const place = target.closest<HTMLElement>("[data-index]")?.dataset["index"];
  return place === undefined ? null : Number(place);
}

/**
 * What a click in the list does, for all of its rows at once: a box selects, with Shift up to there; a cell
 * that can be edited is edited; the card's name opens it.
 */
export function listEvents(order: CardOrder, open: (id: string) => void) {
  return {
    onMouseDown(event: MouseEvent): void {
      // A stretch of rows and no stretch of text.
      if (event.shiftKey) event.preventDefault();
    },
    onClick(event: MouseEvent): void {
      const { target } = event;
      if (!(target instanceof Element) || target.closest("[data-editor]") !== null) return;
      const index = placeOf(target);
      if (index === null) return;
      const id = order.at(index);
      if (target.closest(".cell-check") !== null) {
        if (event.shiftKey) extend(order, index);
        else toggle(order, index);
        return;
      }
      if (event.shiftKey) {
        extend(order, index);
        return;
      }
      goTo(index);
      if (id === undefined) return;
      if (target.closest(".card-link") !== null) {
        if (event.ctrlKey || event.metaKey || event.button !== 0) return;
        event.preventDefault();
        open(id);
        return;
      }
      const named = target.closest<HTMLElement>("[data-field]")?.dataset["field"];
      const field = editFields.find((one) => one === named);
      const isEditing = listState().editing?.id === id && listState().editing?.field === field;
      if (field !== undefined && !isEditing && cardRows().get(id) !== undefined) edit(id, field);
    },
  };
}
