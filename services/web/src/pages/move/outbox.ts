import { currentAccountId } from "../../app/account.ts";
import { problemOf } from "../../app/problem.ts";
import type { Problem } from "../../app/problem.ts";
import { noteSessionEnded } from "../../app/session-ended.ts";

/** `waiting`: no answer, and it is tried again. `held`: nobody is signed in, or in another account. */
export type OutboxLink = "idle" | "sending" | "waiting" | "held";

export interface Waiting<Item> {
  item: Item;
  /** Whether it was sent at least once, and so may have arrived. */
  wasSent: boolean;
}

interface OutboxState<Item> {
  items: readonly Waiting<Item>[];
  link: OutboxLink;
  /** Whether this browser keeps them over a reload. */
  isKept: boolean;
}

interface Outbox<Item> {
  state: () => OutboxState<Item>;
  subscribe: (listener: () => void) => () => void;
  add: (item: Item) => void;
  /** Takes one out that was never sent. Answers whether it could. */
  withdraw: (isIt: (item: Item) => boolean) => boolean;
  /** Sends at once what waits for its next try. */
  resume: () => void;
}

interface OutboxOptions<Item> {
  /** Under which the items stand in the browser's storage. */
  storageKey: string;
  accountId: string;
  /** Sends one, in the order in which they were added, one after the other, until each is answered. */
  send: (item: Item, signal: AbortSignal) => Promise<void>;
  /** One that will never be taken: it is out of the box, and somebody has to be told. */
  onRefused: (item: Item, problem: Problem) => void;
}

const answerWithinMs = 20_000;
const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** A fault of the service that comes back each time is not to hold up what stands behind it. */
const mostFaults = 6;

/**
 * What is to be sent, kept in the browser until it was answered: a lost connection, a reload and an ended
 * session lose nothing. Items need ids of their own, so that one that is sent twice counts once.
 */
export function openOutbox<Item>(options: OutboxOptions<Item>): Outbox<Item> {
  const { storageKey, accountId } = options;
  let state: OutboxState<Item> = { items: readItems(storageKey), link: "idle", isKept: true };
  const listeners = new Set<() => void>();
  let isBusy = false;
  let failures = 0;
  let faults = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(next: Partial<OutboxState<Item>>): void {
    state = { ...state, ...next };
    if (next.items !== undefined) {
      state = { ...state, isKept: writeJson(storageKey, state.items) };
    }
    for (const listener of listeners) listener();
  }
  const isElsewhere = (): boolean => currentAccountId() !== accountId;
  const dropFirst = (): void => put({ items: state.items.slice(1) });

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(timer);
    try {
      for (let first = state.items[0]; first !== undefined; first = state.items[0]) {
        if (isElsewhere()) {
          put({ link: "held" });
          return;
        }
        const { item } = first;
        const items = [{ item, wasSent: true }, ...state.items.slice(1)];
        put(first.wasSent ? { link: "sending" } : { link: "sending", items });
        const problem = await attempt(item);
        if (problem === null) {
          failures = 0;
          faults = 0;
          dropFirst();
        } else if (!isFinal(problem)) {
          return;
        } else {
          faults = 0;
          dropFirst();
          options.onRefused(item, problem);
        }
      }
      put({ link: "idle" });
    } finally {
      isBusy = false;
    }
  }
  async function attempt(item: Item): Promise<Problem | null> {
    try {
      await options.send(item, AbortSignal.timeout(answerWithinMs));
      return null;
    } catch (error) {
      return problemOf(error);
    }
  }
  /** Whether it stays as it is; otherwise sees to the next try. */
  function isFinal({ code, status, retryAfterSeconds }: Problem): boolean {
    if (code === "sign_in_required" || isElsewhere()) {
      put({ link: "held" });
      if (code === "sign_in_required") noteSessionEnded();
      return false;
    }
    const isFault = status === 500;
    faults += isFault ? 1 : 0;
    const isPassing = status === null || status === 429 || status > 500 || isFault;
    if (!isPassing || faults >= mostFaults) return true;
    const waitMs = Math.min(firstWaitMs * 2 ** failures, longestWaitMs);
    failures += 1;
    put({ link: "waiting" });
    timer = setTimeout(() => void work(), Math.max(waitMs, (retryAfterSeconds ?? 0) * 1000));
    return false;
  }

  function resume(): void {
    failures = 0;
    void work();
  }
  window.addEventListener("online", resume);
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(item) {
      put({ items: [...state.items, { item, wasSent: false }] });
      void work();
    },
    withdraw(isIt) {
      const found = state.items.find(({ item, wasSent }) => !wasSent && isIt(item));
      if (found === undefined) return false;
      put({ items: state.items.filter((one) => one !== found) });
      return true;
    },
    resume,
  };
}

function readItems<Item>(storageKey: string): Waiting<Item>[] {
  const stored = readJson(storageKey);
  return Array.isArray(stored) ? (stored as Waiting<Item>[]) : [];
}

/** What stands under a key; null where there is nothing, or nothing that can be read. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as unknown;
  } catch {
    return null;
  }
}

/** Nothing is kept of an empty list. Answers whether the browser took it. */
export function writeJson(key: string, value: readonly unknown[]): boolean {
  try {
    if (value.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
