/**
 * Whether somebody who meant `known` may have typed `typed`: one slip in a short word, two in a long one.
 * A slip is a letter too many, too few, another one, or two in each other's place (Damerau and Levenshtein,
 * optimal string alignment). Numbers have no typos: 12 is not meant by 13.
 * @param isUnfinished the beginning of `known` may have been meant
 */
export function isTypoOf(typed: string, known: string, isUnfinished: boolean): boolean {
  if (/\d/u.test(typed)) return false;
  const most = typed.length <= 5 ? 1 : 2;
  if (typed.length < 3 || known.length < typed.length - most) return false;
  if (!isUnfinished && known.length > typed.length + most) return false;
  const distances = lastRow(Array.from(typed), Array.from(known));
  return (isUnfinished ? Math.min(...distances) : (distances.at(-1) ?? most + 1)) <= most;
}

/** How many slips lie between `typed` and each beginning of `known`, the empty one first. */
function lastRow(typed: readonly string[], known: readonly string[]): number[] {
  let beforeLast: number[] = [];
  let last = Array.from({ length: known.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= known.length; column += 1) {
      const isSame = typed[row - 1] === known[column - 1];
      let fewest = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const areSwapped =
        row > 1 &&
        column > 1 &&
        typed[row - 1] === known[column - 2] &&
        typed[row - 2] === known[column - 1];
      if (areSwapped) fewest = Math.min(fewest, (beforeLast[column - 2] ?? 0) + 1);
      next.push(fewest);
    }
    beforeLast = last;
    last = next;
  }
  return last;
}

/** A word with each two neighbours in each other's place. */
export function swapsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.slice(1).map((letter, index) => {
    const before = letters.slice(0, index).join("");
    return `${before}${letter}${letters[index] ?? ""}${letters.slice(index + 2).join("")}`;
  });
}
