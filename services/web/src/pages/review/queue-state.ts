import type { ReviewCorrect, ReviewItem, ReviewOrder, QueueReason } from "@cardvault/contract";

/** Which cards are reviewed, and in which order. */
export interface QueueChoice {
  order: ReviewOrder;
  reason?: QueueReason[] | undefined;
  batch_id?: string | undefined;
}

/** What a person has decided about a card. A candidate's place counts from 1. */
export type Decision =
  | { type: "accept"; candidate: number | null }
  | { type: "correct"; fields: ReviewCorrect["fields"] }
  | { type: "skip" };

/** A decision on its way. */
export interface Unsent {
  readonly item: ReviewItem;
  readonly decision: Decision;
}

/** One sentence about what has just happened, for everybody to read. */
interface Said {
  readonly tone: "plain" | "warning";
  readonly text: string;
}

export interface QueueState {
  readonly phase: "loading" | "ready" | "done" | "failed";
  /** The first is shown, the others are loaded ahead. */
  readonly items: readonly ReviewItem[];
  /** Why the queue could not be loaded. */
  readonly error: unknown;
  /** Decisions that the service has not confirmed. */
  readonly outbox: readonly Unsent[];
  /** Why the first of them could not be sent; it is tried again by itself. */
  readonly held: unknown;
  readonly said: Said | null;
  /** A correction that was refused: its card is shown again, with what was wrong. */
  readonly refused: { cardId: string; error: unknown } | null;
  readonly accepted: number;
  readonly corrected: number;
  /** Cards that were accepted or corrected on this visit: what is priced next. */
  readonly reviewed: ReadonlySet<string>;
  /** Cards that were skipped on this visit and wait at its end. */
  readonly skipped: ReadonlySet<string>;
  readonly isUndoing: boolean;
}

export const emptyQueue: QueueState = {
  phase: "loading",
  items: [],
  error: null,
  outbox: [],
  held: null,
  said: null,
  refused: null,
  accepted: 0,
  corrected: 0,
  reviewed: new Set(),
  skipped: new Set(),
  isUndoing: false,
};

/** What a card is called in a sentence. */
export function nameOf({ card, candidates }: Pick<ReviewItem, "card" | "candidates">): string {
  return card.title ?? candidates[0]?.identification.title ?? card.sku ?? "The card";
}

/**
 * The cards of an answer behind those that are held here: the one that is shown stays, what was decided
 * does not come back, and skipped ones wait.
 */
export function mergeItems(
  state: Pick<QueueState, "items" | "outbox" | "skipped">,
  answered: readonly ReviewItem[],
  decided: ReadonlyMap<string, number>,
): ReviewItem[] {
  const isGone = ({ card }: ReviewItem): boolean =>
    state.outbox.some(({ item }) => item.card.id === card.id) ||
    state.skipped.has(card.id) ||
    (decided.get(card.id) ?? 0) >= card.version;
  const fresh = new Map(answered.map((item) => [item.card.id, item]));
  const kept = state.items.map((item) => {
    const latest = fresh.get(item.card.id);
    fresh.delete(item.card.id);
    return latest ?? item;
  });
  return [...kept, ...[...fresh.values()].filter((item) => !isGone(item))];
}
