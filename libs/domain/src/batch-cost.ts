import type { CostWeight } from "@cardvault/contract";

/** A card that takes part in a spread of a batch's cost. Amounts are minor units of one currency. */
export type CostCard = {
  id: string;
  /** All that came with the batch, those that are sold by now too; at least 1. */
  copies: number;
  /** What one copy weighs; null where it has no such price. */
  weight: number | null;
};

/** What a spread gives. */
export type CostSpread = {
  /** The cost of one copy, in minor units, by card. */
  shares: ReadonlyMap<string, number>;
  /** What no card can take: less than the fewest copies of a card, so 0 where one has a single copy. */
  unspread: number;
  /** Cards without a weight, which took part with the mean of the others. */
  averaged: number;
};

/**
 * Spreads an amount over cards, exactly: copies times shares, and what is left over, make the amount.
 * Evenly, or in proportion to the weights. The order in which the cards are given does not matter.
 * What rounding leaves goes, a unit a copy, to the largest remainders first.
 * @param total minor units, 0 or more
 */
export function spreadCost(total: number, cards: readonly CostCard[], by: CostWeight): CostSpread {
  const sorted = cards.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { weights, averaged } = weightsOf(sorted, by);
  const whole = sorted.reduce((sum, { copies }, index) => sum + times(weights[index], copies), 0n);
  if (sorted.length === 0 || whole === 0n) {
    return { shares: new Map(), unspread: total, averaged };
  }
  const parts = sorted.map(({ id, copies }, index) => {
    const exact = BigInt(total) * (weights[index] ?? 0n);
    return { id, copies, share: Number(exact / whole), remainder: exact % whole };
  });
  let left = total - parts.reduce((sum, { copies, share }) => sum + copies * share, 0);
  const inTurn = parts.toSorted(
    (one, other) => compare(other.remainder, one.remainder) || (one.id < other.id ? -1 : 1),
  );
  // After the first round less is left than the most copies of a card: the others are short.
  for (let takers = inTurn; takers.length > 0;) {
    for (const part of takers) {
      if (part.copies > left) continue;
      part.share += 1;
      left -= part.copies;
    }
    takers = takers.filter(({ copies }) => copies <= left);
  }
  return {
    shares: new Map(parts.map(({ id, share }) => [id, share])),
    unspread: left,
    averaged,
  };
}

/** One without a weight has the mean of a copy; where none has one, or all are 0, they are equal. */
function weightsOf(cards: readonly CostCard[], by: CostWeight) {
  const known = by === "even" ? [] : cards.filter(({ weight }) => weight !== null);
  const sum = known.reduce(
    (all, { weight, copies }) => all + times(BigInt(weight ?? 0), copies),
    0n,
  );
  if (sum === 0n) return { weights: cards.map(() => 1n), averaged: 0 };
  const copies = BigInt(known.reduce((all, card) => all + card.copies, 0));
  // In units of one through the number of copies, so that the mean is exact.
  const weights = cards.map(({ weight }) => (weight === null ? sum : BigInt(weight) * copies));
  return { weights, averaged: cards.length - known.length };
}

function times(weight: bigint | undefined, copies: number): bigint {
  return (weight ?? 0n) * BigInt(copies);
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
