import type { Card, CardPatch, CardRow, Money, WorkflowStatus } from "@cardvault/contract";
import { useSyncExternalStore } from "react";
import { problemOf, unreachable } from "../../app/problem.ts";
import type { Problem } from "../../app/problem.ts";
import { onReturn } from "../../app/session-ended.ts";
import { ifVersion, trpcClient } from "../../app/trpc.ts";
import { cardRows } from "../../parts/card-rows.ts";
import { formatMoney } from "../../parts/money.ts";
import { awaitOffer } from "../../parts/undo.tsx";
import type { Offer } from "../../parts/undo.tsx";
import { offerCardUndo } from "../../parts/undo-card.ts";
import { workflowWords } from "../../parts/words.ts";

/** What is edited in its place in the list. */
export const editFields = ["asking_price", "location", "workflow_status"] as const;
export type EditField = (typeof editFields)[number];
export type EditValue = Money | string | null;

/**
 * A change on its way, or one that did not get there: `stale` where somebody else has changed the same
 * member meanwhile, `refused` where the rules forbid it, `unsent` where no answer came.
 */
export interface Edit {
  readonly id: string;
  readonly field: EditField;
  readonly title: string | null;
  readonly value: EditValue;
  /**
   * What the member is as long as nobody else changes it: what it was when the edit began, and before one's
   * own edits that this one has taken the place of.
   */
  readonly own: readonly EditValue[];
  readonly state: "saving" | "stale" | "refused" | "unsent";
  readonly problem?: Problem;
  /** What it is now, in a stale one. */
  readonly theirs?: EditValue;
}

let edits: readonly Edit[] = [];
const listeners = new Set<() => void>();
/** Changes of one card go one after another: each is meant for the version that the one before made. */
const lines = new Map<string, Promise<void>>();

function set(next: readonly Edit[]): void {
  if (edits.length === 0 && next.length > 0) window.addEventListener("beforeunload", askFirst);
  if (next.length === 0) window.removeEventListener("beforeunload", askFirst);
  edits = next;
  for (const listener of listeners) listener();
}

/** What is not saved goes with the tab, or with a reload: nobody leaves it unasked. */
function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function isSame(edit: Edit, { id, field }: Pick<Edit, "id" | "field">): boolean {
  return edit.id === id && edit.field === field;
}

function replace(edit: Edit): void {
  set([...edits.filter((one) => !isSame(one, edit)), edit]);
}

export function useEdits(): readonly Edit[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => edits,
  );
}

/** A row as it will be once what is on its way has arrived. */
export function withEdits(row: CardRow, all: readonly Edit[]): CardRow {
  if (all.length === 0) return row;
  let shown = row;
  for (const edit of all) {
    if (edit.id === row.id && edit.state !== "refused" && edit.state !== "stale") {
      shown = { ...shown, [edit.field]: edit.value };
    }
  }
  return shown;
}

/**
 * Changes one member of a card: shown at once, and sent as long as the member is what was seen.
 * @param row as it was shown when the edit began
 */
export function saveEdit(row: CardRow, field: EditField, value: EditValue): void {
  const base = row[field];
  if (isEqual(base, value)) {
    discardEdit({ id: row.id, field });
    return;
  }
  const before = edits.find((edit) => isSame(edit, { id: row.id, field }));
  const own = [base, ...(before?.own ?? [])];
  send({ id: row.id, field, title: row.title, value, own, state: "saving" });
}

/** Sends one again; a stale one is meant for the card as it is now. */
export function retryEdit(edit: Edit): void {
  const { theirs, problem: _problem, ...rest } = edit;
  send({ ...rest, state: "saving", own: theirs === undefined ? edit.own : [theirs] });
}

/** Keeps what was typed and cannot be read as a value, with what is wrong with it. */
export function keepUnread(row: CardRow, field: EditField, typed: string, message: string): void {
  const problem: Problem = { ...unreachable, code: "not_readable", message };
  const { id, title } = row;
  replace({ id, field, title, value: typed, own: [row[field]], state: "refused", problem });
}

// What only waited for somebody to sign in again is sent by itself.
onReturn(() => {
  for (const edit of edits) if (edit.problem?.code === "sign_in_required") retryEdit(edit);
});

export function discardEdit(edit: Pick<Edit, "id" | "field">): void {
  set(edits.filter((one) => !isSame(one, edit)));
}

function send(edit: Edit): void {
  replace(edit);
  const before = lines.get(edit.id) ?? Promise.resolve();
  const written = before.then(() => write(edit));
  awaitOffer(written);
  const line = written.then(() => undefined);
  lines.set(edit.id, line);
  void line.finally(() => {
    if (lines.get(edit.id) === line) lines.delete(edit.id);
  });
}

/** Answers what takes it back, where it got there. */
async function write(edit: Edit): Promise<Offer | undefined> {
  const rows = cardRows();
  const now = rows.get(edit.id);
  // What is shown of the card may have been changed live since the edit began.
  if (now !== undefined && isOthers(edit, now[edit.field])) {
    finish(edit, { state: "stale", theirs: now[edit.field] });
    return undefined;
  }
  const version = now?.version;
  try {
    const card = await update(edit, version);
    rows.put(card);
    discardIfSame(edit);
    return offerCardUndo(sentenceOf(edit), card, (undone) => cardRows().put(undone));
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === "precondition_failed") {
      return settleStale(edit, problem);
    }
    const isRefused = problem.status !== null && problem.status < 500 && problem.status !== 429;
    const isSignedOut = problem.code === "sign_in_required";
    finish(edit, { state: isRefused && !isSignedOut ? "refused" : "unsent", problem });
    return undefined;
  }
}

function update(edit: Edit, version: number | undefined): Promise<Card> {
  const patch: CardPatch = { [edit.field]: edit.value };
  const input = { id: edit.id, ...patch };
  return version === undefined
    ? trpcClient.cards.update.mutate(input)
    : trpcClient.cards.update.mutate(input, ifVersion(version));
}

/** The card has changed; whether this member of it has is what matters to whoever edits it. */
async function settleStale(edit: Edit, problem: Problem): Promise<Offer | undefined> {
  const rows = cardRows();
  try {
    await rows.reload([edit.id]);
  } catch (error) {
    finish(edit, { state: "unsent", problem: problemOf(error) });
    return undefined;
  }
  const theirs = rows.get(edit.id)?.[edit.field] ?? null;
  if (isEqual(theirs, edit.value)) {
    discardIfSame(edit);
  } else if (isOthers(edit, theirs)) {
    finish(edit, { state: "stale", problem, theirs });
  } else {
    return write(edit);
  }
  return undefined;
}

/** Whether a value is one that somebody else has given the member since. */
function isOthers({ own, value }: Edit, now: EditValue): boolean {
  return !isEqual(now, value) && !own.some((one) => isEqual(one, now));
}

/** Unless the same member was edited once more meanwhile. */
function finish(edit: Edit, end: Pick<Edit, "state" | "problem" | "theirs">): void {
  if (edits.includes(edit)) replace({ ...edit, ...end });
}

function discardIfSame(edit: Edit): void {
  if (edits.includes(edit)) discardEdit(edit);
}

function isEqual(left: EditValue, right: EditValue): boolean {
  if (left === null || right === null || typeof left === "string" || typeof right === "string") {
    return left === right;
  }
  return left.amount === right.amount && left.currency === right.currency;
}

const fieldWords: Record<EditField, string> = {
  asking_price: "Asking price",
  location: "Location",
  workflow_status: "Stage",
};

/** `Asking price of Charged Serpent`. */
export function editTitle({ field, title }: Pick<Edit, "field" | "title">): string {
  return `${fieldWords[field]} of ${title ?? "a card that is not identified"}`;
}

/** `$12.50`, `B2-07`, `Priced`, `none`. */
export function valueWords(field: EditField, value: EditValue): string {
  if (value === null) return "none";
  if (typeof value !== "string") return formatMoney(value);
  return field === "workflow_status" ? workflowWords[value as WorkflowStatus] : value;
}

function sentenceOf(edit: Edit): string {
  return `${editTitle(edit)}: ${valueWords(edit.field, edit.value)}.`;
}
