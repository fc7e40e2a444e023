import { packIds } from "@cardvault/contract";
import type { Card, CardRow } from "@cardvault/contract";
import { currentAccountId } from "../app/account.ts";
import { onCardsChanged } from "../app/live-cache.ts";
import { alone, trpcClient } from "../app/trpc.ts";
import type { CardOrder } from "./card-order.ts";

/** Rows that are asked for together: their address stays below what proxies let through. */
export const blockSize = 50;
/** While somebody scrolls fast, what flies by is not asked for. */
const restMs = 60;
/** Beyond it the oldest are let go; a screen shows about forty. */
const mostKept = 4_000;

/**
 * The rows of cards by their ids, for lists of any length: what is in sight is loaded, what has changed is
 * loaded again, and the order is somebody else's matter.
 */
export interface CardRows {
  get: (id: string) => CardRow | undefined;
  /** Asks for the rows of a window, and for one on each side of it. */
  show: (order: CardOrder, start: number, end: number) => void;
  /** The rows that an answer brings: what has changed since it was asked for is loaded again. @throws as `ask` does */
  take: <Answer extends { readonly rows: readonly CardRow[] }>(
    ask: () => Promise<Answer>,
  ) => Promise<Answer>;
  /** A card as it is now, from the answer of a change. */
  put: (card: Card) => void;
  /** Loads some again, whether shown or not; answers when they are there. @throws what the service says */
  reload: (ids: readonly string[]) => Promise<void>;
  /** What the last request came to, for whoever shows rows; null while all is well. */
  problem: () => unknown;
  /** Asks again for what is in sight and has not come. */
  retry: () => void;
  /** Another number after each change. */
  version: () => number;
  subscribe: (listener: () => void) => () => void;
}

let rows: { accountId: string | null; store: CardRows; close: () => void } | undefined;

/** Those of the account that this tab is in; of one account only, so that none sees another's. */
export function cardRows(): CardRows {
  const accountId = currentAccountId();
  if (rows?.accountId !== accountId) {
    rows?.close();
    rows = { accountId, ...createCardRows() };
  }
  return rows.store;
}

function createCardRows(): { store: CardRows; close: () => void } {
  const known = new Map<string, CardRow>();
  const loading = new Map<string, AbortController>();
  /** What has changed while each request is on its way: its answer may be from before. */
  const watches = new Set<{ ids: Set<string>; isAll: boolean }>();
  const listeners = new Set<() => void>();
  let changes = 0;
  let failure: unknown = null;
  let shown: { order: CardOrder; start: number; end: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  function tell(): void {
    changes += 1;
    for (const listener of listeners) listener();
  }

  function keep(data: readonly CardRow[]): void {
    for (const row of data) {
      known.delete(row.id);
      known.set(row.id, row);
    }
    for (const id of known.keys()) {
      if (known.size <= mostKept) break;
      known.delete(id);
    }
  }

  async function fetched<Answer>(
    ask: () => Promise<Answer>,
    rowsOf: (answer: Answer) => readonly CardRow[],
  ): Promise<Answer> {
    const watch = { ids: new Set<string>(), isAll: false };
    watches.add(watch);
    try {
      const answer = await ask();
      const data = rowsOf(answer);
      keep(data);
      const old = data.filter(({ id }) => watch.isAll || watch.ids.has(id)).map(({ id }) => id);
      // Without an answer they stay as they were; the next message asks again.
      if (old.length > 0) void reload(old).catch(() => undefined);
      return answer;
    } finally {
      watches.delete(watch);
    }
  }

  async function load(ids: string): Promise<void> {
    if (ids === "" || loading.has(ids)) return;
    const abort = new AbortController();
    loading.set(ids, abort);
    try {
      await fetched(
        () => trpcClient.cards.rows.query({ ids }, { signal: abort.signal, ...alone }),
        ({ data }) => data,
      );
      failure = null;
    } catch (error) {
      if (abort.signal.aborted) return;
      failure = error;
    } finally {
      loading.delete(ids);
    }
    tell();
  }

  /** The blocks that the window touches, and one on each side. */
  function ask(): void {
    timer = undefined;
    askedAtMs = performance.now();
    if (shown === undefined) return;
    const { order, start, end } = shown;
    order.need(start, end);
    const first = Math.max(0, Math.floor(start / blockSize) - 1) * blockSize;
    const wanted = new Set<string>();
    for (let from = first; from < Math.min(end + blockSize, order.length); from += blockSize) {
      const ids = order.slice(from, from + blockSize);
      if (ids === "") continue;
      wanted.add(ids);
      if (isMissing(order, from)) void load(ids);
    }
    for (const [ids, abort] of loading) {
      if (!wanted.has(ids)) abort.abort();
    }
  }

  function isMissing(order: CardOrder, from: number): boolean {
    const end = Math.min(from + blockSize, order.length);
    for (let index = from; index < end; index += 1) {
      const id = order.at(index);
      if (id !== undefined && !known.has(id)) return true;
    }
    return false;
  }

  async function reload(ids: readonly string[]): Promise<void> {
    const asked: Promise<unknown>[] = [];
    for (let start = 0; start < ids.length; start += blockSize) {
      const packed = packIds("card", ids.slice(start, start + blockSize));
      const ask = () => trpcClient.cards.rows.query({ ids: packed });
      asked.push(fetched(ask, ({ data }) => data));
    }
    await Promise.all(asked);
    tell();
  }

  /** What is in sight is put in anew; the rest is forgotten, and loaded when somebody comes to it. */
  function note(changed: ReadonlySet<string> | "all"): void {
    for (const watch of watches) {
      if (changed === "all") watch.isAll = true;
      else for (const id of changed) watch.ids.add(id);
    }
    const inSight = new Set<string>();
    if (shown !== undefined) {
      for (let index = shown.start; index < shown.end; index += 1) {
        const id = shown.order.at(index);
        if (id !== undefined && known.has(id)) inSight.add(id);
      }
    }
    const again: string[] = [];
    for (const id of changed === "all" ? [...known.keys()] : changed) {
      if (inSight.has(id)) again.push(id);
      else known.delete(id);
    }
    // Without an answer the rows stay as they were; the next message asks again.
    if (again.length > 0) void reload(again).catch(() => undefined);
  }

  const store: CardRows = {
    get: (id) => known.get(id),
    show(order, start, end) {
      shown = { order, start, end };
      timer ??= setTimeout(ask, Math.max(0, askedAtMs + restMs - performance.now()));
    },
    async take(ask) {
      const answer = await fetched(ask, ({ rows }) => rows);
      tell();
      return answer;
    },
    put(card) {
      const before = known.get(card.id);
      if (before === undefined) return;
      keep([{ ...before, ...rowMembers(card, before) }]);
      tell();
    },
    reload,
    problem: () => failure,
    retry() {
      failure = null;
      tell();
      ask();
    },
    version: () => changes,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { store, close: onCardsChanged(note) };
}

/** The members of a card that a row has too. */
function rowMembers(card: Card, before: CardRow): Partial<CardRow> {
  const members = Object.keys(before).filter((member) => member in card);
  const picked = members.map((member) => [member, card[member as keyof Card]]);
  return Object.fromEntries(picked) as Partial<CardRow>;
}
