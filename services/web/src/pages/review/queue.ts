import type { ReviewItem } from "@cardvault/contract";
import { isSignInRequired, problemOf } from "../../app/problem.ts";
import { noteSessionEnded } from "../../app/session-ended.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { isSettled, itemOf, mostHeld, release, sendDecision } from "./queue-calls.ts";
import { emptyQueue, mergeItems, nameOf } from "./queue-state.ts";
import type { Decision, QueueChoice, QueueState, Unsent } from "./queue-state.ts";
import { decisionWords, refusalWords } from "./queue-words.ts";

/** Cards that are loaded behind the one that is shown. */
const loadedAhead = 2;
const mostAhead = mostHeld - 1;
const retryMs = 3_000;
/** A lock is for two minutes. */
const renewMs = 45_000;

/**
 * A reviewer's queue as the page holds it. A decision is gone from the screen at once and is sent behind
 * it, one after the other; while the service is away decisions wait here and nothing is lost.
 */
export interface ReviewQueue {
  subscribe: (listener: () => void) => () => void;
  state: () => QueueState;
  decide: (decision: Decision) => void;
  undo: () => void;
  retry: () => void;
  /** Shows again what was skipped on this visit. */
  bringBackSkipped: () => void;
  /** Begins to load and to hold on to cards; answers how to stop, which lets them go. */
  open: () => () => void;
}

export function createReviewQueue(choice: QueueChoice): ReviewQueue {
  let state: QueueState = emptyQueue;
  const listeners = new Set<() => void>();
  /** The version that each card had when it was decided about: an older answer does not bring it back. */
  const decided = new Map<string, number>();
  /** What was shown of cards that were decided about, so that an undo needs no loading. */
  const remembered = new Map<string, ReviewItem>();
  /** Cards whose decisions have arrived, the latest last: what the service takes back first. */
  const arrived: string[] = [];
  /** What a person did with a card that comes back, before the service had taken its decision back. */
  let early: (() => void)[] = [];
  let isLoading = false;
  let isSending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(change: Partial<QueueState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      const ahead = Math.min(mostAhead, state.items.length + state.outbox.length + loadedAhead);
      const { items } = await trpcClient.review.next.mutate({ ...choice, ahead });
      const merged = mergeItems(state, items, decided);
      // Nothing is over before what was decided has arrived.
      const isOver = merged.length === 0 && state.outbox.length === 0;
      set({ items: merged, error: null, phase: isOver ? "done" : "ready" });
      if (isOver && items.length > 0) release(items);
    } catch (error) {
      noteError(error);
      set({ error, ...(state.items.length === 0 ? { phase: "failed" } : {}) });
    } finally {
      isLoading = false;
    }
  }

  function decide(decision: Decision): void {
    const [item, ...rest] = state.items;
    if (item === undefined) return;
    if (state.isUndoing) {
      early.push(() => decide(decision));
      return;
    }
    const { id, version } = item.card;
    remembered.set(id, item);
    if (decision.type !== "skip") decided.set(id, version);
    set({
      items: rest,
      outbox: [...state.outbox, { item, decision }],
      said: { tone: "plain", text: decisionWords(item, decision) },
      refused: null,
      ...(decision.type === "skip" ? { skipped: new Set(state.skipped).add(id) } : {}),
      ...(rest.length === 0 ? { phase: "loading" } : {}),
    });
    void send();
    if (rest.length <= loadedAhead) void load();
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    if (isSending) return;
    isSending = true;
    for (let next = state.outbox[0]; next !== undefined; next = state.outbox[0]) {
      const [isSettled, error] = await attempt(next);
      if (!isSettled) {
        // It waits, with all behind it, and goes on by itself.
        set({ held: error });
        timer = setTimeout(() => void send(), waitOf(error));
        break;
      }
      set({ held: null, outbox: state.outbox.slice(1) });
    }
    isSending = false;
    if (state.outbox.length > 0) return;
    void queryClient.invalidateQueries({ queryKey: trpc.review.stats.pathKey() });
    if (state.items.length <= loadedAhead) await load();
  }

  /** Sends one decision; false where the service was not there to hear it. */
  async function attempt({ item, decision }: Unsent): Promise<[boolean, unknown]> {
    try {
      const card = await sendDecision(item, decision);
      arrived.push(card.id);
      decided.set(card.id, decision.type === "skip" ? 0 : card.version);
      if (decision.type !== "skip") set({ reviewed: new Set(state.reviewed).add(card.id) });
      if (decision.type === "accept") set({ accepted: state.accepted + 1 });
      if (decision.type === "correct") set({ corrected: state.corrected + 1 });
      return [true, null];
    } catch (error) {
      noteError(error);
      const { status, code } = problemOf(error);
      if (status === null || status >= 500 || status === 429 || status === 401) {
        return [false, error];
      }
      // It arrived the first time, and only its answer did not.
      if (code === "precondition_failed" && state.held !== null && (await isSettled(item))) {
        arrived.push(item.card.id);
        return [true, null];
      }
      decided.delete(item.card.id);
      if (code === "validation_failed") {
        set({
          items: [item, ...state.items],
          phase: "ready",
          refused: { cardId: item.card.id, error },
        });
      } else {
        set({ said: { tone: "warning", text: refusalWords(item, code) } });
      }
      return [true, null];
    }
  }

  function undo(): void {
    if (state.isUndoing) {
      early.push(undo);
      return;
    }
    const waiting = state.outbox.at(-1);
    const isOnItsWay = isSending && state.outbox.length === 1;
    if (waiting !== undefined && !isOnItsWay) {
      // It has not been sent: nobody but this page knows of it.
      decided.delete(waiting.item.card.id);
      putBack(waiting.item, state.outbox.slice(0, -1));
      return;
    }
    void undoSent();
  }

  /** The card is shown before the service answers; it goes again where that was not what was taken back. */
  async function undoSent(): Promise<void> {
    const coming = state.outbox.at(-1)?.item ?? remembered.get(arrived.at(-1) ?? "");
    set({ isUndoing: true });
    if (coming !== undefined) {
      set({
        items: [coming, ...withoutCard(state.items, coming.card.id)],
        phase: "ready",
        said: { tone: "plain", text: `${nameOf(coming)} comes back.` },
      });
    }
    const leave = (text: string): void => {
      early = [];
      const items = withoutCard(state.items, coming?.card.id);
      const isEmpty = items.length === 0;
      set({
        items,
        said: { tone: "warning", text },
        ...(isEmpty ? { phase: "loading" } : {}),
      });
      if (isEmpty) void load();
    };
    try {
      await waitForOutbox();
      const unsent = state.outbox.at(-1);
      if (unsent !== undefined) {
        decided.delete(unsent.item.card.id);
        putBack(unsent.item, state.outbox.slice(0, -1));
        return;
      }
      const undone = await trpcClient.review.undoLast.mutate();
      arrived.pop();
      if (undone === null) {
        leave("There is no decision of the last day to undo.");
        return;
      }
      const { card, events_sent: events, kind } = undone;
      decided.delete(card.id);
      set({ reviewed: new Set([...state.reviewed].filter((id) => id !== card.id)) });
      if (kind === "accepted") set({ accepted: Math.max(0, state.accepted - 1) });
      if (kind === "corrected") set({ corrected: Math.max(0, state.corrected - 1) });
      const item = await itemOf(card, remembered.get(card.id));
      if (coming !== undefined && coming.card.id !== card.id) {
        // Decided in another window since: that was the last.
        early = [];
        set({ items: withoutCard(state.items, coming.card.id) });
      }
      putBack(item, state.outbox, events.length);
      void queryClient.invalidateQueries({ queryKey: trpc.review.stats.pathKey() });
    } catch (error) {
      noteError(error);
      const { code, message } = problemOf(error);
      leave(
        code === "conflict"
          ? "It was changed since, so the decision stands. The card's own page shows its history."
          : message,
      );
    } finally {
      set({ isUndoing: false });
      // The first may take back another decision, and then the rest waits again.
      const next = early;
      early = [];
      for (const act of next) act();
    }
  }

  function putBack(item: ReviewItem, outbox: readonly Unsent[], eventsSent = 0): void {
    const skipped = new Set(state.skipped);
    skipped.delete(item.card.id);
    const others = withoutCard(state.items, item.card.id);
    const sent = eventsSent === 0 ? "" : " Events already sent stay sent.";
    set({
      items: [item, ...others],
      outbox,
      held: outbox.length === 0 ? null : state.held,
      skipped,
      phase: "ready",
      said: { tone: "plain", text: `${nameOf(item)} is back.${sent}` },
    });
  }

  /** Until all has been sent, or it is known that it cannot be now. */
  function waitForOutbox(): Promise<void> {
    if (state.outbox.length === 0 || state.held !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const listener = (): void => {
        if (state.outbox.length > 0 && state.held === null) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  }

  async function renew(): Promise<void> {
    const held = state.items.map(({ card }) => card.id).slice(0, mostHeld);
    if (held.length === 0 || document.hidden) return;
    try {
      const { locks } = await trpcClient.review.renew.mutate({ card_ids: held });
      const mine = new Set(locks.map((lock) => lock.card_id));
      const [shown] = state.items;
      const items = state.items.filter(
        ({ card }) => mine.has(card.id) || !held.includes(card.id) || remembered.has(card.id),
      );
      if (items.length === state.items.length) return;
      const isTaken = shown !== undefined && items[0] !== shown;
      const said = {
        tone: "warning",
        text: `${isTaken ? nameOf(shown) : ""} is with somebody else now.`,
      } as const;
      set({ items, ...(isTaken ? { said } : {}) });
      await load();
    } catch (error) {
      // The next time; a decision about a card that was lost is refused, and says so.
      noteError(error);
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    decide,
    undo,
    retry() {
      if (state.outbox.length > 0) void send();
      else {
        set({ phase: state.items.length === 0 ? "loading" : "ready" });
        void load();
      }
    },
    bringBackSkipped() {
      set({ skipped: new Set(), phase: "loading" });
      void load();
    },
    open() {
      void load();
      const renewing = setInterval(() => void renew(), renewMs);
      return () => {
        clearInterval(renewing);
        release(state.items);
      };
    },
  };
}

function withoutCard(items: readonly ReviewItem[], id: string | undefined): ReviewItem[] {
  return items.filter(({ card }) => card.id !== id);
}

function waitOf(error: unknown): number {
  const { retryAfterSeconds } = problemOf(error);
  return retryAfterSeconds === null ? retryMs : retryAfterSeconds * 1_000;
}

function noteError(error: unknown): void {
  if (isSignInRequired(error)) noteSessionEnded();
}
