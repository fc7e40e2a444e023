/**
 * What each line of an order bears of the fee for the whole of it: in proportion to its total, exactly, so that
 * the shares make the fee. Where all totals are 0 they bear it evenly. What rounding leaves goes, a unit each, to
 * the largest remainders, and among equal ones to the first.
 * @param fee minor units, 0 or more
 * @param totals minor units, 0 or more
 */
export function shareFee(fee: number, totals: readonly number[]): number[] {
  const sum = totals.reduce((all, total) => all + BigInt(total), 0n);
  const weights = totals.map((total) => (sum === 0n ? 1n : BigInt(total)));
  const whole = sum === 0n ? BigInt(totals.length) : sum;
  const exact = weights.map((weight) => BigInt(fee) * weight);
  const shares = exact.map((amount) => Number(amount / whole));
  let left = fee - shares.reduce((all, share) => all + share, 0);
  const inTurn = exact
    .map((amount, index) => ({ index, remainder: amount % whole }))
    .toSorted((one, other) => Number(other.remainder - one.remainder) || one.index - other.index);
  for (const { index } of inTurn) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}
