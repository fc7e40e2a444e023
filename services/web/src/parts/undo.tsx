import { Button, Kbd } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { isTyping } from "../app/jump-keys.ts";
import { problemOf } from "../app/problem.ts";

/** Something that was done and can be taken back by a write of its own. */
export interface Undoable {
  /** What was done, as a sentence: "Charged Serpent is at B2-07." */
  message: string;
  /** Takes it back; answers what is said then, or nothing for "Undone." @throws what the service says */
  undo: () => Promise<string | undefined>;
  /** Whether it fires events, which have been sent and stay so. */
  hasSentEvents?: boolean;
}

interface Kept extends Undoable {
  readonly toast: string;
}

/** What is older is taken back where its history stands. */
const mostKept = 20;
const shownMs = 10_000;
let kept: readonly Kept[] = [];
let serial = 0;

/** Says what was done, with Undo; the key Z takes back the latest, then the one before it. */
export function offerUndo(done: Undoable): void {
  serial += 1;
  const one: Kept = { ...done, toast: `undo-${serial}` };
  // One toast at a time: what was done before it can still be taken back by key.
  const before = kept.at(-1);
  if (before !== undefined) notifications.hide(before.toast);
  kept = [...kept, one].slice(-mostKept);
  notifications.show({
    id: one.toast,
    autoClose: shownMs,
    message: (
      <div className="undo-toast">
        <span className="wrap">
          {done.message}
          {done.hasSentEvents === true ? (
            <span className="cell-sub">Events already sent stay sent.</span>
          ) : null}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack(one)}>
          Undo&nbsp;<Kbd size="xs">Z</Kbd>
        </Button>
      </div>
    ),
  });
}

/** Nothing of another account's, or of before an end of the session, is taken back by a key. */
export function forgetUndo(): void {
  for (const { toast } of kept) notifications.hide(toast);
  kept = [];
}

async function takeBack(one: Kept): Promise<void> {
  if (!kept.includes(one)) return;
  kept = kept.filter((other) => other !== one);
  notifications.hide(one.toast);
  try {
    const said = await one.undo();
    notifications.show({ message: said ?? "Undone." });
  } catch (error) {
    const problem = problemOf(error);
    const [detail] = problem.details;
    notifications.show({
      color: "red",
      title: "It could not be undone",
      message: detail === undefined ? problem.message : `${problem.message} ${detail.message}.`,
    });
    // Where the service was out of reach it can be tried again; a refusal stays one.
    if (problem.status === null) kept = [...kept, one];
  }
}

/** Z, and Ctrl or Cmd with it, takes back the latest; in a field they are the field's own. */
export function useUndoKeys(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isZ = event.key === "z" || event.key === "Z";
      if (!isZ || event.shiftKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const latest = kept.at(-1);
      if (latest === undefined) return;
      event.preventDefault();
      void takeBack(latest);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
