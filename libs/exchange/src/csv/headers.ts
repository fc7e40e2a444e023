import { createHash } from "node:crypto";

/** A header without what differs from one export to the next: case, spaces, stars, punctuation. */
export function plainHeader(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#/:]+/gu, " ")
    .trim();
}

/** `A`, `B`, … `Z`, `AA`: as a spreadsheet names the column at an index from 0. */
export function columnLetter(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? "" : columnLetter(rest - 1)}${String.fromCharCode(65 + (index % 26))}`;
}

/** Every column with a name of its own: an empty one by its letter, a repeated one with a number. */
export function namedHeaders(cells: readonly string[]): string[] {
  const taken = new Map<string, number>();
  return cells.map((cell, index) => {
    const name = cell.trim().slice(0, 200) || `Column ${columnLetter(index)}`;
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** By which a saved mapping is found again: the same headers in the same order. */
export function headerSignature(headers: readonly string[]): string {
  const text = JSON.stringify(headers.map(plainHeader));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
