import { Button, Kbd } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { isTyping } from "../app/jump-keys.ts";
import { problemOf } from "../app/problem.ts";
import { tellProblem } from "./tell-problem.tsx";

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

/** What was done and can be taken back. */
export type Offer = Undoable;

/** Changes that are shown and not answered yet, the latest last: each comes to an offer, or to none. */
let awaited: readonly Promise<Offer | undefined>[] = [];

/** A change was made on the page. Until it is answered Z means it, and not what was done before it. */
export function awaitOffer(answer: Promise<Offer | undefined>): void {
  awaited = [...awaited, answer];
  const forget = (): void => {
    awaited = awaited.filter((one) => one !== answer);
  };
  void answer.then(forget, forget);
}

/** Says what was done, with Undo; the key Z takes back the latest, then the one before it. */
export function offerUndo(done: Undoable): Offer {
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
  return one;
}

/** Nothing of another account's, or of before an end of the session, is taken back by a key. */
export function forgetUndo(): void {
  for (const { toast } of kept) notifications.hide(toast);
  kept = [];
  awaited = [];
}

/** What is on its way is taken back once it has arrived; what did not arrive says so at its place. */
async function takeBackLatest(): Promise<void> {
  const onItsWay = awaited.at(-1);
  if (onItsWay === undefined) {
    const latest = kept.at(-1);
    if (latest !== undefined) await takeBack(latest);
    return;
  }
  awaited = awaited.slice(0, -1);
  const offered = await onItsWay.catch(() => undefined);
  const one = kept.find((other) => other === offered);
  if (one !== undefined) await takeBack(one);
}

async function takeBack(one: Kept): Promise<void> {
  if (!kept.includes(one)) return;
  kept = kept.filter((other) => other !== one);
  notifications.hide(one.toast);
  try {
    const said = await one.undo();
    notifications.show({ message: said ?? "Undone." });
  } catch (error) {
    // Where the service was out of reach it can be tried again; a refusal stays one.
    if (problemOf(error).status === null) kept = [...kept, one];
    tellProblem(error, {
      title: "It could not be undone",
      retry() {
        if (!kept.includes(one)) kept = [...kept, one];
        void takeBack(one);
      },
    });
  }
}

/** Z, and Ctrl or Cmd with it, takes back the latest; in a field they are the field's own. */
export function useUndoKeys(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isZ = event.key === "z" || event.key === "Z";
      if (!isZ || event.shiftKey || event.altKey || event.repeat || isTyping(event.target)) return;
      if (kept.length === 0 && awaited.length === 0) return;
      event.preventDefault();
      void takeBackLatest();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
