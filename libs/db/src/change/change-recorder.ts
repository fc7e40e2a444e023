import type { ActorKind, ChangeVia, Money, PhotoSide } from "@cardvault/contract";
import { fieldChangesBetween } from "@cardvault/domain";
import type { CardState, FieldChanges, ListingState } from "@cardvault/domain";

/** Who makes a change, and through what: written beside every card that it changes. */
export interface ChangeOrigin {
  actor: { kind: ActorKind; id: string | null };
  via: ChangeVia;
  /** The job whose work it is. */
  jobId?: string | undefined;
}

/** What nobody asked for: clocks, demonstrations, tests. */
export const bySystem: ChangeOrigin = { actor: { kind: "system", id: null }, via: "job" };

type PhotoFact = { id: string; side: PhotoSide };
type SaleFact = { id: string; quantity: number; price: Money };
type ListingFact = { id: string; status: ListingState["status"]; price: Money; quantity: number };
type Pair = readonly [from: unknown, to: unknown];

/** One card's part of a change, as its history keeps it. */
export interface RecordedChange {
  cardId: string;
  /** Null where only photos or the listing changed: the card's own is not known here. */
  version: number | null;
  created: boolean;
  changes: Record<string, Pair>;
}

/**
 * Notes what a change does to each card. The repositories call it where they write, so what is changed
 * through them is in the history, whoever changes it. A card that is written twice in one change has one
 * entry, from its first state to its last.
 */
export class ChangeRecorder {
  readonly #cards = new Map<string, { before: CardState | null; after: CardState }>();
  readonly #facts = new Map<string, Map<string, { from: unknown; to: unknown }>>();

  /** @param before null for a new card */
  card(before: CardState | null, after: CardState): void {
    const known = this.#cards.get(after.id);
    this.#cards.set(after.id, { before: known === undefined ? before : known.before, after });
  }

  photoAdded(cardId: string, photo: PhotoFact): void {
    const photos = this.#fact(cardId, "photos", { from: [], to: [] });
    photos.to = [...(photos.to as PhotoFact[]), photo];
  }

  photoRemoved(cardId: string, photo: PhotoFact): void {
    const photos = this.#fact(cardId, "photos", { from: [], to: [] });
    photos.from = [...(photos.from as PhotoFact[]), photo];
  }

  /** A sale by hand that takes copies off a card, or whose copies come back. */
  sale(cardId: string, before: SaleFact | null, after: SaleFact | null): void {
    this.#fact(cardId, "sale", { from: before, to: after });
  }

  /** @param before null for a new listing */
  listing(before: ListingState | null, after: ListingState): void {
    const from = before === null ? null : listingFact(before);
    const to = listingFact(after);
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    this.#fact(after.cardId, "listing", { from, to }).to = to;
  }

  changes(): RecordedChange[] {
    const ids = new Set([...this.#cards.keys(), ...this.#facts.keys()]);
    return [...ids].map((cardId) => {
      const card = this.#cards.get(cardId);
      const facts = [...(this.#facts.get(cardId) ?? [])].map(
        ([field, { from, to }]): [string, Pair] => [field, [from, to]],
      );
      const created = card?.before === null;
      const own: FieldChanges =
        card?.before == null ? {} : fieldChangesBetween(card.before, card.after);
      return {
        cardId,
        version: card?.after.version ?? null,
        created,
        changes: { ...own, ...Object.fromEntries(facts) },
      };
    });
  }

  #fact(cardId: string, field: string, first: { from: unknown; to: unknown }) {
    const facts = this.#facts.get(cardId) ?? new Map<string, { from: unknown; to: unknown }>();
    this.#facts.set(cardId, facts);
    const known = facts.get(field) ?? first;
    facts.set(field, known);
    return known;
  }
}

function listingFact({ id, status, price, quantity }: ListingState): ListingFact {
  return { id, status, price, quantity };
}
