import { comparableName, nameLikeness } from "./compare.ts";

/** What is asked: what somebody read from a card. Null where it is not known. */
export interface ReadCard {
  readonly name: string | null;
  /** In the form that is compared, without the total. */
  readonly number: string | null;
  readonly total: number | null;
  readonly set: string | null;
  readonly setCode: string | null;
}

/** What decides about a card of the catalogue. */
export interface KnownCard {
  readonly name: string;
  readonly comparedNumber: string;
  readonly setTotal: number | null;
  readonly set: string;
  readonly setCode: string | null;
}

export type Verdict<Card> =
  /** Exactly one card has this name, number and total. */
  | { readonly kind: "decided"; readonly card: Card; readonly nameLikeness: number }
  /** Several have, or what is known does not decide. The likeliest first. */
  | { readonly kind: "ambiguous"; readonly cards: readonly Card[] }
  /** What is known contradicts every card. */
  | { readonly kind: "none" };

/** A letter or two may be misread; another name is not. */
const sameNameLikeness = 0.6;
const mostCards = 5;

/**
 * Which card it is. Name, number and set total decide together; a list that does not know its sets'
 * sizes, or a card that does not print them, is decided by the set's own code or name instead. A name
 * alone never decides: one character has more than a hundred printings.
 */
export function judgeCards<Card extends KnownCard>(
  read: ReadCard,
  cards: readonly Card[],
): Verdict<Card> {
  const { name, number } = read;
  if (name === null || comparableName(name) === "") return { kind: "none" };
  const named = cards
    .map((card) => ({ card, likeness: nameLikeness(name, card.name) }))
    .filter(({ likeness }) => likeness >= sameNameLikeness)
    .sort((one, other) => other.likeness - one.likeness);
  const fitting = named.filter(({ card }) => isPlaced(read, card));
  const ambiguous = (found: readonly { card: Card }[]): Verdict<Card> =>
    found.length === 0
      ? { kind: "none" }
      : { kind: "ambiguous", cards: found.slice(0, mostCards).map(({ card }) => card) };
  if (number === null) return ambiguous(named);
  const ofSet = fitting.filter(({ card }) => isOfSet(read, card));
  const [first, ...others] = ofSet.length > 0 ? ofSet : fitting;
  if (first === undefined) {
    // With neither a total nor a set there is nothing to contradict.
    const isOpen = read.total === null && read.set === null && read.setCode === null;
    const sameNumber = named.filter(({ card }) => card.comparedNumber === number);
    return isOpen ? ambiguous(sameNumber) : { kind: "none" };
  }
  const rivals = others.filter(({ likeness }) => likeness >= first.likeness - 0.1);
  if (rivals.length > 0) return ambiguous([first, ...rivals]);
  return { kind: "decided", card: first.card, nameLikeness: first.likeness };
}

/** Whether number and total, or number and set, say that it is this card. */
function isPlaced(read: ReadCard, card: KnownCard): boolean {
  if (read.number !== card.comparedNumber) return false;
  if (read.total !== null && card.setTotal !== null) return read.total === card.setTotal;
  return isOfSet(read, card);
}

function isOfSet(read: ReadCard, card: KnownCard): boolean {
  if (read.setCode !== null && card.setCode !== null) {
    if (read.setCode.toLowerCase() === card.setCode.toLowerCase()) return true;
  }
  return read.set !== null && nameLikeness(read.set, card.set) >= sameNameLikeness;
}
