// How what is printed on a card is compared with what a list says. The same rules make the search
// columns of the catalogue, so a change here needs the catalogue to be imported again.

/** A name without case, accents and signs: `Flabébé's  Gift` is `flabebe s gift`. */
export function comparableName(name: string): string {
  return (
    name
      .normalize("NFKD")
      // Accents of Latin, Greek and Cyrillic; the marks of other scripts make another letter.
      .replaceAll(/[\u0300-\u036f]+/gu, "")
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  );
}

/** A number without leading zeros, signs and case: `#004`, `4`; `TG07` and `tg7` are one. */
export function comparableNumber(number: string): string {
  return number
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .replaceAll(/(?<!\d)0+(?=\d)/gu, "");
}

export interface PrintedNumber {
  /** In the form that is compared. */
  readonly number: string;
  readonly total: number | null;
}

/** `012/142`, `#12`, `TG07/TG30` or `12 of 142`; null where it says nothing. */
export function readNumber(printed: string): PrintedNumber | null {
  const [first = "", second] = printed.split(/\s*\/\s*|\s+of\s+/iu, 2);
  const number = comparableNumber(first);
  if (number === "") return null;
  const digits = /(\d{1,6})\s*$/.exec(second ?? "")?.[1];
  const total = digits === undefined ? null : Number(digits);
  return { number, total: total === 0 ? null : total };
}

/**
 * How alike two names are, 0 to 1: the share of three-letter groups that they have in common, as
 * PostgreSQL's pg_trgm counts it, so that both sides of the service agree.
 */
export function nameLikeness(one: string, other: string): number {
  const left = trigrams(comparableName(one));
  const right = trigrams(comparableName(other));
  const common = [...left].filter((group) => right.has(group)).length;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}

function trigrams(text: string): Set<string> {
  const groups = new Set<string>();
  for (const word of text.split(" ")) {
    if (word === "") continue;
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) groups.add(padded.slice(at, at + 3));
  }
  return groups;
}
