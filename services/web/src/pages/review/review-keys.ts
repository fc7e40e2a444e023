import { useEffect, useRef } from "react";
import { isTyping } from "../../app/jump-keys.ts";
import type { PageKeys } from "../../app/page-keys.ts";

/** What `?` lists for this page. */
export const reviewKeys: PageKeys = [
  { keys: ["1", "…", "5"], words: "Choose a candidate" },
  { keys: ["Enter"], words: "Accept what is chosen" },
  { keys: ["C"], words: "Correct by hand" },
  { keys: ["P"], words: "Correct by hand, same as previous" },
  { keys: ["S"], words: "Skip: to the end of your queue" },
  { keys: ["Z"], words: "Undo the last decision" },
  { keys: ["F"], words: "Look closer at the photos" },
];

/** What the keys do where a card is shown; where none is, only the last decision is undone. */
interface ReviewActions {
  choose?: (place: number) => void;
  accept?: () => void;
  correct?: () => void;
  sameAsPrevious?: () => void;
  skip?: () => void;
  undo: () => void;
  zoom?: () => void;
}

/** The keys of a reviewer. They do nothing in a field or a dialog. */
export function useReviewKeys(actions: ReviewActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target)) return;
      const action = actionOf(event, latest.current);
      if (action === undefined) return;
      // Z is the undo of every page too; here it is the queue's.
      event.preventDefault();
      event.stopPropagation();
      action();
    }
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}

function actionOf(event: KeyboardEvent, actions: ReviewActions): (() => void) | undefined {
  const { key, target } = event;
  const { choose } = actions;
  if (/^[1-5]$/.test(key)) return choose && (() => choose(Number(key) - 1));
  switch (key.toLowerCase()) {
    case "enter":
      // A button or a link that has the focus is pressed; a candidate is accepted.
      return isControl(target) ? undefined : actions.accept;
    case "c":
      return actions.correct;
    case "p":
      return actions.sameAsPrevious;
    case "s":
      return actions.skip;
    case "z":
      return actions.undo;
    case "f":
      return actions.zoom;
    default:
      return undefined;
  }
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("button:not([role=radio]), a, summary, [role=tab]") !== null
  );
}
