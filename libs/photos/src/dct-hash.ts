/** Bits of a perceptual hash. */
export const hashBits = 256;
/** The side of the grey picture that is hashed, and of the square of frequencies that is kept of it. */
export const hashedSide = 64;
const keptSide = 16;

/** `cosines[frequency * hashedSide + position]`: DCT-II, without the scale, which a median does not see. */
const cosines = Float64Array.from({ length: keptSide * hashedSide }, (_, index) => {
  const frequency = Math.floor(index / hashedSide);
  const position = index % hashedSide;
  return Math.cos((Math.PI * frequency * (2 * position + 1)) / (2 * hashedSide));
});

/**
 * A 256-bit perceptual hash: the lowest 16 × 16 frequencies of a grey picture of 64 × 64, each above
 * their median or not. Pictures of one print come near each other, whatever their size, light and blur.
 * @param grey 64 × 64 bytes, row by row
 * @returns 32 bytes
 */
export function dctHash(grey: Uint8Array): Uint8Array {
  if (grey.length !== hashedSide * hashedSide) {
    throw new RangeError(`A picture of ${hashedSide} × ${hashedSide} grey bytes is hashed.`);
  }
  const rows = new Float64Array(keptSide * hashedSide);
  for (let y = 0; y < hashedSide; y += 1) {
    for (let u = 0; u < keptSide; u += 1) {
      let sum = 0;
      for (let x = 0; x < hashedSide; x += 1) {
        sum += (cosines[u * hashedSide + x] ?? 0) * (grey[y * hashedSide + x] ?? 0);
      }
      rows[u * hashedSide + y] = sum;
    }
  }
  const frequencies = new Float64Array(keptSide * keptSide);
  for (let v = 0; v < keptSide; v += 1) {
    for (let u = 0; u < keptSide; u += 1) {
      let sum = 0;
      for (let y = 0; y < hashedSide; y += 1) {
        sum += (cosines[v * hashedSide + y] ?? 0) * (rows[u * hashedSide + y] ?? 0);
      }
      frequencies[v * keptSide + u] = sum;
    }
  }
  const sorted = frequencies.toSorted();
  const median = ((sorted[hashBits / 2 - 1] ?? 0) + (sorted[hashBits / 2] ?? 0)) / 2;
  const hash = new Uint8Array(hashBits / 8);
  for (const [index, value] of frequencies.entries()) {
    if (value > median) hash[index >> 3] = (hash[index >> 3] ?? 0) | (0x80 >> (index & 7));
  }
  return hash;
}

/** The same picture upside down: the other way in which a card is laid on a scanner. */
export function turnedGrey(grey: Uint8Array): Uint8Array {
  return grey.toReversed();
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count += 1;
  return count;
});

/** How many bits of two hashes differ. */
export function hashDistance(left: Uint8Array, right: Uint8Array): number {
  let distance = 0;
  for (let index = 0; index < left.length; index += 1) {
    distance += bitCounts[(left[index] ?? 0) ^ (right[index] ?? 0)] ?? 0;
  }
  return distance;
}
