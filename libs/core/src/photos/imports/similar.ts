/** Bits of 256 by which two scans of one card differ at most; another card's are far beyond. */
export const mostSimilarDistance = 10;

interface Hashed {
  position: number;
  hash: Uint8Array;
}

export interface SimilarPair {
  left: number;
  right: number;
  distance: number;
}

/**
 * Files of an import that look alike. All pairs are compared, word by word: a pair that differs is
 * given up after two of eight words, so that 4,000 files take some tens of milliseconds.
 */
export function similarPairs(files: readonly Hashed[]): SimilarPair[] {
  const words = files.map(({ hash }) => {
    const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
    return Int32Array.from({ length: hash.byteLength / 4 }, (_, at) => view.getInt32(at * 4));
  });
  const pairs: SimilarPair[] = [];
  for (const [at, left] of words.entries()) {
    for (let other = at + 1; other < words.length; other += 1) {
      const distance = distanceWithin(left, words[other], mostSimilarDistance);
      if (distance === null) continue;
      const [one, two] = [files[at], files[other]];
      if (one === undefined || two === undefined) continue;
      pairs.push({ left: one.position, right: two.position, distance });
    }
  }
  return pairs;
}

function distanceWithin(
  left: Int32Array,
  right: Int32Array | undefined,
  most: number,
): number | null {
  if (right === undefined) return null;
  let distance = 0;
  for (let at = 0; at < left.length; at += 1) {
    distance += bitCount((left[at] ?? 0) ^ (right[at] ?? 0));
    if (distance > most) return null;
  }
  return distance;
}

/** Warren, Hacker's Delight, section 5-1. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
