import type { Money, ScannedCardAnswer } from "@cardvault/contract";
import type { Problem } from "../../app/problem.ts";
import { trpcClient } from "../../app/trpc.ts";
import { newUuid } from "../../parts/new-uuid.ts";
import { storageKeysOf } from "./claim-run.ts";
import { openOutbox, readJson, writeJson } from "./outbox.ts";
import type { OutboxLink } from "./outbox.ts";

/** `finding` and `recording` wait for an answer, however long; `sold` and `voided` were recorded. */
export type LineState =
  | "finding"
  | "unknown"
  | "choose"
  | "ready"
  | "recording"
  | "sold"
  | "voiding"
  | "voided"
  | "failed";

/** A scanned card on its way to being sold. */
export interface TillLine {
  /** Names the sale, so that one which is sent twice is recorded once. */
  id: string;
  text: string;
  state: LineState;
  card: ScannedCardAnswer | null;
  candidates: readonly ScannedCardAnswer[];
  quantity: number;
  /** For one copy, at first what is asked; null until somebody says it. */
  each: Money | null;
  /** What all copies were agreed to cost together, where that is not so many times `each`. */
  together: Money | null;
  saleId: string | null;
  /** Why it is no sale, in a sentence. */
  message: string | null;
}

interface SaleOrder {
  kind: "sale";
  id: string;
  cardId: string;
  quantity: number;
  price: Money;
  place: string;
  /** Of this machine's clock. */
  atMs: number;
}
type Order =
  | { kind: "find"; id: string; text: string }
  | SaleOrder
  | { kind: "void"; id: string; saleId: string };

interface TillState {
  lines: readonly TillLine[];
  link: OutboxLink;
  waiting: number;
  isKept: boolean;
}

export interface Till {
  state: () => TillState;
  subscribe: (listener: () => void) => () => void;
  scan: (text: string) => void;
  choose: (id: string, card: ScannedCardAnswer) => void;
  /** Other copies, or another price of one, end what was agreed for all together. */
  set: (id: string, values: Partial<Pick<TillLine, "quantity" | "each" | "together">>) => void;
  /** Records what is ready: one line, or all. The place is where it was sold. */
  record: (place: string, id?: string) => void;
  /** The last sale that was recorded here. Answers what it was, or null. */
  undo: () => string | null;
  voidSale: (id: string) => void;
  remove: (id: string) => void;
  /** Lines that need nobody any more. */
  clear: () => void;
  resume: () => void;
}

const nowMs = 120_000;
const unsellable = "It is sold or archived.";

/** Opens the till of a run: what was scanned to be sold, kept in the browser until it is recorded. */
export function openTill(accountId: string, runId: string): Till {
  const keys = storageKeysOf(accountId, runId);
  const listeners = new Set<() => void>();
  const outbox = openOutbox<Order>({
    storageKey: keys.sales,
    accountId,
    send: async (order, signal) => {
      if (order.kind === "find") {
        const { text } = order;
        const { cards, place } = await trpcClient.scans.find.query({ text }, { signal });
        found(
          order.id,
          cards.map(({ card }) => card),
          place,
        );
      } else if (order.kind === "sale") {
        const { id: saleId } = await trpcClient.cards.recordSale.mutate(saleOf(order), { signal });
        change(order.id, { state: "sold", saleId });
      } else {
        await trpcClient.cards.voidSale.mutate({ id: order.saleId }, { signal });
        change(order.id, { state: "voided" });
      }
    },
    onRefused(order, problem) {
      if (order.kind === "void") change(order.id, { state: "sold", message: sentence(problem) });
      else change(order.id, { state: "failed", message: sentence(problem) });
    },
  });
  const stored = readJson(keys.till);
  let lines: readonly TillLine[] = Array.isArray(stored)
    ? (stored as StoredLine[]).map(lineOf)
    : [];
  let isKept = true;
  let state = stateNow();

  function stateNow(): TillState {
    const { items, link, isKept: areOrdersKept } = outbox.state();
    return { lines, link, waiting: items.length, isKept: isKept && areOrdersKept };
  }
  function tell(): void {
    state = stateNow();
    for (const listener of listeners) listener();
  }
  function put(next: readonly TillLine[]): void {
    lines = next;
    isKept = writeJson(keys.till, next);
    tell();
  }
  function change(id: string, values: Partial<TillLine>): void {
    put(lines.map((line) => (line.id === id ? { ...line, ...values } : line)));
  }
  outbox.subscribe(tell);

  function found(id: string, cards: readonly ScannedCardAnswer[], place: string | null): void {
    const [card] = cards;
    if (card === undefined) {
      const message = place === null ? "No card has this code." : `It is a place: ${place}.`;
      change(id, { state: "unknown", message });
    } else if (cards.length > 1) {
      change(id, { state: "choose", candidates: cards });
    } else {
      change(id, chosen(card));
    }
  }
  function record(place: string, line: TillLine): void {
    const { id, card, quantity } = line;
    const price = priceOf(line);
    if (line.state !== "ready" || card === null || price === null) return;
    change(id, { state: "recording", message: null });
    const sale = { cardId: card.id, quantity, price, place, atMs: Date.now() };
    outbox.add({ kind: "sale", id, ...sale });
  }
  function voidSale(id: string): void {
    const line = lines.find((one) => one.id === id);
    if (line?.state !== "sold" || line.saleId === null) return;
    change(id, { state: "voiding", message: null });
    outbox.add({ kind: "void", id, saleId: line.saleId });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scan(text) {
      const id = newUuid();
      put([{ ...blank, id, text }, ...lines]);
      outbox.add({ kind: "find", id, text });
    },
    choose: (id, card) => change(id, chosen(card)),
    set: (id, values) => change(id, { together: null, ...values }),
    record(place, id) {
      for (const line of lines) if (id === undefined || line.id === id) record(place, line);
    },
    undo() {
      const last = lines.find((line) => line.state === "sold");
      if (last === undefined) return null;
      voidSale(last.id);
      return last.card?.title ?? last.text;
    },
    voidSale,
    remove: (id) => put(lines.filter((line) => line.id !== id)),
    clear: () => put(lines.filter((line) => !isOver(line))),
    resume: outbox.resume,
  };
}

const blank = {
  state: "finding",
  card: null,
  candidates: [],
  quantity: 1,
  each: null,
  together: null,
  saleId: null,
  message: null,
} as const satisfies Partial<TillLine>;

/** What was agreed, or so many times the price of one; null until there is a price above 0. */
export function priceOf({ each, together, quantity }: TillLine): Money | null {
  const price = together ?? (each === null ? null : { ...each, amount: each.amount * quantity });
  return price === null || price.amount < 1 ? null : price;
}

/** A line may have been kept by a page that knew only what all copies cost. */
type StoredLine = Omit<TillLine, "each" | "together"> &
  Partial<Pick<TillLine, "each" | "together">> & { price?: Money | null };

function lineOf({ price = null, ...line }: StoredLine): TillLine {
  if (line.each !== undefined && line.together !== undefined) {
    return { ...line, each: line.each, together: line.together };
  }
  if (line.quantity === 1) return { ...line, each: price, together: null };
  return { ...line, each: line.card?.asking_price ?? null, together: price };
}

/** Nothing is left to be done about it. */
export function isOver({ state }: TillLine): boolean {
  return state === "sold" || state === "voided";
}

function chosen(card: ScannedCardAnswer): Partial<TillLine> {
  const isGone = card.workflow_status === "sold" || card.workflow_status === "archived";
  return {
    card,
    candidates: [],
    each: card.asking_price,
    together: null,
    state: isGone ? "failed" : "ready",
    message: isGone ? unsellable : null,
  };
}

/** One that is sent at once was sold now by the service's clock, which this machine's may be ahead of. */
function saleOf({ id: request_id, cardId, atMs, quantity, price, place }: SaleOrder) {
  const isLate = Date.now() - atMs > nowMs;
  const soldAt = isLate ? { sold_at: new Date(atMs).toISOString() } : {};
  return { id: cardId, quantity, price, place, request_id, ...soldAt };
}

function sentence({ message, details }: Problem): string {
  return [message, ...details.map((detail) => detail.message)].join(" ");
}
